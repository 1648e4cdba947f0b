"""The reference model: how an Agent and a Session of DSH come to life, roll back and end.

Three functions are its face: `model.world.initial`, `model.enabled.enabled`, `model.step.step`.
Everything here is a frozen value or a pure, total function of values; a refusal that the model
expects is a value, never an exception.

Left out: what the model says to a language model, tools, the message surface of the log, and
the wording of errors. `spec/caveats.md` lists what that hides.
"""
