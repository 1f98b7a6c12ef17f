"""The operator's page in a real browser, and who may have it. tests/ui/walk.mjs walks once through one browser.
`./check` installs Debian's chromium and tests/ui; PAGE_SHOTS=DIRECTORY keeps the three screenshots of docs/page.md."""
import http.cookies
import json
import os
import re
import shutil
import signal
import subprocess

import pytest
import yaml

import helpers
from service import BASE, Service, error_of

UI = helpers.ROOT / "tests/ui"
CHECKS = re.findall(r'^await check\("([^"]+)"', (UI / "walk.mjs").read_text(), re.M)
HOSTILE = "<img/src=x/onerror=window.owned=1>"
QUOTED = "".join("%%%02X" % b for b in HOSTILE.encode())
# The pool comes from the environment: of the code the scan sees nothing, so it may start.
MINER = '''echo 44AFF > /tmp/wallet.txt
gzip -9c /dev/zero "$POOL" | wc -c
'''
POOL = {"POOL": "stratum+tcp://pool.example.org:4444"}
SHOUT = '''printf '<script>window.owned=1;document.title="owned"</script>\\n'
printf 'user \\342\\200\\256txt.exe\\342\\201\\246 \\033[31mred \\342\\200\\213 \\001\\n'
printf 'x%.0s' {1..20000}; echo
echo '<img src=x onerror=window.owned=1>' > '/tmp/<svg onload=window.owned=1>.txt'
'''


def built():
    modules = helpers.ROOT / "node_modules"
    return (modules / "preact").exists() and any((modules / "@esbuild").glob("linux-*/bin/esbuild"))


def quick_profiles(directory):
    """Medium ends miners, and sees one soon: of so little CPU that a busy machine has it to give."""
    profile = helpers.shipped("medium")
    profile["resources"]["cpu"] = 0.15
    profile["detectors"] = {**profile.get("detectors", {}), "crypto_mining": {"window": "1s", "cpu_share": 0.5}}
    profile["kill_switches"] = ["crypto_mining"]
    profile["rate_limits"] = {"max_executions_per_hour": 50}
    (directory / "medium-risk.yaml").write_text(yaml.safe_dump(profile, sort_keys=False))
    (directory / "medium-risk.yaml").chmod(0o644)
    return str(directory)


@pytest.fixture(scope="module")
def page():
    if not built():
        helpers.skip("sandboxd was built without the page: npm has not filled node_modules")
    s = Service(start=False)
    s.configure({"rate_limiting": {"budgets": {"per_agent": {"max_cpu_time_per_day": "1h"}}},
                 "sandbox": {"paths": {"profiles_dir": quick_profiles(s.directory("profiles"))}}})
    with s:
        s.start()
        yield s


def log_in(service, key):
    session = service.connection()
    headers = {"Authorization": "Bearer " + key, "Origin": service.url}
    return session, session.post(service.url + "/ui/session", headers=headers)


@pytest.mark.long
def test_a_person_walks_through_the_page(page):
    """One test for one walk: where tests are handed out singly, each that shared it would walk again."""
    signal.alarm(900)  # the walk has patience of its own for each step
    chromium, node = shutil.which("chromium"), shutil.which("node", path="/usr/local/bin:/usr/bin:/bin")
    driver = (UI / "node_modules/playwright-core").exists()
    for is_there, what in ((chromium, "chromium"), (node, "node"),
                           (driver, "tests/ui/node_modules (npm ci --ignore-scripts, which ./check does)")):
        if not is_there:
            helpers.skip("no browser: %s is missing" % what)
    admin = page.new_key("admin", "the operator")
    read = page.request("POST", "/keys", json={"name": "<b>reader</b>", "role": "read"}).json()
    runner = page.new_key("run", "the pipeline")
    agents = {"agent": "invoice-bot", "honest": "weather-bot", "suspect": "curious-bot"}
    miner = page.finished(page.submit(MINER, "bash", key=runner, agent_id=agents["agent"], env=POOL))
    assert miner["reason"] == "killed" and miner["result"]["kill_switch"] == "crypto_mining", miner
    for _ in range(3):  # of another key: a banned agent makes its family stricter
        page.run("print(42)", agent_id=agents["honest"])
    page.run("print(1)", agent_id=agents["suspect"])
    shout = page.finished(page.submit(SHOUT, "bash", key=runner, agent_id=HOSTILE))
    assert len(shout["result"]["stdout"]) > 20000, shout["result"]
    reason = {"reason": "<script>window.owned=1</script>"}
    assert page.request("POST", "/agents/%s/quarantine" % QUOTED, json=reason).status_code == 200
    lines = (page.log_dir / "audit.jsonl").read_bytes().splitlines()
    tamper = next(i for i, line in enumerate(lines, 1)
                  if b'"execution-finished"' in line and miner["execution_id"].encode() in line)
    home = page.directory("browser")
    given = {
        "url": page.url, "base": BASE, "chromium": chromium, "admin": admin, "admin_name": "the operator",
        "read": read["token"], "read_id": read["id"], "key_name": "the pipeline", **agents, "honest_runs": 3,
        "runner_id": next(k["id"] for k in page.request("GET", "/keys").json()["keys"] if k["name"] == "the pipeline"),
        "miner": miner["execution_id"], "tamper": tamper, "audit": str(page.log_dir / "audit.jsonl"),
        "public_key": (page.state_dir / "audit.pub").read_text().strip(), "shots": os.environ.get("PAGE_SHOTS"),
        "stricter": "languages:\n  bash: {enabled: false}\n",
        "hostile": [["#/runs/" + shout["execution_id"], "Who ran it"], ["#/agents/" + QUOTED, "Trust over time"]],
    }
    env = {"PATH": "/usr/bin:/bin", "HOME": str(home), "TMPDIR": str(home), "LANG": "C.UTF-8"}
    done = subprocess.run([node, UI / "walk.mjs"], input=json.dumps(given), capture_output=True, text=True, timeout=900,
                          env=env, cwd=UI)
    said = [json.loads(line) for line in done.stdout.splitlines()]
    assert said and said[-1] == {"over": True}, "%s\n%s" % (done.stdout[-3000:], done.stderr[-3000:])
    problems = {one["check"]: one["problem"] for one in said[:-1]}
    print("\n".join("%6d ms  %s" % (one["ms"], one["check"]) for one in said[:-1]))
    assert set(problems) == set(CHECKS)
    assert not any(problems.values()), "\n\n".join("%s: %s" % (k, v) for k, v in problems.items() if v)


# ---- what is served, and to whom ----

def test_the_page_is_small_and_its_policy_strict(page):
    total = 0
    for path, kind in (("/ui/", "text/html"), ("/ui/files/page.js", "text/javascript"),
                       ("/ui/files/page.css", "text/css")):
        answer = page.outside("GET", path, stream=True)
        total += len(answer.raw.read())
        policy = answer.headers["Content-Security-Policy"]
        assert answer.headers["Content-Type"].startswith(kind) and answer.headers["Content-Encoding"] == "gzip"
        assert "default-src 'none'" in policy and "trusted-types 'none'" in policy
        assert "unsafe" not in policy and "http" not in policy
        assert answer.headers["X-Content-Type-Options"] == "nosniff"
        assert answer.headers["Cross-Origin-Opener-Policy"] == "same-origin"
        again = page.outside("GET", path, headers={"If-None-Match": answer.headers["ETag"]})
        assert (again.status_code, again.content) == (304, b"")
    assert total <= 120 * 1024
    error_of(page.outside("GET", "/ui/files/nothing.js"), 404, "not_found")


def test_a_session_is_two_secrets_and_one_alone_is_nothing(page):
    session, answer = log_in(page, page.key)
    assert answer.status_code == 201, answer.text
    cookie = http.cookies.SimpleCookie(answer.headers["Set-Cookie"])["sandbox_session"]
    assert cookie["httponly"] and cookie["samesite"] == "Strict" and cookie["path"] == "/"
    header, url = {"X-Sandbox-Session": answer.json()["session"]}, page.url + BASE + "/keys"
    assert session.get(url, headers=header).status_code == 200
    assert session.get(page.url + "/ui/session", headers=header).json()["role"] == "admin"
    error_of(session.get(url), 401, "unauthenticated")  # the cookie alone
    error_of(page.connection().get(url, headers=header), 401, "unauthenticated")  # the header alone
    other, other_answer = log_in(page, page.key)
    error_of(other.get(url, headers=header), 401, "unauthenticated")  # of two sessions one each
    assert session.delete(page.url + "/ui/session", headers={**header, "Origin": page.url}).status_code == 200
    session.cookies.set("sandbox_session", cookie.value)
    error_of(session.get(url, headers=header), 401, "unauthenticated")
    assert other.get(url, headers={"X-Sandbox-Session": other_answer.json()["session"]}).status_code == 200


def test_what_changes_something_comes_from_our_own_origin(page):
    session, answer = log_in(page, page.key)
    header, url = {"X-Sandbox-Session": answer.json()["session"]}, page.url + BASE + "/agents/someone/ban"
    others = ("http://127.0.0.1:1", "https://127.0.0.1:1", "null", "http://elsewhere.example", "ftp" + page.url[4:])
    for origin in (None, *others):
        headers = {**header, **({"Origin": origin} if origin else {})}
        refused = session.post(url, headers=headers, json={"reason": "test"})
        assert refused.status_code in (401, 403), (origin, refused.text)
    assert session.post(url, headers={**header, "Origin": page.url}, json={"reason": "test"}).status_code == 200
    behind = {"Origin": "https" + page.url.removeprefix("http")}  # a proxy of that name has ended TLS
    again = page.connection().post(page.url + "/ui/session", headers={**behind, "Authorization": "Bearer " + page.key})
    assert again.status_code == 201 and "; Secure" in again.headers["Set-Cookie"]
    assert "Secure" not in answer.headers["Set-Cookie"]
    assert session.post(url, headers={**header, **behind}, json={"reason": "test"}).status_code in (200, 409)
    foreign = page.outside("GET", BASE + "/agents", key=page.key, headers={"Sec-Fetch-Site": "same-site"})
    assert foreign.status_code == 403  # a page of another port


def test_a_session_is_what_its_key_is(page):
    error_of(log_in(page, page.new_key("run"))[1], 403, "forbidden")
    error_of(log_in(page, "sa_" + "B" * 43)[1], 401, "unauthenticated")
    made = page.request("POST", "/keys", json={"name": "soon gone", "role": "read"}).json()
    session, answer = log_in(page, made["token"])
    header = {"X-Sandbox-Session": answer.json()["session"]}
    assert session.get(page.url + BASE + "/agents", headers=header).status_code == 200
    error_of(session.get(page.url + BASE + "/keys", headers=header), 403, "forbidden")
    gone = page.request("DELETE", "/keys/" + made["id"], params={"reason": "a leaver"})
    assert gone.status_code == 200, gone.text
    for _ in range(2):  # the page asks several things at once: whichever answer comes first says why
        refused = error_of(session.get(page.url + BASE + "/agents", headers=header), 401, "unauthenticated")
        assert "the key was revoked" in refused["message"], refused
    event = page.request("GET", "/audit", params={"action": "key-revoked", "last": 1}).json()["events"][0]
    assert event["event"]["reason"] == "a leaver" and event["user"]["name"] == "first"


def test_beyond_this_machine_and_without_tls_the_page_is_off_and_says_why(page):
    for name in ("Forwarded", "X-Forwarded-For"):  # from anywhere, through a proxy of this machine
        for path in ("/ui/", "/ui/files/page.js"):
            refused = page.outside("GET", path, headers={name: "for=192.0.2.1"})
            assert "without TLS" in error_of(refused, 403, "forbidden")["message"] and "always" in refused.text
    headers = {"Authorization": "Bearer " + page.key, "Origin": page.url, "X-Forwarded-For": "192.0.2.1"}
    refused = page.connection().post(page.url + "/ui/session", headers=headers)
    assert refused.status_code == 403 and "Set-Cookie" not in refused.headers


def test_the_files_of_the_audit_come_as_they_are(page):
    files = page.request("GET", "/audit/files").json()
    assert files["first_line"] == 1 and files["files"][-1]["name"] == "audit.jsonl"
    size = files["files"][-1]["size"]
    have = (page.log_dir / "audit.jsonl").read_bytes()
    assert page.request("GET", "/audit/files/audit.jsonl").content[:size] == have[:size]
    end = page.request("GET", "/audit/files/audit.jsonl", params={"offset": size - 10}).content
    assert end[:10] == have[size - 10:size]
    for name in ("audit.key", "..%2fstate%2faudit.key", "audit.idx", "%2fetc%2fpasswd"):
        error_of(page.request("GET", "/audit/files/" + name), 404, "not_found")


def test_what_if_says_what_is_wrong_with_a_configuration(page):
    def refused(body):
        return error_of(page.request("POST", "/policy/test", json=body), 422, "invalid_value")
    page.run("print(1)", agent_id="what-if")
    assert "config" in refused({})["message"]
    assert refused({"config": "sandbox:\n  enabeld: true\n"})["message"].startswith("config:2")
    assert "--since never" in refused({"config": "sandbox: {}", "since": "never"})["message"]
    assert refused({"config": "[" * 100000})["message"].startswith("config")
    other = {"config": "languages:\n  python: {enabled: false}\n"}
    said = page.request("POST", "/policy/test", json=other).json()
    mine = [d for d in said["differences"] if d["agent_id"] == "what-if"]
    assert mine and all(d["would_be"] == {"level": None, "refused_by": "languages.enabled"} for d in mine), said
    assert said["decisions"] + said["runs"] >= said["differ"] == len(said["differences"])
    assert not said["unreadable_lines"]
    later = page.request("POST", "/policy/test", json={**other, "since": "2100-01-01T00:00:00Z"}).json()
    counts = ("decisions", "runs", "runs_without_activity", "differ", "unreadable_lines")
    assert later == {"differences": [], **dict.fromkeys(counts, 0)}


def test_types_are_right(tmp_path):
    compiler = UI / "node_modules/.bin/tsc"
    if not compiler.exists() or not built():
        helpers.skip("no checker of types: tests/ui/node_modules or node_modules is missing (./check installs both)")
    env = {"PATH": "/usr/local/bin:/usr/bin:/bin", "HOME": str(tmp_path)}
    done = subprocess.run([compiler, "-p", helpers.ROOT / "ui"], capture_output=True, text=True, timeout=170, env=env)
    assert done.returncode == 0, done.stdout + done.stderr


def test_no_source_of_the_page_makes_markup_of_text():
    for file in (helpers.ROOT / "ui").glob("*.ts*"):
        markup = r"\w*(innerHTML|outerHTML)|insertAdjacent|document\.write|eval\(|new Function|https?://"
        assert not re.search(markup, file.read_text(), re.I), file
