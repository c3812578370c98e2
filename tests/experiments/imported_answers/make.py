"""Make the files of this folder again: each tool in a separate environment, with a loopback server as the model.

    python -m tests.experiments.imported_answers.make TOOL COMMAND...

TOOL names the folder to write: lm_eval, promptfoo or inspect. COMMAND runs the tool, with OUT in place of that folder. Of
what it writes, times and identifiers differ between runs, and nothing else. As they were made:

    lm_eval    lm_eval run --model local-chat-completions --tasks pumps_plain,pumps_si --include_path . --apply_chat_template
               --model_args model=stand-in,base_url=$BASE/chat/completions --output_path OUT --log_samples     (0.4.13)
    promptfoo  promptfoo eval -c promptfooconfig.yaml --repeat 2 --no-cache --output OUT/results.json
    inspect    inspect eval pumps_task.py --model openai/stand-in --log-dir OUT --log-format json              (0.3.285)
"""

from __future__ import annotations

import os
import re
import subprocess
import sys
from pathlib import Path

from tests.fakes.behaviours import Answer, Request
from tests.fakes.openai_server import OpenAIServer

HERE = Path(__file__).parent
RIGHT = {"12 L/s": "P = 1.51 kW", "40 L/s": "The shaft power is **16.1 kW**.", "1 L/s": "It takes 97.9 W."}


def reply(request: Request) -> Answer:
    """Right where SI is asked for; without, 1000 times too much for one of the pumps."""
    asked = str(request.body.get("messages") or request.body.get("input"))
    flow = re.search(r"\d+ L/s", asked)[0]
    return Answer("P = 1510 kW" if flow == "12 L/s" and "SI" not in asked else RIGHT[flow])


def main() -> int:
    folder, *command = sys.argv[1:]
    (HERE / folder).mkdir(exist_ok=True)
    with OpenAIServer(reply) as server:
        base = {"OPENAI_API_KEY": "unused", "OPENAI_BASE_URL": server.base_url, "BASE": server.base_url}
        words = [word.replace("OUT", folder).replace("$BASE", server.base_url) for word in command]
        done = subprocess.run(words, cwd=HERE, env={**os.environ, **base}, timeout=600)
    return done.returncode


if __name__ == "__main__":
    sys.exit(main())
