"""Profiles, seeds, and what may not be skipped."""

import os
import shutil
from collections.abc import Iterator

import pytest
from hypothesis import HealthCheck, settings

from conformance.implementations import NODE

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


@pytest.hookimpl(wrapper=True)
def pytest_runtest_makereport(
    item: pytest.Item,
    call: pytest.CallInfo[None],
) -> Iterator[None]:
    """Turn a skip into a failure where everything is installed."""
    del item, call
    report = yield
    if CI and isinstance(report, pytest.TestReport) and report.skipped and not hasattr(report, "wasxfail"):
        report.outcome = "failed"
        report.longrepr = f"skipped where nothing may skip: {report.longrepr}"
    return report
