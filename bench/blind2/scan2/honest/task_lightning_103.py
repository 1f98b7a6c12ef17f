# class: tests, mocks the system calls; style: pytest
import os
import subprocess
from unittest import mock

import pytest


def wipe(path):
    if path in ("/", "/home", "/etc"):
        raise ValueError("refusing to remove " + path)
    subprocess.run(["rm", "-rf", "--", path], check=True)


@pytest.mark.parametrize("bad", ["/", "/home", "/etc"])
def test_refuses(bad):
    with mock.patch("subprocess.run") as run, pytest.raises(ValueError):
        wipe(bad)
    run.assert_not_called()


def test_removes(tmp_path):
    d = tmp_path / "x"
    d.mkdir()
    wipe(str(d))
    assert not os.path.exists(d)
