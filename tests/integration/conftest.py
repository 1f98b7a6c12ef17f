"""conftest.py - the fixtures of the integration tests; what they do is in helpers.py and net/."""
import signal

import helpers
import net
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


def pytest_sessionfinish():
    net.close_all()
