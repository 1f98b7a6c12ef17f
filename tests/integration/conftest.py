"""conftest.py - the fixtures of the integration tests; what they do is in helpers.py and net/."""
import signal
import threading

import helpers
import net
import pytest

helpers.become_subreaper()
# what a shell's job in the background inherits as ignored: a shell that we start could not be ended by it
for number in (signal.SIGINT, signal.SIGQUIT):
    if threading.current_thread() is threading.main_thread() and signal.getsignal(number) == signal.SIG_IGN:
        signal.signal(number, signal.default_int_handler if number == signal.SIGINT else signal.SIG_DFL)


def hung(signum, frame):
    pytest.fail("hung: no test takes this long")


def alarm(seconds):
    """Under load xdist may start a worker's tests beside its main thread (execnet), where no handler can be set: then
    without."""
    if threading.current_thread() is threading.main_thread():
        signal.signal(signal.SIGALRM, hung)
        signal.alarm(seconds)


@pytest.fixture
def box():
    alarm(240)
    b = helpers.Box()
    yield b
    alarm(90)
    try:
        b.close()
    finally:
        alarm(0)


@pytest.fixture
def online(box):
    """The box amid public, private and other addresses, in a network namespace of its own."""
    return net.Online(box, "namespace")


@pytest.fixture
def on_loopback(box):
    """The box on this machine, whose loopback has servers."""
    return net.Online(box, "loopback")


def pytest_sessionfinish():
    net.close_all()


@pytest.fixture
def no_kill_switches(box):
    """For files of tests of the fence: pytestmark = pytest.mark.usefixtures("no_kill_switches")"""
    box.without_kill_switches()
