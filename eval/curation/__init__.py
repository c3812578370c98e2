"""From raw candidates to a data set that can be trusted: gate, split, noise control and fine-tuning set."""
