"""Run the attempts of a study, here or on a cluster: budget, progress, manifest and rescoring."""
