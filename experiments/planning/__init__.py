"""What a study will ask, take, cost and be able to show, before the first request."""
