"""The conformance suite: it runs programs on an implementation and judges it by the model."""
