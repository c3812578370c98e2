"""What Inspect's own reader finds in a log: for every sample its scores, tool calls, answer and error.

Runs in an environment of its own, so it imports nothing of the project.
"""

import json
import sys
from pathlib import Path

from inspect_ai.log import list_eval_logs, read_eval_log


def told(sample):
    calls = [call for message in sample.messages for call in getattr(message, "tool_calls", None) or []]
    return {
        "id": sample.id,
        "epoch": sample.epoch,
        "scores": {name: score.value for name, score in (sample.scores or {}).items()},
        "tools": [[call.function, call.arguments] for call in calls],
        "answer": sample.output.completion,
        "error": sample.error.message if sample.error else None,
    }


log = read_eval_log(sys.argv[1])
means = {score.name: score.metrics["mean"].value for score in log.results.scores}
listed = any(
    each.name.endswith(Path(sys.argv[1]).name) for each in list_eval_logs(str(Path(sys.argv[1]).parent))
)
found = {"status": log.status, "model": log.eval.model, "means": means, "listed": listed}
print(json.dumps({**found, "samples": [*map(told, log.samples)]}))
