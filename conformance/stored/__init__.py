"""Stored logs: what DSH would do with a file, and why, without touching it (STG)."""
