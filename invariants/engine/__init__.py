"""The fast explorer: the model's plain rules, run once per footprint and replayed as integers."""
