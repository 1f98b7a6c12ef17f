"""Other people's programs against /mcp and `sandbox-agent mcp`.

The protocol's conformance suite, and the inspector's command line. Both from npm, by the hashes in tests/mcp, which
`./check` fetches; nothing of either is changed (node20.mjs lets Node 20 load the suite).
"""
import concurrent.futures
import json
import os
import re
import shutil
import subprocess

import helpers
import pytest
from service import Service

PACKAGES = helpers.ROOT / "tests/mcp"
SUITE = PACKAGES / "node_modules/@modelcontextprotocol/conformance/dist/index.js"
# what its mcp-inspector-cli starts
INSPECTOR = PACKAGES / "node_modules/@modelcontextprotocol/inspector-cli/build/index.js"

# Scenarios for tools, prompts and resources that a server has only for
# this suite: docs/mcp.md lists them. Of two others it asks both.
PASSED = {"2026-07-28": {"tools-list": "4 passed, 0 failed", "server-sse-multiple-streams": "1 passed, 0 failed",
    "sep-2164-resource-not-found": "2 passed, 0 failed", "dns-rebinding-protection": "2 passed, 0 failed",
    "http-header-validation": "14 passed, 0 failed",
    "input-required-result-missing-input-response": "1 passed, 0 failed",
    "input-required-result-unsupported-methods": "2 passed, 0 failed",
    "input-required-result-ignore-extra-params": "1 passed, 0 failed",
    "input-required-result-validate-input": "3 passed, 0 failed", "server-stateless": "21 passed, 4 failed",
    "caching": "4 passed, 3 failed"}, "2025-11-25": {"server-initialize": "3 passed, 0 failed",
    "server-session-lifecycle": "3 passed, 0 failed", "ping": "2 passed, 0 failed", "tools-list": "3 passed, 0 failed",
    "server-sse-polling": "0 passed, 0 failed", "server-sse-multiple-streams": "1 passed, 0 failed",
    "dns-rebinding-protection": "2 passed, 0 failed"},}
NEEDS_FIXTURES = re.compile(
    "tools-call-.*|completion-complete|json-schema-2020-12|resources-.*|prompts-.*|logging-set-level|elicitation-.*|"
    "http-custom-header-server-validation|input-required-result-.*")


def need(path):
    node = shutil.which("node")
    if not node or not path.exists():
        helpers.skip("%s is missing (npm ci --ignore-scripts in tests/mcp, which ./check does)" %
            (path if node else "node"))
    return [node, "--import", str(PACKAGES / "node20.mjs"), str(path)]


@pytest.fixture(scope="module")
def open_service():
    """The suite has no keys."""
    with Service({"rate_limiting": {"enabled": False}, "security": {"require_authentication": False}}) as s:
        yield s


def scenarios(service, version, place):
    """-> {scenario: «N passed, M failed»}"""
    done = subprocess.run([*need(SUITE), "server", "--url", service.url + "/mcp", "--suite", "all", "--spec-version",
        version, "-o", str(place)], capture_output=True, text=True, timeout=170, cwd=place, env={**os.environ,
        "NO_COLOR": "1"})
    summary = re.sub(r"\x1b\[[0-9;]*m", "", done.stdout).partition("=== SUMMARY ===")[2]
    found = dict(re.findall(r"^. ([a-z0-9-]+): (\d+ passed, \d+ failed)", summary, re.M))
    assert found, done.stdout[-3000:] + done.stderr[-3000:]
    return found


def test_the_conformance_suite_passes_what_needs_no_fixtures_of_its_own(open_service, tmp_path):
    """At the same time: most of it is waiting for time limits of the suite's own."""
    with concurrent.futures.ThreadPoolExecutor(2) as pool:
        jobs = {}
        for version in PASSED:
            (tmp_path / version).mkdir()
            jobs[version] = pool.submit(scenarios, open_service, version, tmp_path / version)
    for version, job in jobs.items():
        found = job.result()
        assert {name: found.get(name) for name in PASSED[version]} == PASSED[version], version
        assert not [name for name in found if name not in PASSED[version] and not NEEDS_FIXTURES.fullmatch(name)], found


def inspect(*words):
    done = subprocess.run([*need(INSPECTOR), *map(str, words)], capture_output=True, text=True,
                          timeout=120, cwd=INSPECTOR.parent)  # where it looks for its package.json
    assert done.returncode == 0, done
    return json.loads(done.stdout)


def test_the_inspectors_command_line_lists_and_calls_over_http_and_by_a_key(open_service):
    url = open_service.url + "/mcp"
    listed = inspect(url, "--transport", "http", "--method", "tools/list")
    assert {"run_code", "session_start"} <= {t["name"] for t in listed["tools"]}
    called = inspect(url, "--transport", "http", "--header", "Authorization: Bearer " + open_service.key, "--method",
        "tools/call", "--tool-name", "run_code", "--tool-arg", "language=bash", "--tool-arg", "code=echo inspected")
    assert called["structuredContent"]["stdout"] == "inspected\n" and called["isError"] is False


def test_the_inspectors_command_line_calls_over_standard_input_and_output(open_service):
    called = inspect("env", "SANDBOX_AGENT_URL=" + open_service.url, "SANDBOX_AGENT_API_KEY=" + open_service.key,
        helpers.AGENT, "mcp", "--method", "tools/call", "--tool-name", "run_command", "--tool-arg",
        "command=echo by stdio")
    assert called["structuredContent"]["stdout"] == "by stdio\n"
