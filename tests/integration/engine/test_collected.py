"""What a program leaves in the /workspace of a container is kept as natively (test_workspace.py, which runs with an
engine below it, too); and what only engines can do wrong."""
import time

from helpers import MIB, Left, exit_code

from engine.backend import Cell, within
from engine.liar import Liar


def test_files_are_listed_and_shown_and_no_link_is_followed(box, engine):
    cell = Cell(box, engine)
    r = cell.json("bash", "cd /workspace; echo 'the answer' >result; ln -s /etc/passwd link; exit 3\n", level="low")
    assert exit_code(r) == 3 and not any(m.startswith("artifacts") for m in r["isolation"]["missing"]), r
    listed = box.agent("artifacts", "list").text
    assert r["execution_id"] in listed, listed
    shown = box.agent("artifacts", "show", r["execution_id"]).text
    assert "result" in shown and "1 link or special file" in shown and "passwd" not in shown, shown
    assert box.agent("artifacts", "show", r["execution_id"], "result").text == "the answer\n"
    assert not cell.left(r)


def test_an_engine_that_hangs_while_files_come_costs_the_files_and_nothing_else(box, docker):
    """How the run ended was told before them."""
    cell = Cell(box, docker)
    with Liar(docker, attach_max=2 * MIB) as liar:
        cell.configure(socket=liar.socket)
        start = time.monotonic()
        with within(60):
            r = cell.json("bash", "echo out; head -c 6000000 /dev/urandom >/workspace/large\n", level="low")
        took = time.monotonic() - start
    left = Left(box, r)
    assert (r["reason"], r["stdout"], left.files) == ("completed", "out\n", {}), r
    assert [e["left_out"] for e in left.out.values()] == ["the container was not done with handing them out in time"]
    assert r["duration_ms"] + 1900 < took * 1000 and not cell.left(r), r
