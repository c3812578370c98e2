"""The study of `bench.py` as a task of Inspect, which runs in a separate environment.

.inspect/bin/python benchmarks/inspect_task.py ITEMS BASE_URL LOGS CONCURRENCY
"""

import json
import os
import sys
from pathlib import Path

from inspect_ai import Task, eval
from inspect_ai.dataset import Sample
from inspect_ai.model import GenerateConfig, get_model
from inspect_ai.scorer import includes
from inspect_ai.solver import generate

items, base_url, logs, concurrency = sys.argv[1:]
os.environ.setdefault("OPENAI_API_KEY", "none")
rows = [json.loads(line) for line in Path(items).read_text().splitlines()]
samples = [
    Sample(input=row["question"], target=f"Q = {row['given'][0]['value']} J")
    for row in rows
    for _ in range(2)
]
config = GenerateConfig(max_connections=int(concurrency))
model = get_model("openai/fake", base_url=base_url, config=config, responses_api=False)
task = Task(samples, solver=generate(), scorer=includes())
[log] = eval(task, model, log_dir=logs, display="none", max_samples=int(concurrency))
sys.exit(log.status != "success" or len(log.samples or ()) != len(samples))
