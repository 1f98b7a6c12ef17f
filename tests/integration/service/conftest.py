"""conftest.py - fixtures of the tests of sandboxd; what they do is in service.py."""
import os
import signal
import threading

import pytest
import service as service_module


def hung(signum, frame):
    pytest.fail("hung: no test takes this long")


@pytest.fixture(autouse=True)
def watchdog():
    """Nothing hangs: not the service, and not its test."""
    is_main = threading.current_thread() is threading.main_thread()
    if is_main:
        signal.signal(signal.SIGALRM, hung)
        signal.alarm(180 if os.environ.get("SANDBOX_TEST_PROOF") != "all" else 3600)
    yield
    if is_main:
        signal.alarm(0)


@pytest.fixture(scope="module")
def service():
    """One sandboxd for all tests of a file, with the shipped configuration but no rate limits."""
    with service_module.Service({"rate_limiting": {"enabled": False}}) as s:
        yield s


@pytest.fixture
def make_service():
    """make_service(config, options=…): as many as a test wants, ended after it."""
    made = []

    def make(*words, **more):
        s = service_module.Service(*words, **more)
        made.append(s)
        return s
    yield make
    for s in made:
        s.close()
