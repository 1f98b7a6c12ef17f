import json
import os
import stat

import pytest


def save_token(path, token):
    fd = os.open(path, os.O_WRONLY | os.O_CREAT | os.O_TRUNC, 0o600)
    with os.fdopen(fd, "w") as f:
        json.dump({"token": token}, f)


def load_token(path):
    if os.stat(path).st_mode & (stat.S_IRWXG | stat.S_IRWXO):
        raise PermissionError(f"{path} is readable by others")
    with open(path) as f:
        return json.load(f)["token"]


@pytest.fixture
def cred(tmp_path, monkeypatch):
    monkeypatch.setenv("HOME", str(tmp_path))
    p = tmp_path / ".aws" / "credentials.json"
    p.parent.mkdir()
    return p


def test_round_trip(cred):
    save_token(cred, "AKIAIOSFODNN7EXAMPLE")
    assert load_token(cred).startswith("AKIA")


def test_mode(cred):
    save_token(cred, "x")
    assert stat.S_IMODE(cred.stat().st_mode) == 0o600


@pytest.mark.parametrize("mode", [0o644, 0o640, 0o666])
def test_refuses_open_modes(cred, mode):
    save_token(cred, "x")
    cred.chmod(mode)
    with pytest.raises(PermissionError):
        load_token(cred)
