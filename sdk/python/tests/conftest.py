"""Fixtures of the client's tests. They take nothing from the caller's environment but PATH."""
import os
import pathlib
import sys

import pytest

SDK = pathlib.Path(__file__).resolve().parents[1]
sys.path.insert(0, str(SDK))

import sdk_support  # noqa: E402


@pytest.fixture(autouse=True)
def clean(monkeypatch, tmp_path):
    """No key, URL or configuration of this machine's; a configuration of the test's own for the program."""
    for name in list(os.environ):
        if name.startswith("SANDBOX_AGENT_"):
            monkeypatch.delenv(name)
    monkeypatch.setenv("XDG_CONFIG_HOME", str(tmp_path / "xdg"))
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "xdg-cache"))
    monkeypatch.setenv("XDG_STATE_HOME", str(tmp_path / "xdg-state"))


@pytest.fixture
def place():
    p = sdk_support.Place()
    yield p
    p.close()


@pytest.fixture
def program(place, monkeypatch):
    """The command line, with state, audit and logs of the test's own."""
    monkeypatch.setenv("SANDBOX_AGENT_BIN", str(sdk_support.need_program()))
    monkeypatch.setenv("SANDBOX_AGENT_CONFIG", str(place.config))
    return place


@pytest.fixture
def fake():
    started = []

    def start(*answers):
        started.append(sdk_support.Fake(answers))
        return started[-1]

    yield start
    for server in started:
        server.close()


@pytest.fixture
def unused_port():
    with sdk_support.unused_port() as port:
        yield port


@pytest.fixture(scope="session")
def shared_service():
    """sandboxd on a free port, once for all tests."""
    s = sdk_support.Service()
    yield s
    s.close()


@pytest.fixture
def service(shared_service):
    """With a key for this test alone: trust, quarantine and bans of a key's agents stay with the key."""
    shared_service.key = shared_service.new_key()
    return shared_service
