"""Undo: checkpoints of a context, and going back to them (docs/sessions.md)."""
import threading

import helpers
import load
import pytest
from service import Service, error_of
from test_contexts import Context
from test_sessions import Session


class Undoable(Context):
    def checkpoint(self):
        answer = self.ask("/checkpoints")
        assert answer.status_code == 201, answer.text
        return answer.json()

    def undo(self, made=None):
        answer = self.ask("/undo", **({"json": {"checkpoint_id": made["checkpoint_id"]}} if made else {}))
        assert answer.status_code == 200, answer.text
        return answer.json()


def end_in_peace(session):
    """The session's own record blames it for nothing."""
    session.ask("DELETE")
    session.ended("deleted")
    record = session.service.request("GET", "/executions/" + session.id, key=session.key).json()
    assert record["result"]["violations"] == [], record


@pytest.fixture(scope="module")
def service():
    with Service({**load.UNLIMITED}) as s:
        yield s


@pytest.fixture(scope="module")
def session(service):
    return Session(service, ttl=3600)


@pytest.fixture
def context(session):
    made = Undoable(session)
    yield made
    made.ask("", "DELETE")


def test_variables_and_files_are_what_they_were(context):
    context.run("import os, random\nx = [1]\nrandom.seed(7)\nos.makedirs('d', exist_ok=True)\n"
                "f = open('d/log', 'w+')\nn = f.write('begin')\nf.flush()\nos.chmod('d/log', 0o640)\n"
                "open('gone', 'w').write('here')")
    first = context.checkpoint()
    assert first["kept"] == 1 and first["dropped"] == [] and first["workspace"]["entries"] == 3, first
    drawn = context.value("random.random()")
    context.run("x.append(2)\ny = 1\nf.write(' and end')\nf.flush()\nos.chmod('d/log', 0o600)\nos.remove('gone')\n"
                "open('new', 'w').write('new')\nos.mkdir('e')\nos.chdir('d')")
    second = context.checkpoint()
    context.run("import shutil\nshutil.rmtree('/workspace/d')")
    back = context.undo()
    assert back["checkpoint_id"] == second["checkpoint_id"], back
    assert context.value("os.getcwd(), os.listdir(), open('log').read(), x") == \
        "('/workspace/d', ['log'], 'begin and end', [1, 2])"
    back = context.undo(first)
    assert (back["dropped"], back["kept"]) == ([second["checkpoint_id"]], 1), back
    assert context.value("x, 'y' in globals(), sorted(os.listdir()), oct(os.stat('d/log').st_mode), os.getcwd()") == \
        "([1], False, ['d', 'gone'], '0o100640', '/workspace')"
    assert context.value("n = f.write('!')\nf.flush()\nopen('d/log').read(), open('gone').read()") == \
        "('begin!', 'here')"
    assert context.value("random.random()") == drawn
    context.undo(first)  # it stays
    assert context.value("open('d/log').read(), random.random() == " + drawn) == "('begin', True)"
    error_of(context.ask("/undo", json={"checkpoint_id": second["checkpoint_id"]}), 404, "not_found")


def test_what_is_written_through_a_mapping_comes_back_and_so_do_links_and_names(context):
    context.run("import mmap, os\nopen('m', 'wb').write(b'a' * 5000)\nf = open('m', 'r+b')\n"
                "m = mmap.mmap(f.fileno(), 0)\n"
                "os.link('m', 'hard')\nos.symlink('m', 'soft')\nodd = os.fsencode('od') + bytes([255])\n"
                "open(odd, 'w').write('odd')\nopen('sparse', 'w').truncate(700 << 20)\nos.makedirs('closed/inner')\n"
                "os.chmod('closed', 0o500)")
    made = context.checkpoint()
    assert made["workspace"]["copied_bytes"] < 100000, made  # nothing of what is sparse
    context.run("m[100:103] = b'new'\nos.remove('soft')\nos.symlink('hard', 'soft')\nos.remove(odd)\n"
                "os.truncate('sparse', 10)")
    assert context.checkpoint()["workspace"]["copied_bytes"] >= 5000  # its times tell nothing of it
    context.run("os.chmod('closed', 0)")
    assert "closed" in error_of(context.ask("/checkpoints"), 403, "forbidden")["message"]
    context.undo(made)
    assert context.value("m[100:103], open('hard', 'rb').read() == b'a' * 5000, os.stat('m').st_nlink, "
                         "os.readlink('soft'), open(odd).read(), os.path.getsize('sparse'), "
                         "oct(os.stat('closed').st_mode)") \
        == "(b'aaa', True, 2, 'm', 'odd', 734003200, '0o40500')"
    context.run("import shutil\nos.chmod('closed', 0o700)\nshutil.rmtree('closed')\nos.remove('sparse')")


def test_threads_and_cells_under_way_refuse_it_and_nothing_is_left(context):
    context.run("import threading\nstop = threading.Event()\nt = threading.Thread(target=stop.wait, name='waits')\n"
                "t.start()")
    said = error_of(context.ask("/checkpoints"), 409, "conflict")
    assert "waits" in said["message"], said
    error_of(context.ask("/undo"), 404, "not_found")
    context.run("stop.set()\nt.join()")
    context.checkpoint()
    name = context.id + ".runs"
    thread = threading.Thread(target=context.run, args=("open('/workspace/%s', 'w').close()\nwhile True: pass" % name,))
    thread.start()
    assert not helpers.poll(lambda: context.session.ask("GET", "/files/%s?stat" % name).status_code != 200, 60)
    error_of(context.ask("/undo"), 409, "conflict")
    error_of(context.ask("/checkpoints"), 409, "conflict")
    assert context.ask("/interrupt").status_code == 202
    thread.join()
    context.undo()
    assert context.value("t.is_alive()") == "False"


def test_processes_of_a_cell_and_what_it_waits_for_are_its_own(context):
    """An honest program with children of its own does not meet the twins."""
    context.run("import os, subprocess")
    context.checkpoint()
    assert context.run("os.wait()")["exception"]["name"] == "ChildProcessError"
    assert context.value("subprocess.run(['echo', 'x'], capture_output=True).stdout") == "b'x\\n'"
    assert context.value("from multiprocessing import Pool\nwith Pool(4) as p: r = p.map(abs, [-1, -2])\nr") == "[1, 2]"
    context.undo()
    assert context.run("os.wait()")["exception"]["name"] == "ChildProcessError"


def test_a_hundred_are_kept_and_the_oldest_goes_first(service):
    session = Session(service, ttl=3600)
    limits = session.made["isolation"]["limits"]
    assert (limits["pids"], limits["max_processes"]) == (50, 50), limits
    assert (limits["open_files"], limits["file_size_bytes"]) == (1024, 1 << 30) and limits["timeout_ms"], limits
    context = Undoable(session)
    context.run("x = 0")
    first = context.checkpoint()
    if session.made["isolation"]["cgroup"] == "none":  # what is measured counts for each: some dozens, then the oldest
        while not (last := context.checkpoint())["dropped"]:
            assert last["kept"] < 100, last
        assert last["dropped"] == [first["checkpoint_id"]] and 10 < last["kept"], last
        assert context.undo()["kept"] == last["kept"] and context.value("x") == "0"
        end_in_peace(session)
        return
    for i in range(1, 100):
        context.run("x = %d" % i)
        last = context.checkpoint()
    assert last["kept"] == 100 and last["dropped"] == [], last
    context.run("x = 100")
    last = context.checkpoint()
    assert (last["kept"], last["dropped"]) == (100, [first["checkpoint_id"]]), last
    error_of(context.ask("/undo", json={"checkpoint_id": first["checkpoint_id"]}), 404, "not_found")
    other = Undoable(session)
    error_of(other.ask("/checkpoints"), 429, "rate_limited")
    second = {"checkpoint_id": "cp-2"}
    assert len(context.undo(second)["dropped"]) == 99
    assert context.value("x") == "1"
    assert other.checkpoint()["kept"] == 1
    assert session.ask("GET").json()["state"] == "running"
    assert session.run("echo on")["violations"] == []
    end_in_peace(session)


def test_a_kernel_that_ends_takes_its_checkpoints_along(service):
    session = Session(service, ttl=3600)
    context = Undoable(session)
    context.run("import os\nx = 1")
    made = context.checkpoint()
    context.run("os._exit(3)")
    assert not helpers.poll(lambda: context.answer("1").status_code != 409, 60)
    error_of(context.ask("/undo"), 409, "conflict")
    assert context.ask("/restart").status_code == 200
    error_of(context.ask("/undo"), 404, "not_found")
    assert context.run("x")["exception"]["name"] == "NameError"
    other = context.checkpoint()
    assert other["checkpoint_id"] != made["checkpoint_id"] and other["kept"] == 1
    find = "[p for p in os.listdir('/proc') if p.isdigit() and open('/proc/%s/cmdline' % p).read() == " \
           "open('/proc/self/cmdline').read() and int(p) != os.getpid()]"
    context.run("import os, signal\nfor p in " + find + ": os.kill(int(p), 9)")
    said = error_of(context.ask("/undo"), 404, "not_found")
    assert "has ended" in said["message"], said
    assert context.run("x = 2")["reason"] == "completed"
    assert context.checkpoint()["kept"] == 1  # what had ended is forgotten
    session.ask("DELETE")


def test_what_commands_have_done_is_taken_back_without_a_context(service):
    session = Session(service, ttl=3600)
    kept = lambda: session.ask("POST", "/checkpoints")
    error_of(session.ask("POST", "/undo"), 404, "not_found")
    session.run("echo one > f; mkdir d")
    first = kept().json()
    assert "context_id" not in first and (first["kept"], first["workspace"]["entries"]) == (1, 2), first
    session.run("echo two > f; rmdir d")
    second = kept()
    assert second.status_code == 201 and second.json()["workspace"]["copied_bytes"] == 4, second.text
    context = Undoable(session)  # whose checkpoints are others
    context.run("x = 1")
    own = context.checkpoint()
    session.run("rm f; echo new > g")
    assert session.ask("POST", "/undo").json()["checkpoint_id"] == second.json()["checkpoint_id"]
    assert session.run("cat f; ls")["stdout"] == "two\nf\n"
    back = session.ask("POST", "/undo", json={"checkpoint_id": first["checkpoint_id"]}).json()
    assert (back["dropped"], back["kept"]) == ([second.json()["checkpoint_id"]], 1), back
    assert session.run("cat f; ls")["stdout"] == "one\nd\nf\n"
    error_of(session.ask("POST", "/undo", json={"checkpoint_id": own["checkpoint_id"]}), 404, "not_found")
    context.undo(own)
    assert context.value("x, open('f').read()") == "(1, 'two\\n')"
    session.ask("POST", "/pause")
    error_of(kept(), 409, "conflict")
    session.ask("DELETE")
    high = Session(service, ttl=3600, risk_level="high", agent_id="careful")
    assert error_of(high.ask("POST", "/checkpoints"), 422, "invalid_value")["details"]["rule"] == "unsupported"
    high.ask("DELETE")


AS_MANY_AS_THERE_MAY_BE = """
import os, signal
n = 1
try:
    while n < 400:
        if not os.fork():
            signal.pause()
        n += 1
except OSError:
    pass
print(n)
"""


def test_a_job_cannot_have_the_places_of_reapers_workers_and_checkpoints(service):
    session = Session(service, ttl=3600)
    shown = session.made["isolation"]

    def most():
        return int(session.run(language="python", code=AS_MANY_AS_THERE_MAY_BE)["stdout"])
    if shown["cgroup"] == "none":
        assert any(line.startswith("pids: without a cgroup") for line in shown["missing"]), shown
        session.ask("DELETE")
        return
    assert most() == shown["limits"]["pids"] == 50
    session.run("true")
    assert most() == 50  # also where the job gets what waited for it
    session.ask("PUT", "/files/f", data=b"x")
    context = Undoable(session)
    context.run("x = 1")
    for _ in range(10):
        context.checkpoint()
    assert 49 <= most() <= 51  # beside the kernel: the places of an undo, and of the process that forks twins
    context.undo()
    assert context.value("x") == "1"
    context.ask("", "DELETE")
    assert not helpers.poll(lambda: most() != 50, 20)
    session.ask("DELETE")


def test_who_has_none_says_so(service):
    session = Session(service, ttl=3600)
    said = error_of(Undoable(session, "bash").ask("/checkpoints"), 422, "invalid_value")
    assert said["details"]["rule"] == "unsupported", said
    high = Session(service, ttl=3600, risk_level="high", agent_id="careful")
    context = Undoable(high)
    assert error_of(context.ask("/checkpoints"), 422, "invalid_value")["details"]["rule"] == "unsupported"
    assert context.value("1") == "1"
    error_of(context.ask("/undo", json={"checkpoint_id": "x"}), 422, "invalid_value")
    session.ask("DELETE")
    high.ask("DELETE")


def test_memory_is_shared_and_the_oldest_goes_when_there_is_none(service):
    """Each checkpoint holds 60 MiB of its own: not all of eight fit into 512."""
    session = Session(service, ttl=3600)
    context = Undoable(session)
    dropped = []
    for i in range(8):
        context.run("x = bytes([%d]) * (60 << 20)" % i)
        dropped += context.checkpoint()["dropped"]
    assert dropped[:1] == ["cp-1"], dropped
    context.undo()
    assert context.value("x[0], len(x)") == "(7, %d)" % (60 << 20)
    end_in_peace(session)
