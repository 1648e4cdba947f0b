"""Profiles, seeds, and what may not be skipped."""

import os
import shutil
from collections.abc import Generator, Iterator

import pytest
from hypothesis import HealthCheck, settings

from conformance.implementations import NODE, go, go_toolchain
from conformance.transport import Adapter
from tests.stored_oracle import Oracle

settings.register_profile("dev", max_examples=50, deadline=None)
settings.register_profile(
    "ci",
    max_examples=200,
    deadline=None,
    derandomize=True,
    suppress_health_check=(HealthCheck.too_slow,),
)
CI = bool(os.environ.get("DSH_SPEC_CI"))
settings.load_profile("ci" if CI else "dev")


@pytest.fixture(scope="session")
def dsh_command() -> tuple[str, ...]:
    """The command of the real DSH's adapter; a test that wants it skips where it is not there."""
    if not NODE.exists():
        npm = "`make test` installs it" if shutil.which("npm") else "there is no npm to install it"
        pytest.skip(f"the real DSH is not installed: {npm}")
    return (str(NODE), str(NODE.parents[3] / "adapter.js"))


@pytest.fixture(scope="session")
def dsh(dsh_command: tuple[str, ...]) -> Iterator[Adapter]:
    """The real DSH, started once."""
    with Adapter(dsh_command) as adapter:
        yield adapter


@pytest.fixture(scope="module")
def oracle() -> Iterator[Oracle]:
    """What the real DSH does with stored logs, started once for a file of tests."""
    if not NODE.exists():
        pytest.skip("the real DSH is not installed: `make test` installs it")
    with Oracle() as started:
        yield started


@pytest.fixture(scope="session")
def go_command() -> tuple[str, ...]:
    """The command of the port to Go; a test that wants it skips where nothing can build it."""
    if go_toolchain() is None:
        pytest.skip("there is no Go; `make test` installs it")
    return go(lambda _words: None)


@pytest.hookimpl(wrapper=True)
def pytest_runtest_makereport() -> Generator[None, pytest.TestReport, pytest.TestReport]:
    """Turn a skip into a failure where everything is installed."""
    report = yield
    if CI and report.skipped and not hasattr(report, "wasxfail"):
        report.outcome = "failed"
        report.longrepr = f"skipped where nothing may skip: {report.longrepr}"
    return report
