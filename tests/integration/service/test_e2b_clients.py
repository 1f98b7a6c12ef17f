"""E2B's own packages from npm, unchanged, against the front (docs/e2b.md): each case is one of tests/e2b/client.mjs."""
import base64
import json
import re
import shutil
import subprocess

import helpers
import pytest
from service import Service

PACKAGES = helpers.ROOT / "tests/e2b"
SCRIPT = PACKAGES / "client.mjs"
GROUPS = ("commands", "files", "control", "code", "compute")


@pytest.fixture(scope="module")
def service():
    with Service({"rate_limiting": {"enabled": False}}) as s:
        s.run_key = s.new_key("run")
        yield s


def e2b_form(key):
    """The same key as E2B's clients want to see one; docs/e2b.md has this line."""
    return "e2b_" + base64.urlsafe_b64decode(key[3:] + "=").hex()


def environment(service):
    return {"PATH": "/usr/local/bin:/usr/bin:/bin", "HOME": str(service.dir / "home"), "E2B_API_KEY": e2b_form(service.run_key),
            "E2B_API_URL": service.url, "E2B_SANDBOX_URL": service.url}


@pytest.mark.parametrize("group", GROUPS)
def test_e2bs_own_client_works(service, group):
    node = shutil.which("node")
    if not node or not (PACKAGES / "node_modules/e2b").exists():
        helpers.skip("node, or tests/e2b/node_modules, is missing (npm ci --ignore-scripts, which ./check does)")
    names = re.findall(r"^  async '([^']+)'", re.search(r"const %s = \{(.*?)\n\}" % group, SCRIPT.read_text(), re.S).group(1), re.M)
    done = subprocess.run([node, SCRIPT, group], capture_output=True, text=True, timeout=170, env=environment(service))
    said = [json.loads(line) for line in done.stdout.splitlines()]
    assert done.returncode == 0 and [s["name"] for s in said] == names, done
    assert not [s for s in said if s["error"]], "\n".join(s["name"] + ": " + s["error"] for s in said if s["error"])
