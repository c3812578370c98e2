"""sentence-transformers: the default encoder equals it, and its models work by path. `make verify` sets it up."""

import json
import os
import subprocess
import sysconfig
from pathlib import Path

import pytest

HERE = Path(__file__).parent
ROOT = HERE.parent.parent
PYTHON = ROOT / ".embeddings" / "bin" / "python"


@pytest.mark.slow
@pytest.mark.skipif(not PYTHON.exists(), reason="run `make .embeddings/installed` first")
def test_default_encoder_and_models_by_path(tmp_path):
    environment = {
        **os.environ,
        "PYTHONPATH": os.pathsep.join([str(ROOT), sysconfig.get_path("purelib")]),
        "ANSATZ_CACHE": str(tmp_path / "cache"),
        "HF_HUB_OFFLINE": "1",
    }
    ran = subprocess.run(
        [PYTHON, HERE / "embeddings.py", tmp_path],
        env=environment,
        capture_output=True,
        text=True,
        timeout=600,
    )
    assert ran.returncode == 0, ran.stderr
    found = json.loads(ran.stdout.splitlines()[-1])
    assert found["texts"] >= 100
    assert found["difference"] < 1e-4
    assert found["steps"][0] == found["steps"][1] > 0
    assert found["expected"] in found["hits"]
    assert found["hits"] and set(found["reranked"]) != set() and len(found["reranked"]) == len(found["hits"])
    assert found["match"] == "3"
    assert found["ratings"] == [4]
