"""`sandbox-agent batch`: a line of JSON for each program, without a service; the words are docs/batch.md's."""
import json
import subprocess

import helpers


def batch(box, *lines, words=(), **more):
    text = "".join(line if isinstance(line, str) else json.dumps(line) + "\n" for line in lines)
    done = box.agent("batch", box.file("lines.ndjson", text), *words, **more)
    answers = [json.loads(line) for line in done.out.splitlines()]
    assert len({a["line"] for a in answers}) == len(answers), "a line was answered twice"
    return done, {a["line"]: a for a in answers}


def bash(code, **more):
    return {"language": "bash", "code": code, "risk_level": "low", **more}


def test_each_line_has_one_answer_and_the_fault_is_told(box):
    given = [{"path": "given", "content": "g\n"}]
    wanted = {
        1: (bash("echo $1-$X; cat; cat given", args=["a b"], env={"X": "y"}, stdin="in ", files=given),
            "none", "completed"),
        2: (bash("exit 3"), "program", "error"),
        3: (bash("sleep 60", limits={"timeout": 1}), "limit", "timeout"),
        5: ("{\"language\": \"bash\"\n", "program", None),
        6: (bash("true", colour="red"), "program", None),
        7: (bash("true", risk_level="lower"), "program", "sandbox_error"),
        8: ({"language": "go", "code": "package main", "risk_level": "high"}, "policy", "policy_denied"),
    }
    done, answers = batch(box, *(wanted[n][0] for n in (1, 2, 3)), "\n", *(wanted[n][0] for n in (5, 6, 7, 8)))
    found = {n: (a["fault"], a.get("reason")) for n, a in answers.items()}
    assert found == {n: w[1:] for n, w in wanted.items()}, answers
    assert done.code == 1 and answers[1]["stdout"] == "a b-y\nin g\n"
    assert "colour" in answers[6]["error"]["message"]


def test_many_lines_with_few_places(box):
    done, answers = batch(box, *(bash("echo %d" % n) for n in range(1, 30)), words=["--jobs", "3"])
    assert done.code == 0 and {n: a["stdout"] for n, a in answers.items()} == {n: "%d\n" % n for n in range(1, 30)}


def test_an_answer_comes_while_the_input_is_open(box):
    """A producer may want it before it sends the next line. The last line needs no newline."""
    live = box.start("batch", "-", "--jobs", "4", stdin=subprocess.PIPE)
    to, of = live.process.stdin, live.process.stdout
    for n, end in ((1, b"\n"), (2, b"\n\n"), (4, b"")):
        to.write(json.dumps(bash("echo %d" % n)).encode() + end)
        to.flush()
        if not end:
            to.close()
        answer = json.loads(of.readline())
        assert (answer["line"], answer["stdout"]) == (n, "%d\n" % n)
    assert of.read() == b"" and live.process.wait(60) == 0


def test_code_longer_than_a_word_may_be(box):
    _, answers = batch(box, {"language": "python", "code": "x = '%s'\nprint(len(x))" % ("y" * 300000)})
    assert answers[1]["stdout"] == "300000\n", answers[1]


def test_a_limit_makes_it_wait_and_an_interrupt_ends_it(box):
    box.user_config({"rate_limiting": {"per_agent": {"medium_risk": {"max_executions_per_hour": 1}}}})
    lines = [{"language": "python", "code": "print(%d)" % n, "agent_id": "busy"} for n in (1, 2)]
    text = "".join(json.dumps(line) + "\n" for line in lines)
    live = box.start("batch", box.file("lines.ndjson", text), "--jobs", "1")
    assert json.loads(live.process.stdout.readline())["stdout"] == "1\n"
    search = ("audit", "search", "--agent", "busy", "--json")
    assert not helpers.poll(lambda: b"execution-refused" not in box.agent(*search).out, 60)
    assert live.process.poll() is None
    live.process.terminate()
    assert live.process.wait(60) == -15 and live.process.stdout.read() == b""


def test_what_is_no_file_and_no_option_is_told(box):
    assert box.agent("batch", box.dir / "missing").code == 2
    assert box.agent("batch").code == 2
    assert box.agent("batch", "--jobs", "0", box.dir).code == 2
