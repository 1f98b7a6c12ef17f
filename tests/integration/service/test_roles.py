"""Who may do what: every route, asked by everybody."""
import os
import re

import pytest

import helpers
import load
from service import BASE, Service, error_of

# What each caller gets. none: no key, or one that is wrong, expired or revoked, is always 401. own: a run key, of what
# it began itself; other: a run key of somebody else, who is told that there is no such execution; read; admin.
#  method path                                     body                                            own  other read admin
ROUTES = (
    ("POST", "/execute", {"language": "bash", "code": "true"}, 200, 200, 403, 200),
    ("POST", "/executions", {"language": "bash", "code": "true"}, 202, 202, 403, 202),
    ("POST", "/executions:batch", {"language": "bash", "code": "true"}, 200, 200, 403, 200),  # a batch of one line
    ("GET", "/executions", None, 200, 200, 200, 200),
    ("GET", "/executions/{id}", None, 200, 404, 200, 200),
    ("GET", "/executions/{id}/events", None, 200, 404, 200, 200),
    ("GET", "/executions/{id}/artifacts", None, 200, 404, 200, 200),
    ("GET", "/executions/{id}/artifacts/{name}", None, 200, 404, 200, 200),
    ("GET", "/executions/{id}/receipt", None, 200, 404, 200, 200),
    ("DELETE", "/executions/{id}", None, 409, 404, 403, 409),  # it has ended: a conflict, for those who may
    ("POST", "/sessions", {"risk_level": "low", "ttl": 5}, 201, 201, 403, 201),
    ("GET", "/sessions", None, 200, 200, 200, 200),
    ("GET", "/sessions/{session}", None, 200, 404, 200, 200),
    # only for the key that created it
    ("POST", "/sessions/{session}/execute", {"command": "true"}, 200, 404, 403, 403),
    ("POST", "/sessions/{session}/extend", {"ttl": 600}, 200, 404, 403, 403),
    ("POST", "/sessions/{session}/pause", None, 200, 404, 403, 403),
    ("POST", "/sessions/{session}/resume", None, 200, 404, 403, 403),
    ("POST", "/sessions/{session}/processes", {"command": "true"}, 201, 404, 403, 403),
    ("GET", "/sessions/{session}/processes", None, 200, 404, 200, 200),
    ("GET", "/sessions/{session}/processes/{process}", None, 200, 404, 200, 200),
    ("GET", "/sessions/{session}/processes/{process}/events?from=1", None, 200, 404, 200, 200),
    ("POST", "/sessions/{session}/processes/{process}/stdin", b"x", 200, 404, 403, 403),
    ("POST", "/sessions/{session}/processes/{process}/signal", {"signal": "CONT"}, 200, 404, 403, 403),
    # it has no terminal
    ("POST", "/sessions/{session}/processes/{process}/resize", {"rows": 1, "cols": 1}, 409, 404, 403, 403),
    ("DELETE", "/sessions/{session}/processes/{process}", None, 202, 404, 403, 202),
    ("POST", "/sessions/{session}/contexts", {"language": "python"}, 201, 404, 403, 403),
    ("POST", "/sessions/{session}/contexts/{context}/execute", {"code": "1"}, 200, 404, 403, 403),
    ("POST", "/sessions/{session}/contexts/{context}/checkpoints", None, 201, 404, 403, 403),
    # none of that name
    ("POST", "/sessions/{session}/contexts/{context}/undo", {"checkpoint_id": "cp-99"}, 404, 404, 403, 403),
    ("POST", "/sessions/{session}/contexts/{context}/interrupt", None, 409, 404, 403, 403),  # nothing runs
    ("POST", "/sessions/{session}/contexts/{context}/restart", None, 200, 404, 403, 403),
    ("DELETE", "/sessions/{session}/contexts/{context}", None, 200, 404, 403, 403),
    ("PUT", "/sessions/{session}/files/{path}", b"x", 200, 404, 403, 403),
    ("GET", "/sessions/{session}/files/{path}", None, 200, 404, 403, 403),
    ("GET", "/sessions/{session}/files", None, 200, 404, 403, 403),
    ("POST", "/sessions/{session}/files/{path}?mkdir", None, 409, 404, 403, 403),  # there is a file
    ("DELETE", "/sessions/{session}/files/{path}", None, 200, 404, 403, 403),
    ("POST", "/sessions/{session}/checkpoints", None, 201, 404, 403, 403),
    ("POST", "/sessions/{session}/undo", {"checkpoint_id": "cp-99"}, 404, 404, 403, 403),
    ("POST", "/sessions/{session}/snapshots", None, 201, 404, 403, 403),
    ("GET", "/snapshots", None, 200, 200, 200, 200),
    ("DELETE", "/snapshots/{snapshot}", None, 200, 404, 403, 200),
    ("GET", "/sessions/{session}/watch?seconds=0", None, 200, 404, 403, 403),
    *((method, "/sessions/{session}/ports/{port}", None, 502, 404, 403, 403)
      for method in ("GET", "POST", "PUT", "PATCH", "DELETE", "OPTIONS")),
    ("GET", "/sessions/{session}/archive", None, 200, 404, 403, 403),
    ("GET", "/sessions/{session}/archive/{dir}", None, 200, 404, 403, 403),
    ("PUT", "/sessions/{session}/archive", bytes(1024), 200, 404, 403, 403),
    ("PUT", "/sessions/{session}/archive/{dir}", bytes(1024), 200, 404, 403, 403),
    ("DELETE", "/sessions/{session}", None, 202, 404, 403, 202),
    # no requirement: nothing is built
    ("POST", "/packages", {"name": "science", "python": "-e .\n"}, 422, 422, 403, 422),
    ("GET", "/packages", None, 200, 200, 200, 200),
    ("GET", "/packages/{name}", None, 404, 404, 404, 404),  # whose sets are whose: test_package_sets_service.py
    ("DELETE", "/packages/{name}", None, 404, 404, 403, 404),
    ("POST", "/scan", {"language": "bash", "code": "true"}, 200, 200, 403, 200),
    ("GET", "/agents", None, 403, 403, 200, 200),
    ("GET", "/attempts", None, 403, 403, 200, 200),
    ("GET", "/usage", None, 200, 200, 200, 200),  # of itself: test_usage.py
    ("GET", "/agents/{agent}", None, 403, 403, 200, 200),
    ("PATCH", "/agents/{agent}", {"trust": 0.6, "reason": "test"}, 403, 403, 403, 200),
    ("POST", "/agents/{agent}/quarantine", {"reason": "test"}, 403, 403, 403, 200),
    ("POST", "/agents/{agent}/release", {"reason": "test"}, 403, 403, 403, 200),
    ("POST", "/agents/{agent}/ban", {"reason": "test"}, 403, 403, 403, 200),
    ("GET", "/profiles", None, 200, 200, 200, 200),
    ("GET", "/profiles/{level}", None, 200, 200, 200, 200),
    ("POST", "/policy/test", {"config": "sandbox: {}"}, 403, 403, 403, 200),
    ("GET", "/audit", None, 403, 403, 200, 200),
    ("GET", "/audit/checkpoint", None, 403, 403, 200, 200),
    ("GET", "/audit/consistency?from=1&to=1", None, 403, 403, 200, 200),
    ("GET", "/audit/inclusion?sequence=1&size=1", None, 403, 403, 200, 200),
    ("GET", "/audit/files", None, 403, 403, 200, 200),
    ("GET", "/audit/files/{file}", None, 403, 403, 200, 200),
    ("GET", "/capabilities", None, 200, 200, 200, 200),
    ("GET", "/nodes", None, 403, 403, 200, 200),
    ("GET", "/keys", None, 403, 403, 403, 200),
    ("POST", "/keys", {"role": "read"}, 403, 403, 403, 201),
    ("DELETE", "/keys/{key}", None, 403, 403, 403, 200),
    ("POST", "/mcp", {"jsonrpc": "2.0", "id": 1, "method": "ping"}, 200, 200, 403, 200),
    ("DELETE", "/mcp", None, 400, 400, 403, 400),  # which MCP session: test_mcp.py
)
OUTSIDE = ("/healthz", "/readyz", "/version", "/metrics")  # without a key, on loopback
# test_page.py
PAGE = {("GET", "/ui"), ("GET", "/ui/files/{}"), ("POST", "/ui/session"), ("GET", "/ui/session"),
        ("DELETE", "/ui/session")}
WHO = ("own", "other", "read", "admin")
STRANGERS = ("none", "wrong", "expired", "revoked", "basic", "empty")


class World:
    def __init__(self, service):
        self.service = service
        self.keys = {"own": service.new_key("run"), "other": service.new_key("run"), "read": service.new_key("read"),
                     "admin": service.new_key("admin"),
                     "expired": service.new_key("admin", expires_in_seconds=1), "wrong": "sa_" + "A" * 43, "none": None}
        made = service.request("POST", "/keys", json={"name": "to be revoked", "role": "admin"}).json()
        self.keys["revoked"] = made["token"]
        assert service.request("DELETE", "/keys/" + made["id"]).status_code // 100 == 2
        self.execution = service.submit("echo artifact", "bash", key=self.keys["own"], agent_id="known")
        service.finished(self.execution)
        self.count, self.session, self.kept, self.process = 0, None, None, "job-none"
        self.new_session()
        assert not helpers.poll(lambda: service.request("GET", "/profiles",
                                                        key=self.keys["expired"]).status_code != 401, 60)

    def path(self, path):
        self.count += 1
        key = ""
        if "{key}" in path:
            key = self.service.request("POST", "/keys",
                                       json={"name": "spare-%d" % self.count, "role": "read"}).json()["id"]
        session = self.new_session() if "{session}" in path else ""
        if "{path}" in path or "{dir}" in path:
            self.service.request("PUT", "/sessions/%s/files/dir/file" % session, key=self.keys["own"], data=b"x")
        process = ""
        if "{process}" in path:  # a stream needs one that ends by itself
            begun = {"command": "true"} if "events" in path else {"command": "cat", "stdin": True}
            processes = "/sessions/%s/processes" % session
            self.service.request("DELETE", processes + "/" + self.process, key=self.keys["own"])  # of the row before
            self.process = process = self.service.request("POST", processes, key=self.keys["own"],
                                                          json=begun).json().get("process_id", "job-none")
        snapshot = ""
        if "{snapshot}" in path:
            made = self.service.request("POST", "/sessions/%s/snapshots" % self.new_session(),
                                        key=self.keys["own"]).json()
            snapshot = made.get("snapshot_id", "snap-none")
        return path.format(session=session, process=process, snapshot=snapshot,
                           context=self.context(session) if "{context}" in path else "", path="dir/file", dir="dir",
                           port="9/", id=self.execution, name="stdout", agent="known", level="low", key=key,
                           file="audit.jsonl")

    def new_session(self):
        if not self.session or self.service.request("GET",
                                                    "/sessions/" + self.session).json().get("state") != "running":
            made = self.service.request("POST", "/sessions", json={"risk_level": "low"}, key=self.keys["own"]).json()
            # none for a key of whose agents one was banned by a row above: then the ended one will do
            assert "session_id" in made or made["error"]["code"] == "policy_denied", made
            self.session = made.get("session_id", self.session)
        return self.session

    def context(self, session):
        """One that is there: a row above may have deleted the last one."""
        where = "/sessions/%s/contexts" % session
        gone = self.kept and self.service.request("POST", "%s/%s/interrupt" % (where, self.kept),
                                                  key=self.keys["own"]).status_code == 404
        if not self.kept or gone:
            made = self.service.request("POST", where, json={"language": "python"}, key=self.keys["own"]).json()
            self.kept = made.get("context_id", self.kept or "none")
        return self.kept

    def ask(self, method, path, body, who):
        if body and path == "/keys":
            body = {**body, "name": "made-%d" % (self.count + 1)}
        headers = {"basic": {"Authorization": "Basic YTpi"}, "empty": {"Authorization": "Bearer "}}.get(who, {})
        content = {"data": body} if isinstance(body, bytes) else {"json": body}
        ask = self.service.outside if path == "/mcp" else self.service.request
        return ask(method, self.path(path), key=self.keys.get(who), headers=headers, **content)


@pytest.fixture(scope="module")
def world():
    with Service({**load.UNLIMITED, "security": {"store_artifacts": {"enabled": True}}}) as s:
        yield World(s)


@pytest.mark.parametrize("method, path, body, own, other, read, admin", ROUTES, ids=["%s %s" % r[:2] for r in ROUTES])
def test_a_route_is_for_those_whom_the_table_names(world, method, path, body, own, other, read, admin):
    for who, status in zip(WHO, (own, other, read, admin)):
        answer = world.ask(method, path, body, who)
        assert answer.status_code == status, (who, answer.status_code, answer.text[:300])
        if status == 403:
            error_of(answer, 403, "forbidden")
        if status == 404:
            assert "forbidden" not in answer.text and "artifact" not in error_of(answer, 404,
                                                                                 "not_found")["message"], answer.text


@pytest.mark.parametrize("method, path, body", [r[:3] for r in ROUTES], ids=["%s %s" % r[:2] for r in ROUTES])
def test_no_route_is_for_strangers(world, method, path, body):
    for who in STRANGERS:
        answer = world.ask(method, path, body, who)
        error_of(answer, 401, "unauthenticated")
        assert answer.headers["WWW-Authenticate"].startswith("Bearer"), who


def test_the_table_has_every_route_that_is_described(world):
    description = helpers.ROOT / "docs/openapi.yaml"
    if not description.exists():
        helpers.skip("docs/openapi.yaml is not there")
    paths = helpers.from_yaml(description.read_text())["paths"]
    described = {(method.upper(), re.sub(r"\{\w+\}", "{}", p.removeprefix(BASE)))
                 for p, item in paths.items() for method in item
                 if method in ("get", "post", "put", "patch", "delete", "options")}
    ours = {(m, re.sub(r"\{\w+\}|\?.*", lambda x: "{}" if x.group()[0] == "{" else "", p))
            for m, p, *_ in ROUTES} | {("GET", p) for p in OUTSIDE} | PAGE
    assert described == ours, (sorted(described - ours), sorted(ours - described))


@pytest.mark.parametrize("path", OUTSIDE)
def test_what_is_for_machines_needs_no_key_on_loopback(world, path):
    assert world.service.outside("GET", path).status_code == 200
    assert world.service.outside("GET", path, key="sa_" + "A" * 43).status_code in (200, 401)


def test_a_list_has_only_ones_own_for_a_run_key(world):
    service = world.service
    foreign = service.submit("true", "bash", key=world.keys["other"])
    ids = {who: {e["execution_id"]
                 for e in service.request("GET", "/executions?limit=500", key=world.keys[who]).json()["executions"]}
                 for who in WHO}
    assert world.execution in ids["own"] and foreign not in ids["own"]
    assert foreign in ids["other"] and world.execution not in ids["other"]
    assert {foreign, world.execution} <= ids["read"] and {foreign, world.execution} <= ids["admin"]


def test_a_foreign_run_key_cannot_kill(world):
    service = world.service
    gate = service.gate()
    # one without the agent that the table of routes has banned: without a name that key runs nothing
    own = service.new_key("run")
    execution = service.submit(gate.wait + "echo alive", "bash", key=own, volumes=gate.volumes)
    for who in ("other", "read"):
        assert service.request("DELETE", "/executions/" + execution, key=world.keys[who]).status_code in (403, 404)
    gate.open()
    assert service.finished(execution)["result"]["stdout"] == "alive\n"


def test_a_foreign_run_key_cannot_replay_an_idempotency_key(world):
    service = world.service
    first = service.execute("echo secret of the first", "bash", key=service.new_key("run"),
                            headers={"Idempotency-Key": "shared"})
    second = service.execute("echo secret of the first", "bash", key=world.keys["other"],
                             headers={"Idempotency-Key": "shared"})
    assert first.status_code == second.status_code == 200
    assert (first.json()["execution_id"] != second.json()["execution_id"]
            and "Idempotency-Replayed" not in second.headers)


# a key bound to agents «a», «b» and the level low
BOUND = (({"agent_id": "a", "risk_level": "low"}, 200), ({"agent_id": "b", "risk_level": "low"}, 200),
         ({"agent_id": "c", "risk_level": "low"}, 403), ({"risk_level": "low"}, 403),
         ({"agent_id": "a", "risk_level": "medium"}, 403),
         ({"agent_id": "a", "risk_level": "high"}, 403), ({"agent_id": "A", "risk_level": "low"}, 403))


@pytest.mark.parametrize("more, status", BOUND)
@pytest.mark.parametrize("path", ["/execute", "/executions"])
def test_a_bound_key_is_for_its_agents_and_levels_only(world, path, more, status):
    if "bound" not in world.keys:
        world.keys["bound"] = world.service.new_key("run", agents=["a", "b"], levels=["low"])
    for agent in ("a", "b"):  # trusted enough that low is what they get
        if status == 200:
            world.service.run("true", "bash", agent_id=agent, risk_level="high")
            world.service.request("PATCH", "/agents/" + agent, json={"trust": 0.95, "reason": "test"})
    answer = world.service.request("POST", path, key=world.keys["bound"],
                                   json={"language": "bash", "code": "true", **more})
    assert answer.status_code == (202 if status == 200 and path == "/executions" else status), answer.text
    if status == 403:
        error_of(answer, 403, "forbidden")


def test_a_key_is_shown_once_and_is_nowhere_in_the_clear(world):
    service = world.service
    listed = service.request("GET", "/keys").text
    files = [os.path.join(top, name) for place in (service.state_dir, service.log_dir)
             for top, _, names in os.walk(place) for name in names]
    assert files
    for who in ("own", "other", "read", "admin", "revoked"):
        token = world.keys[who]
        assert token not in listed and token not in service.logs
        for path in files:
            assert token not in helpers.read(path), "%s has a key" % path  # what is gone meanwhile has none


def test_a_revoked_key_is_out_at_once_also_on_a_kept_connection(world):
    service = world.service
    made = service.request("POST", "/keys", json={"name": "short life", "role": "read"}).json()
    kept = service.connection()
    assert service.request("GET", "/agents", key=made["token"], session=kept).status_code == 200
    assert service.request("DELETE", "/keys/" + made["id"]).status_code // 100 == 2
    assert service.request("GET", "/agents", key=made["token"], session=kept).status_code == 401
