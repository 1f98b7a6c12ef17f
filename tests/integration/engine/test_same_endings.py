"""An ending is told in the same words by both backends: reason, exit code, signal."""
import pytest

from engine.backend import Cell

FREE = {"languages.python.blocked_modules": [], "languages.python.allowed_modules": "all",
        "languages.python.restricted": False}
OWN = "import os\nos.kill(os.getpid(), %d)\n"
WORDS = ("reason", "exit_code", "signal", "stdout")


@pytest.fixture
def told(box, engine):
    """-> function of code: what each backend says of it"""
    cell = Cell(box, engine)

    def both(code, level="medium", language="python", **more):
        profile = box.derive(level, FREE, **more)
        results = [cell.json(language, code, profile=profile, options=["--backend", backend])
                   for backend in ("native", "docker")]
        assert [r["backend"] for r in results] == ["native", "docker"]
        return [{word: r[word] for word in WORDS} for r in results]
    return both


@pytest.mark.parametrize("number", [6, 9, 11, 15, 31])
def test_a_program_that_ends_by_a_signal(told, number):
    native, container = told(OWN % number)
    assert native == container and native["reason"] == "signal" and native["signal"] == number, (native, container)


@pytest.mark.parametrize("code, more", [
    ("import time\ntime.sleep(600)\n", {"resources__timeout": 2}),
    ("import signal, time\nsignal.signal(15, signal.SIG_IGN)\ntime.sleep(600)\n", {"resources__timeout": 2}),
    ("import signal, sys, time\nsignal.signal(15, lambda *_: sys.exit(7))\ntime.sleep(600)\n",
     {"resources__timeout": 4}),
    ("x = []\nwhile True: x.append(bytearray(1 << 20))\n", {"resources__memory": "64m", "resources__timeout": 90}),
], ids=["deadline", "stubborn", "polite", "memory"])
def test_a_program_that_is_ended(told, code, more):
    native, container = told(code, **more)
    assert native == container, (native, container)



def test_a_directory_to_start_in(box, engine):
    cell = Cell(box, engine)
    place = box.directory("data", 0o777)
    volume = ["--volume", "%s:/data/deep:ro" % place]
    profile = box.derive("medium", FREE, filesystem__allowed_mounts=[str(place)])
    for backend in ("native", "docker"):
        def start(directory, *more, backend=backend):
            return cell.run("python", "import os\nprint(os.getcwd())\n", profile=profile,
                            options=["--backend", backend, "--workdir", directory, *more])
        for directory in ("/data/deep", "/tmp", "/"):
            done = start(directory, *volume)
            assert (done.code, done.text) == (0, directory + "\n"), (backend, done)
        start("/nowhere").refused(2, "change to directory /nowhere", "No such file")
        start("data/deep").refused(2, "--workdir", "absolute")
        start("/data/../tmp").refused(2, "--workdir", "absolute")
