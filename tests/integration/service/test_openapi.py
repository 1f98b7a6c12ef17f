"""docs/openapi.yaml and the running server say the same, in both directions."""
import functools
import json
import re
import shutil
import socket
import subprocess
import time
import urllib.parse

import helpers
import jsonschema
import pytest
from service import BASE, DAEMON, Service, error_of, events_of

DOCUMENT = helpers.ROOT / "docs/openapi.yaml"
METHODS = ("get", "post", "patch", "delete", "put", "head", "options")
# an example of each parameter of a path: nothing of that name is there
EXAMPLES = {"execution_id": "exec-000000000000000000000000", "agent_id": "nobody-knows", "name": "nothing.txt",
            "level": "medium", "key_id": "key-000000000000",
            "session_id": "sess-000000000000000000000000", "context_id": "ctx-000000000000000000000000",
            "process_id": "job-000000000000000000000000", "path": "nothing.txt", "snapshot_id": "snap-0000000000000000",
            "target": "8000"}
TIGHT = {"endpoints": {"api": {"max_body": "64k", "queue_size": 1}},
         "rate_limiting": {"per_agent": {level + "_risk": {"max_executions_per_hour": 1} for level in helpers.LEVELS},
                           "global": {"max_concurrent_executions": 1}}}


@functools.lru_cache(None)
def document():
    return helpers.from_yaml(DOCUMENT.read_text())


def resolve(node):
    while "$ref" in node:
        place = document()
        for word in node["$ref"].removeprefix("#/").split("/"):
            place = place[word]
        node = place
    return node


def operations():
    return [(path, method) for path, item in document()["paths"].items() for method in item if method in METHODS]


def example_of(path):
    return re.sub(r"\{([^}]*)\}", lambda m: EXAMPLES[m[1]], path)


def validate(value, schema):
    """Against a schema of the document; members that it does not name are failures where it says so."""
    resolver = jsonschema.RefResolver("", document())
    errors = sorted(jsonschema.Draft202012Validator(schema, resolver=resolver).iter_errors(value),
                    key=lambda e: list(e.path))
    assert not errors, "\n".join("%s: %s" % ("/".join(map(str, e.absolute_path)), e.message[:400])
                                 for e in errors[:5]) + "\n" + json.dumps(value)[:1500]


def template_of(path):
    """The path of the document that a request's path is an example of: the one with the most words of its own."""
    found = [t for t in document()["paths"] if re.fullmatch(re.sub(r"\{[^}]*\}", "[^/]+", t), path)]
    assert found, "no path of the document is like %s" % path
    return min(found, key=lambda t: t.count("{"))


def check(answer):
    """That this answer is one which the document permits: status, media type, headers, body. -> answer"""
    method, path = answer.request.method.lower(), urllib.parse.unquote(urllib.parse.urlsplit(answer.request.url).path)
    responses = document()["paths"][template_of(path)][method]["responses"]
    status = str(answer.status_code)
    assert status in responses, ("%s %s answered %s, which is not in the document: %s"
                                 % (method, path, status, answer.text[:500]))
    response = resolve(responses[status])
    for name in response.get("headers", {}):
        if name in ("Idempotency-Replayed",):
            continue
        assert name in answer.headers, "%s %s: no %s in %s" % (method, path, name, dict(answer.headers))
        validate(answer.headers[name], resolve(response["headers"][name])["schema"])
    kind = answer.headers["Content-Type"].split(";")[0]
    assert kind in response["content"], (kind, list(response["content"]))
    if kind == "application/json":
        validate(answer.json(), response["content"][kind]["schema"])
    return answer


# ---- the document itself ----

def test_every_schema_of_the_document_is_one_and_every_reference_leads_somewhere():
    for schema in document()["components"]["schemas"].values():
        jsonschema.Draft202012Validator.check_schema(schema)

    def walk(node):
        if isinstance(node, dict):
            if "$ref" in node:
                assert resolve(node)
            for value in node.values():
                walk(value)
        elif isinstance(node, list):
            for value in node:
                walk(value)
    walk(document())
    ids = [document()["paths"][p][m]["operationId"] for p, m in operations()]
    assert len(ids) == len(set(ids))


def test_an_example_with_a_member_that_the_document_does_not_name_is_found():
    with pytest.raises(AssertionError):
        validate({"status": "ok", "more": 1}, {"$ref": "#/components/schemas/Health"})


# ---- both directions ----

def routes():
    """-> {(path, method): roles} of the server's own table"""
    done = subprocess.run([DAEMON, "--routes"], capture_output=True, text=True, timeout=120)
    assert done.returncode == 0, done
    rows = [line.split(" ") for line in done.stdout.splitlines()]
    return {(path, method.lower()): set(roles.split(",")) for method, path, roles in rows}


def test_every_route_of_the_server_is_in_the_document_with_its_roles_and_nothing_else_is():
    told = {(p, m): set(document()["paths"][p][m].get("x-roles", ["none"])) for p, m in operations()}
    assert routes() == told


@pytest.mark.parametrize("path, method", operations(), ids=lambda v: v)
def test_what_the_document_names_answers_and_as_it_says(service, path, method):
    example = example_of(path)
    body = {"json": {}} if method in ("post", "patch") else {}
    answer = service.outside(method.upper(), example, key=service.key, stream=True, **body)
    if answer.headers["Content-Type"].startswith("application/json") and "error" in answer.json():
        assert answer.json()["error"]["code"] != "method_not_allowed"
        assert "there is nothing at" not in answer.json()["error"]["message"]
    check(answer)


FILE = {"path": "main.sh", "content": "true"}
BODIES = {  # of each operation: bodies that are good, by the place in them where a member may be added
    "execute": {(): {"language": "bash", "code": "true", "risk_level": "low"},
                ("limits",): {"language": "bash", "code": "true", "risk_level": "low", "limits": {}},
                ("files", 0): {"language": "bash", "files": [FILE], "risk_level": "low"}},
    "submit": {(): {"language": "bash", "code": "true", "risk_level": "low"}},
    "scan": {(): {"language": "bash", "code": "true"}},
    "createSession": {(): {"risk_level": "low", "ttl": 1}, ("limits",): {"risk_level": "low", "ttl": 1, "limits": {}}},
    "extendSession": {(): {"ttl": 60}}, "executeInSession": {(): {"command": "true"}},
    "beginProcess": {(): {"command": "true"}, ("pty",): {"command": "true", "pty": {"rows": 1, "cols": 1}}},
    "signalProcess": {(): {"signal": "CONT"}}, "resizeProcess": {(): {"rows": 1, "cols": 1}},
    "createContext": {(): {"language": "python"}}, "executeCell": {(): {"code": "1"}}, "undo": {(): {}},
    "undoWorkspace": {(): {}},
    "createPackages": {(): {"name": "science", "python": "-e .\n"}},  # no requirement: nothing is built
    "testPolicy": {(): {"config": "sandbox: {}"}},
    "setTrust": {(): {"trust": 0.5, "reason": "a test"}},
    "quarantineAgent": {(): {"reason": "a test"}}, "releaseAgent": {(): {"reason": "a test"}},
    "banAgent": {(): {"reason": "a test"}},
    "createKey": {(): {"name": "of a member", "role": "run"}},
}


def with_member(body, place, name):
    """The body, and in it at this place a member that is null, which is as if it were not there."""
    body = json.loads(json.dumps(body))
    at = functools.reduce(lambda inner, word: inner[word], place, body)
    at.setdefault(name, None)
    return body


@pytest.mark.parametrize("path, method",
                         [(p, m) for p, m in operations()
                          if "application/json" in document()["paths"][p][m].get("requestBody", {}).get("content", ())],
                          ids=lambda v: v)
def test_every_member_of_a_body_that_the_document_names_is_known_and_no_other_is(service, path, method):
    operation = document()["paths"][path][method]
    top = resolve(operation["requestBody"]["content"]["application/json"]["schema"])

    at = example_of(path)
    if "{session_id}" in path:
        at = at.replace(EXAMPLES["session_id"],
                        service.request("POST", "/sessions",
                                        json={"risk_level": "low", "ttl": 60}).json()["session_id"])
    if "{process_id}" in path:
        begun = service.request("POST", at[len(BASE):at.index("/job-")], json={"command": "sleep 60"}).json()
        at = at.replace(EXAMPLES["process_id"], begun["process_id"])
    if "{context_id}" in path:
        created = service.outside("POST", at.partition("/contexts/")[0] + "/contexts", key=service.key,
                                  json={"language": "python"})
        at = at.replace(EXAMPLES["context_id"], created.json()["context_id"])

    def ask(body):
        return service.outside(method.upper(), at, key=service.key, json=body).text
    for place, body in BODIES[operation["operationId"]].items():
        schema = functools.reduce(lambda at, word: resolve(at["items"] if word == 0 else at["properties"][word]), place,
                                  top)
        for name in schema["properties"]:
            assert "unknown member" not in ask(with_member(body, place, name)), (place, name)
        assert "zzz: unknown member" in ask(with_member(body, place, "zzz")), place


PARAMETERS = [(p, m, q["name"]) for p, m in operations()
              for q in map(resolve, document()["paths"][p][m].get("parameters", [])) if q["in"] == "query"]


@pytest.mark.parametrize("path, method", [o for o in operations() if o[0].startswith(BASE) and "{target}" not in o[0]],
                         ids=lambda v: v)
def test_every_parameter_that_the_document_names_is_known_and_no_other_is(service, path, method):
    example = example_of(path)
    for name in [n for p, m, n in PARAMETERS if (p, m) == (path, method)]:
        answer = service.outside(method, example, key=service.key, params={name: "1"})
        assert "unknown parameter" not in answer.text, (name, answer.text)
    answer = service.outside(method, example, key=service.key, params={"zzz": "1"})
    assert "unknown parameter: zzz" in error_of(answer, 400, "invalid_request")["message"]


# ---- what is answered when all goes well ----

@pytest.fixture(scope="module")
def past(service):
    """A service in which something has happened. -> (service, id of an execution of agent «a/b»)"""
    e = service.submit("import sys\nprint('hello')\nprint('err', file=sys.stderr)", agent_id="a/b", risk_level="low")
    assert service.finished(e)["result"]["reason"] == "completed"
    return service, e


@pytest.mark.parametrize("body", [
    {"language": "bash", "code": "echo hello", "risk_level": "low"},
    {"language": "python", "code": "print(6 * 7)", "agent_id": "somebody"},
    {"language": "bash", "code": "exit 3", "risk_level": "high"},
    {"language": "python", "code": "import os", "risk_level": "low"},
    {"language": "bash", "code": "sleep 30", "limits": {"timeout": 0.2}, "risk_level": "medium"},
    {"language": "bash", "files": [{"path": "main.sh", "content": "cat other.txt"},
                                   {"path": "other.txt", "content_base64": "b3RoZXI="}], "entry": "main.sh",
                                   "risk_level": "low"},
    {"language": "bash", "code": "cat; echo $1 $A", "stdin": "in", "args": ["x"], "env": {"A": "b"},
     "risk_level": "low"},
], ids=lambda b: json.dumps(b)[:60])
def test_results_are_as_the_document_says(service, body):
    validate(body, {"$ref": "#/components/schemas/Execute"})
    answer = check(service.request("POST", "/execute", json=body,
                                   headers={"traceparent": "00-%s-%s-01" % ("ab" * 16, "cd" * 8)},
                                   key=service.override()))
    assert answer.status_code == 200
    assert answer.json()["trace_id"] == "ab" * 16
    assert answer.headers["X-Execution-Id"] == answer.json()["execution_id"]


@pytest.mark.parametrize("path", ["/executions",
                                  "/executions?agent_id=a/b&state=finished&reason=completed&risk_level=low&since=1h&limit=1", "/executions/{id}",
                                  "/executions/{id}/artifacts", "/agents", "/agents?limit=1", "/agents/a%2Fb",
                                  "/profiles", "/profiles/low", "/audit?limit=3",
                                  "/audit?last=2", "/audit?agent=a/b&level=low&since=1h", "/keys", "/nodes",
                                  "/capabilities"])
def test_what_is_read_is_as_the_document_says(past, path):
    service, e = past
    answer = service.request("GET", path.replace("{id}", e))
    assert answer.status_code == 200, answer.text
    template = "/agents/{agent_id}" if path == "/agents/a%2Fb" else None
    if template:  # the document's path has one word there
        validate(answer.json(), document()["paths"][BASE + template]["get"]["responses"]["200"]["content"][
            "application/json"]["schema"])
    else:
        check(answer)


def test_artifacts_are_bytes(past):
    service, _ = past
    e = service.submit("open('left.txt', 'w').write('left')", risk_level="low", key=service.override())
    service.finished(e)
    names = [a["name"] for a in service.request("GET", "/executions/%s/artifacts" % e).json()["artifacts"]]
    assert names
    for name in names:
        answer = service.request("GET", "/executions/%s/artifacts/%s" % (e, name))
        assert answer.status_code == 200 and answer.headers["Content-Type"] == "application/octet-stream"
        assert answer.headers["X-Content-Type-Options"] == "nosniff"
        if name == "left.txt":
            assert answer.content == b"left"
    assert "left.txt" in names


def test_events_of_streams_are_as_the_document_says(past):
    service, e = past
    for answer in (service.request("GET", "/executions/%s/events" % e, stream=True),
                   service.request("POST", "/execute",
                                   json={"language": "bash", "code": "printf 'a\\377'; echo b >&2", "stream": True,
                                         "risk_level": "low"}, stream=True)):
        assert answer.status_code == 200
        seen = list(events_of(answer))
        for event in seen:
            validate({k: v for k, v in event.items() if not k.startswith("_")},
                     {"$ref": "#/components/schemas/StreamEvent"})
        kinds = [event["type"] for event in seen]
        assert kinds[0] == "started" and kinds[-1] == "result" and {"stdout", "stderr"} <= set(kinds), kinds


def test_the_events_of_an_execution_that_was_refused_are_as_the_document_says(service):
    e = service.submit("import socket", risk_level="high")
    last = list(service.events(e))[-1]
    validate({k: v for k, v in last.items() if not k.startswith("_")}, {"$ref": "#/components/schemas/StreamEvent"})
    assert last["type"] == "error" and last["error"]["code"] == last["result"]["reason"] == "policy_denied"


def test_a_scan_and_acts_upon_agents_and_keys_are_as_the_document_says(past):
    service, _ = past
    report = check(service.request("POST", "/scan",
                                   json={"language": "python", "code": "open('/etc/shadow')\neval(input())"})).json()
    assert report["findings"] and report["needs"]
    for method, path, body in (("PATCH", "/agents/a-b", {"trust": 0.7, "reason": "known for long"}),
                               ("POST", "/agents/a-b/quarantine", {"reason": "looks odd"}),
                               ("PATCH", "/agents/a-b", {"trust": "0.7", "reason": "known for long"}),
                               ("POST", "/agents/a-b/release", {"reason": "it was not"}),
                               ("POST", "/agents/a-b/ban", {"reason": "it was"})):
        check(service.request(method, path, json=body))
    made = check(service.request("POST", "/keys",
                                 json={"name": "for a test", "role": "run", "agents": ["x"], "levels": ["low"],
                                       "expires_in_seconds": 60}))
    assert made.status_code == 201
    gone = check(service.request("DELETE", "/keys/" + made.json()["id"]))
    assert gone.status_code == 200 and made.json()["token"] not in service.request("GET", "/keys").text


def test_an_execution_that_is_killed_answers_as_the_document_says(service):
    e = service.submit("sleep 60", "bash", risk_level="low")
    assert check(service.request("DELETE", "/executions/" + e)).status_code == 202
    assert service.finished(e)["result"]["reason"] == "killed"
    check(service.request("GET", "/executions/" + e))
    error_of(check(service.request("DELETE", "/executions/" + e)), 409, "conflict")


# ---- every error ----

@pytest.fixture(scope="module")
def tight():
    with Service(TIGHT) as s:
        yield s


def raw(service, data, patience=120):
    """Bytes to the port. -> (status, body)"""
    host, port = service.url.removeprefix("http://").rsplit(":", 1)
    with socket.create_connection((host, int(port)), timeout=patience) as s:
        s.sendall(data)
        answer = b""
        while True:
            try:
                more = s.recv(65536)
            except ConnectionResetError:
                break
            if not more:
                break
            answer += more
    head, _, body = answer.partition(b"\r\n\r\n")
    assert head.startswith(b"HTTP/1.1 "), answer[:200]
    return int(head.split()[1]), json.loads(body)


def head_of(service, method="GET", path="/healthz", **headers):
    lines = {"Host": service.url.removeprefix("http://"), "Connection": "close", **headers}
    return ("%s %s HTTP/1.1\r\n" % (method, path) + "".join("%s: %s\r\n" % pair for pair in lines.items())).encode()


def rate_limited(s):
    assert s.execute("true", "bash", agent_id="eager", risk_level="low").status_code == 200
    return s.execute("true", "bash", agent_id="eager", risk_level="low")


def queue_full(s):
    started = [s.request("POST", "/executions",
                         json={"language": "bash", "code": "sleep 600", "risk_level": "low",
                               "agent_id": "full-%d" % i}) for i in range(3)]
    for one in started:
        if one.status_code == 202:
            s.request("DELETE", "/executions/" + one.json()["execution_id"])
    for one in started:
        if one.status_code == 202:
            s.finished(one.json()["execution_id"])
    return next((one for one in started if one.status_code != 202), started[-1])


def policy_denied(s):
    assert s.request("POST", "/agents/held/quarantine", json={"reason": "a test"}).status_code == 200
    return s.execute("true", "bash", agent_id="held", risk_level="high")


def conflict(s):
    headers = {"Idempotency-Key": "k-%d" % time.monotonic_ns()}
    assert s.execute("true", "bash", risk_level="low", headers=headers).status_code == 200
    return s.execute("false", "bash", risk_level="low", headers=headers)


def request_timeout(_):
    # by itself: whoever is a second late here meant it
    with Service({"endpoints": {"api": {"request_timeout": 1}}}) as hasty:
        return raw(hasty, head_of(hasty, "POST", BASE + "/execute",
                                  **{"Content-Length": "10", "Authorization": "Bearer " + hasty.key}) + b"\r\n12345")


def post(s, path, **more):
    return s.request("POST", path, **more)


ERRORS = {  # code: (status, how to have it: an answer, or (status, body))
    "invalid_request": (400, lambda s: post(s, "/execute", data=b"{nonsense")),
    "unauthenticated": (401, lambda s: post(s, "/execute", json={}, key="sa_" + "x" * 43)),
    "forbidden": (403, lambda s: s.execute("true", "bash", key=s.new_key("read"))),
    "policy_denied": (403, policy_denied),
    "not_found": (404, lambda s: s.request("GET", "/agents/nobody")),
    "method_not_allowed": (405, lambda s: s.request("PUT", "/execute")),
    "request_timeout": (408, request_timeout),
    "conflict": (409, conflict),
    "body_too_large": (413, lambda s: post(s, "/execute", json={"language": "bash", "code": "#" * 70000})),
    "wrong_host": (421, lambda s: raw(s, head_of(s, Host="evil.example") + b"\r\n")),
    "invalid_value": (422, lambda s: s.execute("say 'x'", "perl")),
    "rate_limited": (429, rate_limited),
    "queue_full": (429, queue_full),
    "headers_too_large": (431, lambda s: raw(s, head_of(s, Much="x" * 40000) + b"\r\n")),
    "sandbox_error": None,   # below
    "unavailable": None,     # likewise
    "bad_gateway": None,     # test_ports.py
    "gateway_timeout": None,  # tests/unit/test_ports.c
    "internal_error": None,  # a fault of ours: there is no known way to have one
}


@pytest.mark.parametrize("code",
                         document()["components"]["schemas"]["Error"]["properties"]["error"]["properties"]["code"][
                             "enum"])
def test_every_error_is_as_the_document_says(tight, code):
    assert code in ERRORS, "no way to have it is known"
    if ERRORS[code] is None:
        return
    status, provoke = ERRORS[code]
    answer = provoke(tight)
    if isinstance(answer, tuple):
        assert answer[0] == status, answer
        validate(answer[1], {"$ref": "#/components/schemas/Error"})
        assert answer[1]["error"]["code"] == code
        return
    error_of(answer, status, code)
    validate(answer.json(), {"$ref": "#/components/schemas/Error"})
    if status not in (405,):  # no operation of the document has another method
        check(answer)
    if status in (429, 503):
        assert int(answer.headers["Retry-After"]) == answer.json()["error"]["details"]["retry_after_seconds"]
    if code == "method_not_allowed":
        assert answer.headers["Allow"] == "POST"
    if code == "policy_denied":
        assert answer.json()["error"]["details"]["rule"] and answer.json()["error"]["details"]["execution_id"]


def test_a_service_that_ends_says_unavailable_to_whoever_is_still_connected(make_service):
    s = make_service()
    connection = s.connection()
    assert s.outside("GET", "/readyz", session=connection).status_code == 200
    gate = s.gate()
    s.submit(gate.wait, "bash", risk_level="low", volumes=gate.volumes)  # for as long as this lasts it only drains
    s.signal(15)
    assert not helpers.poll(lambda: s.outside("GET", "/readyz", session=connection).status_code == 200, 25)
    check(s.outside("GET", "/readyz", session=connection))
    answer = s.execute("true", "bash", risk_level="low", session=connection)
    error_of(check(answer), 503, "unavailable")
    gate.open()


def test_an_installation_that_is_incomplete_says_sandbox_error_and_what_to_do(make_service):
    s = make_service(start=False)
    place = helpers.copy_installation(s.dir / "damaged")
    shutil.copy(DAEMON, place / "bin")
    (place / "libexec/sandbox-agent/sandbox-scan").unlink()
    s.daemon = place / "bin/sandboxd"
    s.start()
    error = error_of(check(s.execute("true", "bash", risk_level="low")), 500, "sandbox_error")
    assert "make install" in error["details"]["remedy"] and "sandbox-scan" in error["message"]
    error_of(check(s.request("POST", "/scan", json={"language": "bash", "code": "true"})), 503, "unavailable")
