"""docs/openapi.yaml by an OpenAPI linter, and what a linter does not see. The linter is npm's @redocly/cli, pinned with
its hash in tests/openapi: `./check` fetches it,
`./try` does not."""
import json
import os
import pathlib
import shutil
import subprocess

import helpers

DOCUMENT = helpers.ROOT / "docs/openapi.yaml"
LINTER = helpers.ROOT / "tests/openapi/node_modules/@redocly/cli/bin/cli.js"


def lint(*documents, at):
    node = shutil.which("node", path="/usr/local/bin:/usr/bin:/bin")
    if not node or not LINTER.exists():
        helpers.skip("no linter: %s is missing (npm ci --ignore-scripts in tests/openapi, which ./check does)"
                     % (LINTER if node else "node"))
    version = subprocess.run([node, "--version"], capture_output=True, text=True, timeout=60).stdout.strip()
    if tuple(map(int, version.lstrip("v").split(".")[:2])) < (20, 19):
        helpers.skip("the linter needs node 20.19 or newer, and this is %s" % version)
    env = {"PATH": os.environ["PATH"], "HOME": str(at), "REDOCLY_TELEMETRY": "off",
           "REDOCLY_SUPPRESS_UPDATE_NOTICE": "true", "CI": "1", "NO_COLOR": "1"}
    return subprocess.run([node, str(LINTER), "lint", *map(str, documents), "--format=json"], capture_output=True,
                          text=True, timeout=300, env=env, cwd=at)


# What is replaced in the document, and what the linter then says of it.
FAULTS = {"a-comma-that-splits-a-text.yaml": ('description: "what was not, and why"',
                                              "description: what was not, and why"),
          "a-reference-into-nothing.yaml": ("/schemas/Isolation\"}", "/schemas/Insulation\"}"),
          "an-id-twice.yaml": ("operationId: listAgents", "operationId: listKeys")}


def test_the_document_passes_the_linter_and_what_is_wrong_is_found(tmp_path):
    """In one run, since a start of the linter costs more than reading a document."""
    text = DOCUMENT.read_text()
    for name, (old, new) in FAULTS.items():
        assert old in text, name
        (tmp_path / name).write_text(text.replace(old, new, 1))
    done = lint(DOCUMENT, *(tmp_path / name for name in FAULTS), at=tmp_path)
    problems = [p for report in json_objects(done.stdout) for p in report["problems"] if p["severity"] == "error"]
    found = {pathlib.Path(place["source"]["ref"]).name for p in problems for place in p["location"]}
    assert found == set(FAULTS), done.stdout + done.stderr


def json_objects(text):
    """One report a document, one behind the other."""
    decoder, at = json.JSONDecoder(), 0
    while text[at:].strip():
        at = text.index("{", at)
        value, at = decoder.raw_decode(text, at)
        yield value


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
