"""conftest.py - engines for tests. tests/run.py starts one of each kind for all workers and says where in the
environment (SANDBOX_TEST_DOCKER, SANDBOX_TEST_PODMAN, SANDBOX_TEST_PODMAN_RUNSC); without it each worker starts its
own."""
import os
import signal
import threading

import helpers
import pytest

from engine import engines

KINDS = {kind.name: kind for kind in (engines.Docker, engines.Podman, engines.PodmanRunsc)}


@pytest.fixture
def box(box):
    """With more time before it is called hung: an engine starts within seconds, and on a busy machine within a
    minute."""
    if threading.current_thread() is threading.main_thread():
        signal.alarm(400)
    return box


def needs(kind):
    reason = kind.reason_against()
    if reason:
        helpers.skip(reason)


def started(kind):
    needs(kind)
    engine = kind().start()
    helpers.residents.add(engine.place.pid)  # no leftover of the test that happens to run
    return engine


def stopped(engine):
    place = engine.place.pid if engine.place else None
    engine.stop()
    helpers.residents.discard(place)


def shared(name):
    socket = os.environ.get(engines.variable(name))
    if socket:
        yield engines.attached(name, socket)
        return
    engine = started(KINDS[name])
    yield engine
    stopped(engine)


@pytest.fixture(scope="session")
def docker():
    yield from shared("docker")


@pytest.fixture(scope="session")
def podman():
    yield from shared("podman")


@pytest.fixture(scope="session")
def podman_runsc():
    yield from shared("podman-runsc")


@pytest.fixture(params=["docker", "podman"])
def engine(request):
    """Either kind, one after the other: shared, so neither stop it nor count what is in it."""
    return request.getfixturevalue(request.param)


@pytest.fixture
def private_engine():
    """-> function of a class of engines.py: one that the test may kill, restart and stop"""
    mine = []

    def start(kind):
        mine.append(started(kind))
        return mine[-1]
    yield start
    for engine in mine:
        stopped(engine)
