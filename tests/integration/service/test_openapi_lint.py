"""docs/openapi.yaml by an OpenAPI linter, and what a linter does not see. The linter is npm's @redocly/cli, pinned with its hash in tests/openapi: `./check` fetches it,
`./try` does not."""
import os
import shutil
import subprocess

import helpers
import pytest

DOCUMENT = helpers.ROOT / "docs/openapi.yaml"
LINTER = helpers.ROOT / "tests/openapi/node_modules/@redocly/cli/bin/cli.js"


def lint(document, tmp_path):
    node = shutil.which("node", path="/usr/local/bin:/usr/bin:/bin")
    if not node or not LINTER.exists():
        helpers.skip("no linter: %s is missing (npm ci --ignore-scripts in tests/openapi, which ./check does)" % (LINTER if node else "node"))
    version = subprocess.run([node, "--version"], capture_output=True, text=True, timeout=60).stdout.strip()
    if tuple(map(int, version.lstrip("v").split(".")[:2])) < (20, 19):
        helpers.skip("the linter needs node 20.19 or newer, and this is %s" % version)
    env = {"PATH": os.environ["PATH"], "HOME": str(tmp_path), "REDOCLY_TELEMETRY": "off", "REDOCLY_SUPPRESS_UPDATE_NOTICE": "true", "CI": "1", "NO_COLOR": "1"}
    return subprocess.run([node, str(LINTER), "lint", str(document), "--format=stylish"], capture_output=True, text=True, timeout=300, env=env, cwd=tmp_path)


def test_the_document_passes_the_linter(tmp_path):
    done = lint(DOCUMENT, tmp_path)
    assert done.returncode == 0 and "is valid" in done.stdout + done.stderr, done.stdout + done.stderr


@pytest.mark.parametrize("old, new", [('description: "what was not, and why"', "description: what was not, and why"), ("/schemas/Isolation\"}", "/schemas/Insulation\"}"),
                                      ("operationId: listAgents", "operationId: listKeys")], ids=["a comma that splits a text", "a reference into nothing", "an id twice"])
def test_the_linter_finds_what_is_wrong(tmp_path, old, new):
    text = DOCUMENT.read_text()
    assert old in text
    broken = tmp_path / "broken.yaml"
    broken.write_text(text.replace(old, new, 1))
    assert lint(broken, tmp_path).returncode != 0


def test_no_text_of_the_document_was_split_by_a_comma():
    """A flow mapping takes the rest of an unquoted text for a member without a value."""
    def walk(node, at):
        for key, value in node.items() if isinstance(node, dict) else enumerate(node) if isinstance(node, list) else ():
            assert value is not None or at.endswith("enum"), "%s/%s has no value" % (at, key)
            walk(value, "%s/%s" % (at, key))
    walk(helpers.from_yaml(DOCUMENT.read_text()), "")


def test_lock_files_name_no_registry():
    for name in ("package-lock.json", *("tests/%s/package-lock.json" % d for d in ("openapi", "schemas", "ui"))):
        text = (helpers.ROOT / name).read_text()
        assert '"resolved"' not in text and "://registry" not in text and '"integrity"' in text, name
