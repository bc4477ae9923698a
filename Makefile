# The two commands: `make run` and `make test`. Both install what they need first.
PYTHON ?= python3
VALTAVOLA = .venv/bin/valtavola

.PHONY: run setup setup-dev test lint check soak bench lighthouse screenshots

run: setup
	@$(VALTAVOLA) serve

setup:
	@$(PYTHON) tools/setup.py

setup-dev:
	@$(PYTHON) tools/setup.py --dev

test: setup-dev
	@.venv/bin/python -m pytest -n 2 --dist loadfile

lint: setup-dev
	@.venv/bin/ruff check .
	@.venv/bin/ruff format --check .
	@.venv/bin/mypy
	@.venv/bin/lint-imports

# 1 000 games of random players for each number of seats, every move checked. Takes about two hours on two cores.
JOBS ?= 2
check: setup-dev
	@for players in 3 4 5; do $(VALTAVOLA) simulate valdora --players $$players --games 1000 --check --jobs $(JOBS) || exit 1; done
	@for players in 2 3 4 5; do $(VALTAVOLA) simulate valda --players $$players --games 1000 --check --jobs $(JOBS) || exit 1; done

# 200 rooms at once to the end of every game while the server is killed 20 times, on both databases. Takes 10 to 20 minutes.
soak: setup-dev
	@.venv/bin/python -m tests.load.soak

bench: setup-dev
	@.venv/bin/python -m bench.engine
	@.venv/bin/python -m bench.moves
	@.venv/bin/python -m bench.fanout

# Scores of the start page and of a table, on a phone and on a desk; fails under 95. Takes 3 minutes.
lighthouse: setup-dev
	@.venv/bin/python -m tools.lighthouse

# The pictures of docs/pictures, made anew.
screenshots: setup-dev
	@.venv/bin/python -m tools.screenshots
