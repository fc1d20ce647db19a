# Two commands are enough: `make play` and `make test`.
PYTHON ?= python3
VENV := .venv
BIN := $(VENV)/bin
READY := $(VENV)/.ready
BENCH_READY := $(VENV)/.bench-ready
GAME ?= lariat-small
BOT ?= 3

.PHONY: play test check postgres audit serve slow bench docs ladder clean

$(READY): pyproject.toml constraints.txt
	$(PYTHON) -m venv $(VENV)
	$(BIN)/pip install --quiet --disable-pip-version-check -c constraints.txt -e '.[test]'
	touch $@

$(BENCH_READY): $(READY)
	$(BIN)/pip install --quiet --disable-pip-version-check -c constraints.txt -e '.[bench]'
	touch $@

play: $(READY)  ## open a game on the full screen: make play GAME=tether-5 BOT=1
	$(BIN)/ropewalk play $(GAME) --bot $(BOT)

check: $(READY)  ## style and types
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(BIN)/mypy

test: check postgres  ## everything CI checks
	$(BIN)/pytest -n 2

postgres:  ## the tests start a PostgreSQL of their own; this installs its programs where Debian has them
	@ls /usr/lib/postgresql/*/bin/initdb >/dev/null 2>&1 || command -v initdb >/dev/null || { \
	  echo "installing PostgreSQL for the tests"; \
	  apt-get install -y -qq postgresql-common >/dev/null && \
	  { [ -f /etc/postgresql-common/createcluster.conf ] && sed -i 's/^#\?create_main_cluster.*/create_main_cluster = false/' /etc/postgresql-common/createcluster.conf; \
	    apt-get install -y -qq postgresql >/dev/null; }; }

audit: $(READY)  ## known weaknesses of what we depend on; asks PyPI, so it needs the network
	$(BIN)/pip install --quiet --disable-pip-version-check pip-audit
	$(BIN)/pip-audit --skip-editable --progress-spinner off

serve: $(READY)  ## a server on this machine
	$(BIN)/ropewalk serve

slow: $(READY)  ## the long comparisons and claims; hours on a small machine
	$(BIN)/pytest -m slow -s

bench: $(BENCH_READY)  ## speed, beside OpenSpiel in the same run
	$(BIN)/python benchmarks/playouts.py
	$(BIN)/python benchmarks/search.py
	$(BIN)/python benchmarks/startup.py
	$(BIN)/python benchmarks/server.py

docs: $(READY)  ## draw the positions of the rules pages anew
	$(BIN)/python docs/draw.py
	$(BIN)/python docs/picture.py

ladder: $(READY)  ## the levels against each other, for hours; goes on where it was
	$(BIN)/python docs/ladder.py

clean:
	rm -rf $(VENV) .mypy_cache .pytest_cache .ruff_cache .hypothesis dist
