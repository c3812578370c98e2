"""Why an intervention helped: what each tool call was worth, from transcripts and from replays."""
