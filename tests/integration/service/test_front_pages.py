"""The page of each front begins with an example: it is run as it stands there, but for the address."""
import json
import re
import shutil
import subprocess

import helpers
import pytest
from test_e2b import e2b_form
from test_piston import Piston


@pytest.fixture(scope="module")
def service():
    with Piston() as s:
        yield s


def page(name):
    return (helpers.ROOT / "docs" / (name + ".md")).read_text()


def block(name, language):
    """-> the first block of this language"""
    return re.search(r"^```%s\n(.*?)^```$" % language, page(name), re.M | re.S).group(1)


def exported(name):
    """-> {variable: value} of the lines that the page has exported"""
    lines = re.findall(r"^    export (.*?)(?:\s+#.*)?$", page(name), re.M)
    return dict(word.split("=", 1) for line in lines for word in line.split())


def run(name, service, tmp_path, env=(), change=lambda code: code):
    """Runs the page's JavaScript with the packages of tests/NAME. -> its output"""
    node, modules = shutil.which("node"), helpers.ROOT / "tests" / name / "node_modules"
    if not node or not modules.exists():
        helpers.skip("node, or tests/%s/node_modules, is missing (npm ci --ignore-scripts, which ./check does)" % name)
    (tmp_path / "node_modules").symlink_to(modules)
    (tmp_path / "page.mjs").write_text(change(block(name, "js")))
    done = subprocess.run([node, "page.mjs"], capture_output=True, text=True, cwd=tmp_path, timeout=120,
                          env={"PATH": "/usr/local/bin:/usr/bin:/bin", "HOME": str(tmp_path), **dict(env)})
    assert done.returncode == 0, done
    return done.stdout


def test_e2bs(service, tmp_path):
    asked = exported("e2b")
    assert set(asked) == {"E2B_API_URL", "E2B_SANDBOX_URL", "E2B_API_KEY"}
    env = {name: service.run_key if value == "$KEY" else service.url for name, value in asked.items()}
    # its key is for one agent, which is another one than the page's
    said = run("e2b", service, tmp_path, {**env, "E2B_API_KEY": service.new_key("run")})
    assert said == "hi\n\n21\n"
    # the line that gives the key's other form
    line = re.search(r"^    (python3 -c .*)$", page("e2b"), re.M).group(1)
    done = subprocess.run(["bash", "-c", line], capture_output=True, text=True, env={"KEY": service.run_key})
    assert done.stdout.strip() == e2b_form(service.run_key), done


def test_daytonas(service, tmp_path):
    asked = exported("daytona")
    assert asked == {"DAYTONA_API_URL": "http://127.0.0.1:8080/api", "DAYTONA_API_KEY": "$KEY"}
    env = {"DAYTONA_API_URL": service.url + "/api", "DAYTONA_API_KEY": service.new_key("run")}
    assert run("daytona", service, tmp_path, env) == "hi\n\n21\n\n"


def test_pistons(service, tmp_path):
    def here(text):
        assert "http://127.0.0.1:2000" in text
        return text.replace("http://127.0.0.1:2000", service.piston)
    assert run("piston", service, tmp_path, change=here) == "42\n\n"
    line = here(re.search(r"^    (curl .*)$", page("piston"), re.M).group(1))
    done = subprocess.run(["bash", "-c", line], capture_output=True, text=True, timeout=120)
    assert json.loads(done.stdout)["run"]["stdout"] == "hi\n", done


def ask(message_id, method, **params):
    return json.dumps({"jsonrpc": "2.0", "id": message_id, "method": method, "params": params})


def one_lines(client):
    """-> what the page's row of this client says: of a program of this machine, and of a service"""
    row = next(line for line in page("mcp").splitlines() if line.startswith("| %s |" % client))
    return [re.findall(r"`([^`]*)`", cell)[-1] for cell in row.split("|")[2:4]]


@pytest.mark.parametrize("client, name", [("Cursor", "mcpServers"), ("VS Code", "servers")])
def test_mcps_configurations(service, client, name):
    own, remote = (json.loads(text)[name]["sandbox"] for text in one_lines(client))
    words = ask(1, "initialize", protocolVersion="2025-06-18", capabilities={},
                clientInfo={"name": "x", "version": "1"})
    call = ask(2, "tools/call", name="run_command", arguments={"command": "echo by one line"})
    env = {"PATH": "%s:/usr/bin:/bin" % helpers.AGENT.parent, "SANDBOX_AGENT_URL": service.url,
           "SANDBOX_AGENT_API_KEY": service.run_key, "HOME": str(service.dir / "home")}
    process = subprocess.Popen([own["command"], *own["args"]], stdin=subprocess.PIPE, stdout=subprocess.PIPE,
                               text=True, env=env)
    process.stdin.write(words + "\n" + call + "\n")
    process.stdin.flush()
    said = {m["id"]: m for m in (json.loads(process.stdout.readline()) for _ in range(2))}
    assert said[2]["result"]["structuredContent"]["stdout"] == "by one line\n", said
    process.stdin.close()
    assert process.wait(60) == 0
    process.stdout.close()
    path = remote["url"].removeprefix("http://127.0.0.1:8080")
    headers = {k: v.replace("…", service.run_key) for k, v in remote["headers"].items()}
    answer = service.outside("POST", path, headers=headers, data=call)
    assert answer.json()["result"]["structuredContent"]["stdout"] == "by one line\n", answer.text


@pytest.mark.parametrize("client", ["Claude Code", "Codex", "Gemini CLI"])
def test_mcps_command_lines_name_the_program_that_there_is(client):
    own = one_lines(client)[0]
    assert own.endswith("sandbox-agent mcp") and " mcp add " in own, own
