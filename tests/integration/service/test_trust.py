"""Trust over HTTP: no request gets a laxer level by asking, a key stands for requests that name no agent, and an agent
that is kept out does not come back under another name of its key."""
import pytest
from service import Service, error_of

FREE = {"rate_limiting": {"enabled": False}, "agixt": {"analysis": {"enabled": False}}}
HOSTILE = "open('/etc/passwd', 'a').write('x')  # %s"


@pytest.fixture(scope="module")
def service():
    with Service(FREE) as s:
        yield s


def execute(service, code, status=200, key=None, **more):
    r = service.request("POST", "/execute", json={"language": "python", "code": code, **more},
                        **({"key": key} if key else {}))
    assert r.status_code == status, r.text
    return r.json()


def test_a_request_without_an_agent_has_the_key_s_and_asking_for_low_gives_no_more(service):
    key = service.new_key("run")
    r = execute(service, "print(1)", key=key, risk_level="low")
    assert r["risk_level"] == "medium" and r["agent_id"].startswith("key:key-"), r
    assert r["trust"] == {"before": 0.5, "after": 0.55}
    assert any("allow_risk_override does not allow" in reason for reason in r["reasons"]), r["reasons"]
    assert execute(service, "print(1)", key=key, risk_level="high")["risk_level"] == "high"
    assert execute(service, "print(2)", key=key, agent_id="asker", risk_level="low")["risk_level"] == "medium"


def test_a_key_that_may_override_gets_the_level_it_asks_for(service):
    key = service.request("POST", "/keys", json={"name": "override", "role": "run", "allow_risk_override": True}).json()
    assert key["allow_risk_override"] is True
    assert execute(service, "print(1)", key=key["token"], risk_level="low")["risk_level"] == "low"
    keys = service.request("GET", "/keys").json()["keys"]
    assert [k["allow_risk_override"] for k in keys if k["name"] == "override"] == [True]


def test_another_key_s_own_agent_cannot_be_named(service):
    r = execute(service, "print(1)", key=service.new_key("run"))
    asked = {"language": "python", "code": "print(1)", "agent_id": r["agent_id"]}
    other = service.request("POST", "/execute", json=asked, key=service.new_key("run"))
    assert error_of(other, 403, "forbidden")
    assert "another key" in other.json()["error"]["message"]


def test_who_is_kept_out_does_not_come_back_without_a_name_and_a_new_name_begins_at_high(service):
    key, other = service.new_key("run"), service.new_key("run")
    assert execute(service, "print(1)", key=key, agent_id="good-one")["risk_level"] == "medium"
    for i in range(3):
        r = execute(service, HOSTILE % i, key=key, agent_id="bad-one")
        assert [v["class"] for v in r["violations"]] == ["violation"], r
    execute(service, "print(1)", 403, key=key, agent_id="bad-one")
    refused = execute(service, "print(1)", 403, key=key)["error"]
    assert refused["code"] == "policy_denied" and "bad-one" in refused["message"], refused
    fresh = execute(service, "print('new')", key=key, agent_id="new-one")
    assert (fresh["risk_level"], fresh["trust"]["before"]) == ("high", 0.4), fresh
    again = execute(service, "print(2)", key=key, agent_id="good-one")
    assert again["risk_level"] == "medium", "known agents in good standing go on"
    assert execute(service, "print(1)", key=other, agent_id="elsewhere")["risk_level"] == "medium"
    shown = service.request("GET", "/agents/new-one").json()
    assert shown["why"]["family"]["others_kept_out"] == 1 and shown["key_id"].startswith("key-"), shown
    service.request("POST", "/agents/bad-one/release", json={"reason": "test"})
    execute(service, "print(1)", key=key)


def test_one_identical_attack_under_many_ids_is_refused_from_the_second_on_and_then_new_ids_are(service):
    key = service.new_key("run")
    code = HOSTILE % "the same"
    assert execute(service, code, key=key, agent_id="id-0")["violations"]
    for i in (1, 2):
        refused = execute(service, code, 403, key=key, agent_id="id-%d" % i)["error"]
        assert "known as bad" in refused["message"] and "id-0" in refused["message"], refused
    refused = execute(service, "print('another')", 403, key=key, agent_id="id-3")["error"]
    assert "several agents of this key offended" in refused["message"], refused


def test_new_ids_a_key_and_hour_are_limited():
    with Service({"agixt": {"analysis": {"enabled": False}},
                  "rate_limiting": {"per_key": {"max_new_agents_per_hour": 2}}}) as s:
        for i in range(2):
            execute(s, "print(1)", agent_id="n-%d" % i)
        r = s.request("POST", "/execute", json={"language": "python", "code": "print(1)", "agent_id": "n-2"})
        assert r.status_code == 429 and "max_new_agents_per_hour" in r.json()["error"]["message"], r.text
        assert int(r.headers["Retry-After"]) > 3000
        execute(s, "print(2)", agent_id="n-1")
        assert s.request("GET", "/agents/n-2").status_code == 404
