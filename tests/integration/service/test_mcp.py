"""The Model Context Protocol at /mcp: the same keys, refusals and records as by the routes.

Other people's clients: test_mcp_clients.py. `sandbox-agent mcp`: test_mcp_stdio.py.
"""
import base64
import itertools
import json
import socket
import threading

import helpers
import pytest
from service import BASE, OWN, error_of

MODERN = "2026-07-28"
META = {"io.modelcontextprotocol/protocolVersion": MODERN, "io.modelcontextprotocol/clientCapabilities": {}}


def post(s, method, params=None, id=1, headers=(), **more):
    message = {"jsonrpc": "2.0", "method": method, **({} if id is None else {"id": id}),
        **({} if params is None else {"params": params})}
    more.setdefault("key", s.key)
    return s.outside("POST", "/mcp", json=message, headers={"Accept": "application/json, text/event-stream",
        **dict(headers)}, **more)


def result_of(answer):
    message = answer.json()
    assert answer.status_code == 200 and message["jsonrpc"] == "2.0" and "result" in message, answer.text
    return message["result"]


fresh = itertools.count()


def call(s, tool, headers=None, meta=None, key=OWN, **arguments):
    """-> structuredContent of a result, whose text is asserted to be the same; isError comes with it.

    By a new agent, unless headers say otherwise.
    """
    headers = {"Sandbox-Agent-Id": "mcp-%d" % next(fresh)} if headers is None else headers
    params = {"name": tool, "arguments": arguments, **({"_meta": meta} if meta else {})}
    result = result_of(post(s, "tools/call", params, headers=headers, key=s.key if key is OWN else key))
    assert json.loads(result["content"][-1]["text"]) == result["structuredContent"]
    return {**result["structuredContent"], "is_error": result["isError"]}


def begin(s, key=OWN):
    """-> headers of an MCP session"""
    answer = post(s, "initialize", {"protocolVersion": "2025-11-25", "capabilities": {}, "clientInfo": {"name": "test",
        "version": "1"}}, key=s.key if key is OWN else key)
    assert result_of(answer)["protocolVersion"] == "2025-11-25"
    return {"Mcp-Session-Id": answer.headers["Mcp-Session-Id"], "MCP-Protocol-Version": "2025-11-25"}


def running(s, count, **more):
    """Waits until so many executions run. -> them"""
    found = []

    def look():
        found[:] = s.request("GET", "/executions?state=running", **more).json()["executions"]
        return len(found) != count
    assert not helpers.poll(look, 60), found
    return found


# ---- both eras ----

@pytest.mark.parametrize("asked, agreed", [("2025-11-25", "2025-11-25"), ("2025-06-18",
                         "2025-06-18"), ("2024-11-05", "2024-11-05"), ("1999-01-01", "2025-11-25")])
def test_an_older_client_initializes_and_gets_a_version_that_both_know(service, asked, agreed):
    result = result_of(post(service, "initialize", {"protocolVersion": asked, "capabilities": {},
        "clientInfo": {"name": "x", "version": "1"}}, id="a"))
    assert result["protocolVersion"] == agreed and result["capabilities"] == {"tools": {}}
    assert result["serverInfo"]["name"] == "sandbox-agent"


def test_an_mcp_session_lives_from_initialize_to_delete_and_is_its_keys(service):
    session, other = begin(service), service.new_key("run")
    answer = post(service, "notifications/initialized", id=None, headers=session)
    assert (answer.status_code, answer.content) == (202, b"")
    assert result_of(post(service, "ping", headers=session)) == {}
    assert service.outside("GET", "/mcp", key=service.key, headers=session).status_code == 405
    for refused in (
    post(
        service, "ping", headers=session, key=other), post(
            service, "ping", headers={
                "Mcp-Session-Id": "mcp-0"})):
        assert refused.status_code == 404 and refused.json()["error"]["code"] == -32001
    error_of(service.outside("DELETE", "/mcp", key=other, headers=session), 404, "not_found")
    assert service.outside("DELETE", "/mcp", key=service.key, headers=session).status_code == 204
    assert post(service, "ping", headers=session).status_code == 404


def test_a_client_of_today_needs_no_session_and_its_results_say_who_answered(service):
    headers = {"MCP-Protocol-Version": MODERN, "Mcp-Method": "tools/call", "Mcp-Name": "run_code"}
    result = result_of(post(service, "tools/call", {"name": "run_code", "arguments": {"language": "bash",
        "code": "echo 1"}, "_meta": META}, headers=headers))
    assert result["resultType"] == "complete" and result["structuredContent"]["stdout"] == "1\n"
    assert result["_meta"]["io.modelcontextprotocol/serverInfo"]["name"] == "sandbox-agent"


def test_the_list_of_tools_has_schemas_that_are_some_and_results_are_as_they_say(service):
    import jsonschema
    tools = {t["name"]: t for t in result_of(post(service, "tools/list"))["tools"]}
    for tool in tools.values():
        for schema in (tool["inputSchema"], tool["outputSchema"]):
            jsonschema.Draft202012Validator.check_schema(schema)
            assert schema["type"] == "object"
        asked = tool["inputSchema"]
        assert asked["additionalProperties"] is False and set(asked["required"]) <= set(asked["properties"])
    for code in ("echo 1", "exit 3", "kill -9 $$", "curl x"):
        got = call(service, "run_code", language="bash", code=code)
        got.pop("is_error")
        jsonschema.validate(got, tools["run_code"]["outputSchema"])


# ---- what a tool does ----

@pytest.mark.parametrize("language, code",
    [("python",
    "import sys; print(6*7, sys.argv[1], input())"),
    ("bash",
    'read x; echo 42 "$1" "$x"'),
    ("node",
     "process.stdin.on('data', d => console.log(42, process.argv[2], String(d).trim()))")])
def test_code_runs_and_is_on_record_as_by_the_routes(service, language, code):
    helpers.need_language(language)
    got = call(service, "run_code", headers={}, language=language, code=code, args=["a b"], stdin="c\n",
        risk_level="medium")
    assert (got["reason"], got["stdout"], got["exit_code"], got["is_error"]) == ("completed", "42 a b c\n", 0, False)
    record = service.request("GET", "/executions/" + got["execution_id"]).json()
    assert record["result"]["stdout"] == got["stdout"] and record["language"] == language
    assert record["agent_id"].startswith("key:")


@pytest.mark.parametrize("language, code", [
    ("go", 'package main\n\nimport "fmt"\n\nfunc main() { fmt.Println(42) }'),
    ("rust", 'fn main() { println!("{}", 42) }')])
def test_compiled_languages_run(service, language, code):
    helpers.need_language(language)
    assert call(service, "run_code", language=language, code=code, risk_level="medium")["stdout"] == "42\n"


def test_a_program_that_ends_by_itself_is_no_error_of_the_tool_and_one_that_is_cut_off_is(service):
    failed = call(service, "run_command", command="echo out; echo err >&2; exit 7")
    assert (failed["reason"], failed["exit_code"], failed["is_error"]) == ("error", 7, False)
    assert (failed["stdout"], failed["stderr"]) == ("out\n", "err\n")
    late = call(service, "run_command", command="sleep 60", timeout=0.5)
    assert (late["reason"], late["is_error"]) == ("timeout", True)


def test_a_refusal_says_why_and_what_to_do(service):
    got = call(service, "run_code", language="python", code="import socket", risk_level="medium")
    assert got["is_error"] and got["reason"] == got["error"]["code"] == "policy_denied"
    details = got["error"]["details"]
    assert "socket" in got["error"]["message"] and details["remedy"] and details["rule"] == "blocked_modules"


@pytest.mark.parametrize("tool, arguments, needles", [
    ("run_code", {"language": "python"},
     ["code: is missing"]),
    ("run_code", {"language": "cobol", "code": "x"},
     ["language: accepted are python"]),
    ("run_code", {"language": "bash", "code": 1},
     ["code: must be a text"]),
    ("run_code", {"language": "bash", "code": "true", "args": "x"},
     ["args: must be a list"]),
    ("run_code", {"language": "bash", "code": "true", "agent_id": "x"},
     ["agent_id: unknown"]),
    ("run_code", {"language": "bash", "code": "true", "volumes": []},
     ["volumes: unknown"]),
    ("run_code", {"language": "bash", "code": "true", "timeout": -1},
     ["timeout"]),
    ("run_command", {"command": "true", "cwd": "/tmp"},
     ["cwd: is for sessions", "session_start"]),
    ("run_command", {"command": "true", "session_id": "sess-none"},
     ["no session sess-none"]),
    ("run_command", {"comand": "true"},
     ["comand: unknown", "command"]),
    ("run_command", {"command": "true", "params.arguments.cwd": "x"},
     ["\"params.arguments.cwd: unknown"]),
    ("run_command", {"command": "true", "session_id": "x", "risk_level": "low"},
     ["risk_level: is the session's own"]),
    ("run_command", {"command": "true", "session_id": 5},
     ["session_id: must be a text"]),
    ("run_command", {"command": "true", "session_id": "a\x00b"},
     ["session_id: contains a NUL"]),
    ("run_code", {"language": "go", "code": "x", "session_id": "x"},
     ["go and rust are not run in sessions", "leave session_id out"]),
    ("read_file", {"path": "x"},
     ["session_id: is missing", "session_start"]),
    ("read_file", {"path": "x", "session_id": "sess-none"},
     ["no session"]),
    ("write_file", {"path": "x", "session_id": "s"},
     ["content: is missing"]),
    ("write_file", {"path": "x", "session_id": "s", "content": "", "content_base64": ""},
     ["is there beside"]),
    ("write_file", {"path": "x", "session_id": "s", "content_base64": "?"},
     ["no base64"]),
    ("list_files", {"depth": "1", "session_id": "s"},
     ["depth: must be a whole number"]),
    ("session_start", {"ttl": 0},
     ["ttl: expected are 1 to"]),
    ("session_end", {},
     ["session_id: is missing"]),
    ("explain", {"execution_id": "exec-none"},
     ["no execution"]),
])
def test_arguments_that_are_wrong_are_a_result_that_a_model_can_mend(service, tool, arguments, needles):
    got = call(service, tool, **arguments)
    assert got["is_error"] and got["reason"] in ("invalid_value", "not_found", "invalid_request")
    for needle in needles:
        assert needle in json.dumps(got["error"]), got


def test_the_agent_is_the_clients_configuration_not_the_models(service):
    by_header = call(service, "run_command", command="true", headers={"Sandbox-Agent-Id": "by-header"})
    by_meta = call(service, "run_command", command="true", headers={}, meta={"sandbox-agent/agent_id": "by-meta"})
    agents = [service.request("GET", "/executions/" + got["execution_id"]).json()["agent_id"] for got in (by_header,
        by_meta)]
    assert agents == ["by-header", "by-meta"]
    bound = service.new_key("run", agents=["only-one"])
    got = call(service, "run_command", command="true", key=bound, headers={})
    assert service.request("GET", "/executions/" + got["execution_id"]).json()["agent_id"] == "only-one"
    refused = call(service, "run_command", command="true", key=bound, headers={"Sandbox-Agent-Id": "another"})
    assert refused["is_error"] and refused["reason"] == "forbidden"


def test_much_output_is_cut_for_a_model_and_says_so(service):
    got = call(service, "run_code", language="bash", code="head -c 700000 /dev/zero | tr '\\0' x")
    assert got["stdout"] == "x" * 262144 and got["stdout_truncated"] and not got["is_error"]
    assert len(service.request("GET", "/executions/" + got["execution_id"]).json()["result"]["stdout"]) == 700000


# ---- sessions, files ----

PNG = base64.b64decode("iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==")


def test_a_session_keeps_files_between_calls_and_ends(service):
    begun = call(service, "session_start", risk_level="medium", ttl=120, env={"GREETING": "hi"})
    s = {"session_id": begun["session_id"]}
    assert begun["state"] == "running" and begun["risk_level"] == "medium"
    assert call(service, "write_file", path="/workspace/in/run.sh", content="echo $GREETING $1\n", executable=True,
        **s)["size"] == 18
    assert call(service, "run_command", command="./run.sh you | tee out", cwd="/workspace/in",
        **s)["stdout"] == "hi you\n"
    assert call(service, "run_code", language="python", code="print(open('/workspace/in/out').read().upper())",
        **s)["stdout"] == "HI YOU\n\n"
    assert call(service, "read_file", path="in/out", **s)["content"] == "hi you\n"
    assert call(service, "read_file", path="in/out", offset=3, **s)["content"] == "you\n"
    kept = call(service, "checkpoint", **s)
    call(service, "run_command", command="touch /workspace/undone", **s)
    for which in ({"checkpoint_id": kept["checkpoint_id"]}, {}):
        assert call(service, "undo", **which, **s)["kept"] == 1
    listed = call(service, "list_files", depth=2, **s)["entries"]
    assert "undone" not in str(listed), listed
    assert {e["name"] for e in listed} >= {"in", "in/run.sh", "in/out"} or {e["name"] for e in listed} >= {"in",
        "run.sh", "out"}
    missing = call(service, "read_file", path="none", **s)
    assert missing["is_error"] and missing["reason"] == "not_found"
    outside = call(service, "read_file", path="../etc/passwd", **s)
    assert outside["is_error"] and "content" not in outside
    assert call(service, "session_end", **s)["state"] == "ended"
    over = call(service, "run_command", command="true", **s)
    assert over["is_error"] and over["reason"] == "conflict"


def test_a_picture_is_one_and_bytes_are_base64(service):
    s = call(service, "session_start")["session_id"]
    for name, data in (("dot.png", PNG), ("bytes", b"\xff\0\x01")):
        assert call(service, "write_file", session_id=s, path=name,
            content_base64=base64.b64encode(data).decode())["size"] == len(data)
    result = result_of(post(service, "tools/call", {"name": "read_file", "arguments": {"session_id": s,
        "path": "dot.png"}}))
    picture, text = result["content"]
    assert (picture["type"], picture["mimeType"], base64.b64decode(picture["data"])) == ("image", "image/png", PNG)
    assert json.loads(text["text"]) == {"mime_type": "image/png", "size": len(PNG)}
    assert base64.b64decode(call(service, "read_file", session_id=s, path="bytes")["content_base64"]) == b"\xff\0\x01"
    call(service, "run_command", session_id=s, command="head -c 600000 /dev/zero | tr '\\0' y > long; : > empty")
    long = call(service, "read_file", session_id=s, path="long")
    assert long["content"] == "y" * 262144 and long["truncated"] and long["size"] == 600000
    assert call(service, "read_file", session_id=s, path="empty")["content"] == ""
    call(service, "session_end", session_id=s)


def test_a_client_with_an_mcp_session_need_not_name_its_sandbox_and_takes_it_along(service):
    mine, other, agent = begin(service), begin(service), {"Sandbox-Agent-Id": "implicit"}
    alone = call(service, "run_command", headers={**mine, **agent}, command="true")
    assert "session_id" not in alone  # nothing was started
    sandbox = call(service, "session_start", headers={**mine, **agent})["session_id"]
    call(service, "write_file", headers=mine, path="a", content="1")
    assert call(service, "run_command", headers=mine, command="cat a")["stdout"] == "1"
    assert call(service, "read_file", headers=other, path="a")["is_error"]
    alone = call(service, "run_command", headers={**mine, **agent}, command="ls /workspace", risk_level="medium")
    assert alone["stdout"] == "" and "session_id" not in alone  # a level of its own: a run of its own
    assert service.outside("DELETE", "/mcp", key=service.key, headers=mine).status_code == 204
    assert service.request("GET", "/sessions/" + sandbox).json()["state"] == "ended"


def test_another_keys_session_is_nobodys_else(service):
    s = call(service, "session_start", key=service.new_key("run"), headers={})["session_id"]
    for tool, more in (("run_command", {"command": "true"}), ("list_files", {}), ("session_end", {})):
        got = call(service, tool, session_id=s, key=service.new_key("run"), headers={}, **more)
        assert got["is_error"] and got["reason"] == "not_found", got


def test_explain_says_why_and_what_would_be_allowed(service):
    key = service.new_key("run")
    nothing = call(service, "explain", key=key, headers={})
    assert nothing["is_error"] and "nothing of this key" in nothing["error"]["message"]
    refused = call(service, "run_code", key=key, headers={}, language="python", code="import socket",
        risk_level="medium")
    for own in ("true", "exit 1", "kill -9 $$"):  # programs that ended by themselves do not hide it
        call(service, "run_command", key=key, headers={}, command=own)
    got = call(service, "explain", key=key, headers={})
    assert got["execution_id"] == refused["error"]["details"]["execution_id"] and not got["is_error"]
    assert "socket" in got["error"]["message"] and got["error"]["remedy"] and got["risk_level"] == "medium"
    allowed = got["allowed"]
    assert "socket" in allowed["language"]["blocked_modules"] and allowed["network"]["mode"] == "none"
    assert allowed["resources"]["timeout"] == 120
    late = call(service, "run_command", key=key, headers={}, command="sleep 9", timeout=0.3)
    assert call(service, "explain", key=key, headers={})["reason"] == "timeout"
    assert call(service, "explain", key=key, headers={}, execution_id=late["execution_id"])["reason"] == "timeout"
    foreign = call(service, "explain", key=service.new_key("run"), headers={}, execution_id=late["execution_id"])
    assert foreign["is_error"] and foreign["reason"] == "not_found"


# ---- progress, cancellation ----

def events(answer):
    return [json.loads(line[6:]) for line in answer.text.splitlines() if line.startswith("data: ")]


def test_output_comes_as_progress_and_then_the_answer(service):
    params = {"name": "run_command", "arguments": {"command": "echo one; sleep 0.2; echo two; exit 3"},
        "_meta": {"progressToken": "t"}}
    answer = post(service, "tools/call", params, id="x")
    *notes, last = events(answer)
    assert answer.headers["Content-Type"] == "text/event-stream" and last["id"] == "x"
    told = last["result"]["structuredContent"]
    assert (told["stdout"], told["exit_code"]) == ("one\ntwo\n", 3)
    assert {n["method"] for n in notes} == {"notifications/progress"} and {n["params"]["progressToken"]
        for n in notes} == {"t"}
    assert "".join(n["params"].get("message", "") for n in notes) == "one\ntwo\n"
    steps = [n["params"]["progress"] for n in notes]
    assert steps == sorted(set(steps))
    refused = {"name": "run_code", "arguments": {"language": "python", "code": "import socket", "risk_level": "medium"},
        "_meta": {"progressToken": 1}}
    assert result_of(post(service, "tools/call", refused)
                     )["structuredContent"]["reason"] == "policy_denied"  # nothing ran: no stream
    plain = post(service, "tools/call", params, headers={"Accept": "application/json"})
    assert result_of(plain)["structuredContent"]["stdout"] == "one\ntwo\n"


@pytest.mark.parametrize("meta", [None, {"progressToken": 7}])
def test_a_cancelled_call_ends_at_once_and_no_other(service, meta):
    key, answers = service.new_key("run"), {}
    sessions = [begin(service, key), begin(service, key)]

    def sleep(which):
        params = {"name": "run_command", "arguments": {"command": "sleep 100"}, **({"_meta": meta} if meta else {})}
        answers[which] = post(service, "tools/call", params, id=5, headers=sessions[which], key=key)
    threads = [threading.Thread(target=sleep, args=(i,)) for i in (0, 1)]
    for t in threads:
        t.start()
    running(service, 2, key=key)
    assert post(service, "notifications/cancelled", {"requestId": 5},
                id=None, headers=sessions[0]).status_code == 404  # another key's
    assert post(service, "notifications/cancelled", {"requestId": 6}, id=None, headers=sessions[0],
        key=key).status_code == 202
    assert post(service, "notifications/cancelled", {"requestId": 5}, id=None, headers=sessions[0],
        key=key).status_code == 202
    threads[0].join(60)
    assert not threads[0].is_alive() and threads[1].is_alive()
    running(service, 1, key=key)
    post(service, "notifications/cancelled", {"requestId": 5, "reason": "the user"}, id=None, headers=sessions[1],
        key=key)
    threads[1].join(60)
    for answer in answers.values():
        message = events(answer)[-1] if meta else answer.json()
        assert message["result"]["isError"] and message["result"]["structuredContent"]["reason"] == "killed"


@pytest.mark.parametrize("meta", ["", ',"_meta":{"progressToken":1}'])
def test_what_a_client_leaves_behind_is_ended(service, meta):
    key = service.new_key("run")
    body = ('{"jsonrpc":"2.0","id":1,"method":"tools/call",'
            '"params":{"name":"run_command","arguments":{"command":"sleep 100"}%s}}' % meta)
    place = service.url.removeprefix("http://")
    with socket.create_connection(place.split(":")) as s:
        s.sendall(
    ("POST /mcp HTTP/1.1\r\nHost: %s\r\nAuthorization: Bearer %s\r\n"
                   "Accept: text/event-stream\r\nContent-Length: %d\r\n\r\n%s" %
     (place, key, len(body), body)).encode())
        [one] = running(service, 1, key=key)
    running(service, 0, key=key)
    assert service.finished(one["execution_id"], key=key)["reason"] == "killed"


# ---- bad input ----

DEEP = '{"jsonrpc":"2.0","id":1,"method":"tools/list","params":%s%s}' % ('{"a":' * 40 + "1", "}" * 40)


@pytest.mark.parametrize("body, status, code", [
    ("", 400, -32700),
    ("nonsense", 400, -32700),
    ('{"jsonrpc":"2.0","id":1', 400, -32700),
    (DEEP, 400, -32700),
    ("\xff{}", 400, -32700),
    ('{"a":1,"a":2}', 400, -32700),
    ("[]", 400, -32600),
    ('[{"jsonrpc":"2.0","id":1,"method":"ping"}]', 400, -32600),
    ('"x"', 400, -32600),
    ("{}", 400, -32600),
    ('{"jsonrpc":"1.0","id":1,"method":"ping"}', 400, -32600),
    ('{"jsonrpc":"2.0","id":null,"method":"ping"}', 400, -32600),
    ('{"jsonrpc":"2.0","id":1.5,"method":"ping"}', 400, -32600),
    ('{"jsonrpc":"2.0","id":{},"method":"ping"}', 400, -32600),
    ('{"jsonrpc":"2.0","id":"%s","method":"ping"}' % ("x" * 300), 400, -32600),
    ('{"jsonrpc":"2.0","id":1,"method":7}', 400, -32600),
    ('{"jsonrpc":"2.0","id":1}', 400, -32600),
    ('{"jsonrpc":"2.0","id":1,"method":"%s"}' % ("x" * 200), 400, -32600),
    ('{"jsonrpc":"2.0","id":1,"method":"ping","params":[]}', 400, -32602),
    ('{"jsonrpc":"2.0","id":1,"method":"ping","params":{"_meta":1}}', 400, -32602),
    ('{"jsonrpc":"2.0","id":1,"method":"ping","params":{"_meta":{"progressToken":[]}}}', 400, -32602),
    ('{"jsonrpc":"2.0","id":1,"method":"nothing/such"}', 200, -32601),
    ('{"jsonrpc":"2.0","id":1,"method":"server/discover"}', 200, -32601),
    ('{"jsonrpc":"2.0","id":1,"method":"tools/call"}', 200, -32602),
    ('{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"none"}}', 200, -32602),
    ('{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":["run_code"]}}', 200, -32602),
    ('{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"run_code","arguments":[]}}', 200, -32602),
    ('{"jsonrpc":"2.0","id":1,"method":"initialize","params":{}}', 200, -32602)])
def test_what_is_no_good_message_gets_the_protocols_own_error(service, body, status, code):
    answer = service.outside("POST", "/mcp", key=service.key, data=body.encode("latin-1"))
    message = answer.json()
    assert (answer.status_code, message["error"]["code"]) == (status, code), answer.text
    assert message["error"]["message"] and "result" not in message
    if '"id":1,' in body and status == 200:
        assert message["id"] == 1


def test_a_response_and_an_unknown_notification_are_taken_and_a_body_that_is_too_large_is_not(service):
    for body in ({"jsonrpc": "2.0", "id": 9, "result": {}}, {"jsonrpc": "2.0", "method": "notifications/none"},
                 {"jsonrpc": "2.0", "method": "notifications/cancelled", "params": {"requestId": {}}}):
        assert service.outside("POST", "/mcp", key=service.key, json=body).status_code == 202
    answer = service.outside("POST", "/mcp", key=service.key, data=b" " * (17 << 20))
    assert (answer.status_code, answer.json()["error"]["code"]) == (413, -32600), answer.text


def test_headers_of_a_client_of_today_may_be_coded_and_have_to_be_true(service):
    params = {"name": "run_code", "arguments": {"language": "bash", "code": "true"}, "_meta": META}
    good = {"MCP-Protocol-Version": MODERN, "Mcp-Method": "tools/call", "Mcp-Name": "run_code"}
    for changes, code in ({"Mcp-Name": "=?base64?cnVuX2NvZGU=?="}, 0), ({"Mcp-Name": "=?base64?cnVuX2NvZGU?="}, -
    32020), ({"Mcp-Name": "other"}, -
    32020), ({"Mcp-Method": "tools/list"}, -
    32020), ({"MCP-Protocol-Version": "2025-11-25"}, -
    32020), ({"Mcp-Name": None}, -
    32020):
        headers = {k: v for k, v in {**good, **changes}.items() if v is not None}
        answer = post(service, "tools/call", params, headers=headers)
        assert (answer.status_code, answer.json().get("error", {}).get("code", 0)) == (400 if code else 200,
            code), (changes, answer.text)
    unknown = post(service, "ping", headers={"MCP-Protocol-Version": "2030-01-01"})
    error = unknown.json()["error"]
    assert unknown.status_code == 400 and error["code"] == -32022 and MODERN in error["data"]["supported"]


# ---- the operator's switch ----

def test_it_can_be_switched_off_and_on_while_the_service_runs(service):
    def switch(is_on):
        service.configure({"rate_limiting": {"enabled": False}, "endpoints": {"mcp": {"enabled": is_on}}})
        service.hup()
        assert not helpers.poll(lambda: (post(service, "ping").status_code == 200) != is_on, 60)
    try:
        switch(False)
        for method in ("POST", "DELETE"):
            assert "endpoints.mcp.enabled" in error_of(service.outside(method, "/mcp", key=service.key, json={}), 404,
                "not_found")["message"]
        assert service.outside("GET", BASE + "/capabilities", key=service.key).status_code == 200
    finally:
        switch(True)
