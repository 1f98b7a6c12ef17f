"""The TypeScript client (sdk/typescript, docs/typescript.md).

It is built by tsc and laid beside other packages as npm would; then the tests in sdk/typescript/tests run in node: the
client against this service, against a server that breaks off, and its providers by the packages that they are for.
"""
import re
import shutil
import subprocess

import helpers
import pytest
from service import Service

SDK = helpers.ROOT / "sdk/typescript"
MODULES = SDK / "node_modules"
TESTS = SDK / "tests"


@pytest.fixture(scope="module")
def node():
    found = shutil.which("node")
    if not found or not (MODULES / ".stamp").exists():
        helpers.skip("node, or sdk/typescript/node_modules, is missing (npm ci --ignore-scripts, which ./check does)")
    return found


def tsc(node, *options):
    done = subprocess.run([node, MODULES / "typescript/bin/tsc", *options], capture_output=True, text=True, cwd=SDK,
                          timeout=120)
    assert done.returncode == 0, done.stdout + done.stderr


@pytest.fixture(scope="module")
def app(node, tmp_path_factory):
    """A directory in which `import 'sandbox-agent'` finds what the package would hold."""
    place = tmp_path_factory.mktemp("app")
    package = place / "node_modules/sandbox-agent"
    package.mkdir(parents=True)
    for module in MODULES.iterdir():
        (place / "node_modules" / module.name).symlink_to(module)
    shutil.copy(SDK / "package.json", package)
    tsc(node, "--outDir", package / "dist")
    for test in TESTS.glob("*.mjs"):
        shutil.copy(test, place)
    return place


def run_tests(node, app, names, env=()):
    env = {"PATH": "/usr/local/bin:/usr/bin:/bin", "HOME": str(app), **dict(env)}
    code = "".join("await import('./%s.test.mjs')\n" % name for name in names)
    (app / "all.mjs").write_text(code)
    done = subprocess.run([node, "--import", "./absent.mjs", "--test-reporter=tap", "all.mjs"], capture_output=True,
                          text=True, cwd=app, env=env, timeout=170)
    ran = re.findall(r"^ok \d+ - (.*)$", done.stdout, re.M)
    written = [test for name in names
               for test in re.findall(r"^test\('(.*)', async", (TESTS / (name + ".test.mjs")).read_text(), re.M)]
    assert done.returncode == 0, done.stdout + done.stderr
    assert sorted(ran) == sorted(written), done.stdout


def test_the_types_are_what_the_packages_ask_for(node):
    tsc(node, "-p", "tests")


def test_the_client_and_its_providers_work(node, app):
    with Service({"rate_limiting": {"enabled": False}, "endpoints": {"api": {"max_sessions": 16}}}) as service:
        run_tests(node, app, ("sdk", "faults", "providers"),
                  {"SANDBOX_AGENT_URL": service.url, "SANDBOX_AGENT_API_KEY": service.override(),
                   "STRICT_KEY": service.new_key("run")})


def test_the_core_uses_web_apis_only():
    """No module of Node, and none of another package, but in the providers."""
    for source in (SDK / "src").glob("*.ts"):
        for name in re.findall(r"""(?:from|import)\s*\(?['"]([^'"]+)""", source.read_text()):
            assert name.startswith("./"), (source, name)
        assert not re.search(r"\b(Buffer|require|__dirname)\b", source.read_text()), source
