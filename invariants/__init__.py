"""What the model promises: laws, the explorer that checks them, and the design alternatives."""
