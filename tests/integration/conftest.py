"""conftest.py - the fixture of the integration tests; what it does is in helpers.py."""
import signal

import helpers
import pytest

helpers.become_subreaper()


def hung(signum, frame):
    pytest.fail("hung: no test takes this long")


@pytest.fixture
def box():
    signal.signal(signal.SIGALRM, hung)
    signal.alarm(120)
    b = helpers.Box()
    yield b
    signal.alarm(30)
    try:
        b.close()
    finally:
        signal.alarm(0)


@pytest.fixture
def no_kill_switches(box):
    """For files of tests of the fence: pytestmark = pytest.mark.usefixtures("no_kill_switches")"""
    box.without_kill_switches()
