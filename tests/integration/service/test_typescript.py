"""The TypeScript client (sdk/typescript, docs/typescript.md), and the pages for people who come from elsewhere.

It is built by tsc and laid beside other packages as npm would; then the tests in sdk/typescript/tests run in node: the
client against this service, against a server that breaks off, and its providers by the packages that they are for. What
docs/typescript.md, docs/from-docker.md and docs/from-e2b.md show is run as well.
"""
import base64
import contextlib
import json
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
    for test in TESTS.glob("*.m*s"):
        shutil.copy(test, place)
    return place


def run(node, app, name, env):
    env = {"PATH": "/usr/local/bin:/usr/bin:/bin", "HOME": str(app), **env}
    done = subprocess.run([node, "--import", "./absent.mjs", "--test-reporter=tap", name], capture_output=True,
                          text=True, cwd=app, env=env, timeout=170)
    assert done.returncode == 0, done.stdout + done.stderr
    return done.stdout


@pytest.fixture(scope="module")
def service():
    with Service({"rate_limiting": {"enabled": False}, "endpoints": {"api": {"max_sessions": 16}}}) as s:
        strict = s.new_key("run")
        s.client_env = {"SANDBOX_AGENT_URL": s.url, "SANDBOX_AGENT_API_KEY": s.override(), "STRICT_KEY": strict,
                        "ADMIN_KEY": s.key,
                        "E2B_API_URL": s.url, "E2B_SANDBOX_URL": s.url,
                        "E2B_API_KEY": "e2b_" + base64.urlsafe_b64decode(strict[3:] + "=").hex()}
        yield s


def test_the_core_uses_web_apis_only():
    """No module of Node, and none of another package, but in the providers."""
    for source in (SDK / "src").glob("*.ts"):
        for name in re.findall(r"""(?:from|import)\s*\(?['"]([^'"]+)""", source.read_text()):
            assert name.startswith("./"), (source, name)
        assert not re.search(r"\b(Buffer|require|__dirname)\b", source.read_text()), source


def test_the_client_and_its_providers_work(node, app, service):
    names = ("sdk", "faults", "providers", "mastra-e2b")
    (app / "all.mjs").write_text("".join("await import('./%s.test.mjs')\n" % name for name in names))
    said = run(node, app, "all.mjs", service.client_env)
    written = [test for name in names
               for test in re.findall(r"^test\('(.*)', async", (TESTS / (name + ".test.mjs")).read_text(), re.M)]
    assert sorted(re.findall(r"^ok \d+ - (.*)$", said, re.M)) == sorted(written), said


def test_a_browser_uses_the_client_from_the_services_own_origin(node, app, service):
    chromium, driver = shutil.which("chromium"), helpers.ROOT / "tests/ui/node_modules/playwright-core"
    if not chromium or not driver.exists():
        helpers.skip("no browser: chromium, or tests/ui/node_modules, is missing (./check installs both)")
    (app / "node_modules/playwright-core").symlink_to(driver)
    done = subprocess.run([node, "browser.mjs", chromium, app / "node_modules/sandbox-agent/dist"], capture_output=True,
                          text=True, cwd=app, timeout=170, env={"PATH": "/usr/local/bin:/usr/bin:/bin",
                                                                "HOME": str(app), **service.client_env})
    said = json.loads(done.stdout or "{}")
    assert said["own"] == ["run\nin", "run\nin", "\ufffd\ntyped", [255, 10], 502], done
    assert "ConnectionLost" in said["other"], said


# ---- the pages ----

def table(document):
    """-> rows of its first table: cells, of what is code the code"""
    lines = [line for line in (helpers.ROOT / "docs" / document).read_text().splitlines() if line.startswith("| ")]
    for line in lines[1:]:
        cells = [c.strip().replace("\\|", "|") for c in re.split(r"(?<!\\)\|", line)[1:-1]]
        yield [re.fullmatch(r"`(.*)`|()", cell).group(1) or "" for cell in cells]


def test_the_types_are_what_the_packages_ask_for_and_the_page_of_the_client_works(node, app, service):
    """types.mts says which object is to be of which type of a package; both are compiled at once."""
    blocks = re.findall(r"^```ts\n(.*?)^```$", (helpers.ROOT / "docs/typescript.md").read_text(), re.M | re.S)
    assert len(blocks) == 4
    source = app / "page.mts"
    source.write_text("".join(blocks))
    tsc(node, "--ignoreConfig", "--strict", "--target", "es2022", "--module", "nodenext", "--skipLibCheck",
        "--types", "", source, app / "types.mts")
    assert run(node, app, "page.mjs", service.client_env).startswith("42\n completed 0 ")


def test_what_docker_does_is_done_here(service):
    box = helpers.Box()
    with contextlib.closing(box):
        box.file("cwd/project/data.txt", "data\n")
        rows = [(here, prints) for _, here, prints in table("from-docker.md")]
        assert len(rows) >= 10
        script = "".join("%s\necho \"= $?\"\n" % here for here, _ in rows)
        env = {**box.env, **service.client_env, "PATH": "%s:/usr/bin:/bin" % helpers.AGENT.parent}
        done = subprocess.run(["bash", "-c", script], capture_output=True, text=True, cwd=box.cwd, env=env, timeout=170)
        assert done.stdout == "".join((prints + "\n" if prints else "") + "= 0\n" for _, prints in rows), done


def in_javascript(cell, number):
    """A line of the page: what it declares, and what it gives as a line of JSON."""
    declares, _, gives = cell.partition("; ") if cell.startswith("const ") else ("", "", cell)
    shown = "console.log(%d, JSON.stringify((%s)))" % (number, gives) if gives else ""
    return "%s\n%s\n" % (declares, shown)


def test_what_e2b_does_is_done_here(node, app, service):
    modules = helpers.ROOT / "tests/e2b/node_modules"
    if not (modules / "@e2b").exists():
        helpers.skip("tests/e2b/node_modules is missing (npm ci --ignore-scripts, which ./check does)")
    for name in ("@e2b", "e2b"):
        place = app / "node_modules" / name
        place.unlink(missing_ok=True)  # Mastra's, of the same version
        place.symlink_to(modules / name)
    rows = list(table("from-e2b.md"))
    assert len(rows) >= 10
    for side, package in enumerate(("@e2b/code-interpreter", "sandbox-agent")):
        script = app / ("side%d.mjs" % side)
        script.write_text("import { Sandbox } from '%s'\n" % package +
                          "".join(in_javascript(row[side], number) for number, row in enumerate(rows)))
        said = dict(line.split(" ", 1) for line in run(node, app, script.name, service.client_env).splitlines())
        for number, row in enumerate(rows):
            assert not row[2] or said[str(number)] == row[2], (package, row, said)
