"""The protocol: what `spec/protocol.md` says, as code."""
