"""The package as such: types, old Pythons, installation, and that the README's examples run."""
import ast
import os
import re
import shutil
import subprocess
import sys
import tarfile
import zipfile

import pytest
import sdk_support as s

SDK = s.ROOT / "sdk/python"
OURS = sorted(p for d in (SDK / "sandbox_agent", SDK / "agixt", s.INTEGRATIONS) for p in d.rglob("*.py"))


def test_mypy_strict_is_clean(tmp_path):
    done = subprocess.run(
        [sys.executable, "-m", "mypy", "--cache-dir", str(tmp_path)], cwd=SDK, capture_output=True, text=True
    )
    if "No module named mypy" in done.stderr:
        s.skip("mypy is not installed (apt-get install mypy)")
    assert done.returncode == 0, done.stdout


def later_than_39(tree):
    """What the grammar of 3.9 accepts and 3.9 does not know: X | Y where an annotation or alias is evaluated."""
    for node in ast.walk(tree):
        notes = [a for a in (getattr(node, "annotation", None), getattr(node, "returns", None)) if a is not None]
        for note in notes:
            for inner in ast.walk(note):
                if isinstance(inner, ast.BinOp) and isinstance(inner.op, ast.BitOr):
                    yield inner.lineno
        if (
            isinstance(node, ast.Call)
            and isinstance(node.func, ast.Name)
            and node.func.id == "zip"
            and any(k.arg == "strict" for k in node.keywords)
        ):
            yield node.lineno
        if isinstance(node, ast.Call) and any(k.arg in ("slots", "kw_only") for k in node.keywords):
            yield node.lineno


@pytest.mark.parametrize("path", OURS, ids=lambda p: "%s/%s" % (p.parent.name, p.name))
def test_module_is_python_39(path):
    tree = ast.parse(path.read_text(), feature_version=(3, 9))
    assert list(later_than_39(tree)) == []


def test_older_grammar_would_be_noticed():
    with pytest.raises(SyntaxError):
        ast.parse("match x:\n  case 1: pass\n", feature_version=(3, 9))
    assert list(later_than_39(ast.parse("def f(x: int | None): pass"))) == [1]


def pip(*words):
    return subprocess.run(
        [
            sys.executable,
            "-m",
            "pip",
            *words,
            "--no-index",
            "--no-build-isolation",
            "--no-deps",
            "--no-cache-dir",
            "-q",
            "--disable-pip-version-check",
        ],
        capture_output=True,
        text=True,
        env={**os.environ, "PIP_NO_INPUT": "1", "PIP_CONFIG_FILE": os.devnull},
    )


def test_both_packages_install_without_a_network(tmp_path):
    if subprocess.run([sys.executable, "-c", "import setuptools, pip, wheel"], capture_output=True).returncode:
        s.skip(
            "pip, setuptools and wheel are not installed (apt-get install python3-pip python3-setuptools python3-wheel)"
        )
    copies = []
    for source in (SDK, s.INTEGRATIONS / "agixt/safeexecute"):
        copies.append(str(tmp_path / source.name))
        shutil.copytree(source, copies[-1], ignore=shutil.ignore_patterns("__pycache__", "build", "*.egg-info"))
    site = tmp_path / "site"
    done = pip("install", "--target", str(site), *copies)
    assert done.returncode == 0, done.stderr
    code = (
        "import sys; sys.path.insert(0, %r); import agixt.sandbox, sandbox_agent, safeexecute; "
        "print(sandbox_agent.__version__)"
        % str(site)
    )
    out = subprocess.run([sys.executable, "-I", "-c", code], capture_output=True, text=True)
    assert out.returncode == 0 and out.stdout.strip(), out.stderr
    assert (
        (site / "sandbox_agent/py.typed").exists()
        and not (site / "agixt/__init__.py").exists()
        and not (site / "tests").exists()
    )


BACKEND = "import sys, setuptools.build_meta as b; sys.argv[0] = 'setup.py'; print(b.%s(sys.argv[1]))"


def built(source, kind, place):
    """The archive that setuptools' own backend makes: what `python3 -m build` and pip call."""
    copy = place / source.name
    if not copy.exists():
        shutil.copytree(source, copy, ignore=shutil.ignore_patterns("__pycache__", "build", "*.egg-info"))
    done = subprocess.run(
        [sys.executable, "-c", BACKEND % ("build_" + kind), str(place)], cwd=copy, capture_output=True, text=True
    )
    assert done.returncode == 0, done.stderr
    return place / done.stdout.split()[-1]


@pytest.mark.parametrize("source", [SDK, s.INTEGRATIONS / "agixt/safeexecute"], ids=lambda p: p.name)
def test_wheel_and_sdist_carry_licence_and_urls(source, tmp_path):
    if subprocess.run([sys.executable, "-c", "import setuptools, wheel"], capture_output=True).returncode:
        s.skip("setuptools and wheel are not installed (apt-get install python3-setuptools python3-wheel)")
    licence = (s.ROOT / "LICENSE").read_bytes()
    assert (source / "LICENSE").read_bytes() == licence
    with zipfile.ZipFile(built(source, "wheel", tmp_path)) as wheel:
        names = wheel.namelist()
        assert [wheel.read(n) for n in names if n.rpartition("/")[2] == "LICENSE"] == [licence]
        metadata = [wheel.read(next(n for n in names if n.endswith(".dist-info/METADATA"))).decode()]
    with tarfile.open(built(source, "sdist", tmp_path)) as sdist:
        files = {m.name.partition("/")[2]: m for m in sdist.getmembers()}
        assert sdist.extractfile(files["LICENSE"]).read() == licence
        metadata.append(sdist.extractfile(files["PKG-INFO"]).read().decode())
    for text in metadata:
        assert re.search(r"^License: MIT$", text, re.M) and "License :: OSI Approved :: MIT License" in text
        assert len(re.findall(r"^Project-URL: \w+, https://", text, re.M)) >= 2
    if source == SDK:
        assert {"sandbox_agent/py.typed", "agixt/sandbox/__init__.py"} <= set(
            names
        ) and "agixt/__init__.py" not in names


def test_users_example_works_from_a_checkout(place, tmp_path):
    """README.md: PATH and PYTHONPATH are all that is to be set, and it says so; the configuration's usual place may be
    empty."""
    s.need_program()
    usual = tmp_path / "xdg/sandbox-agent"
    usual.mkdir(parents=True)
    (usual / "config.yaml").write_text(place.config.read_text())
    assert "`export PATH=$PWD/build/bin:$PATH PYTHONPATH=$PWD/sdk/python`" in (s.ROOT / "README.md").read_text()
    code = blocks(s.ROOT / "README.md")[0]
    program = tmp_path / "example.py"
    program.write_text(code)
    env = {
        **os.environ,
        "XDG_CONFIG_HOME": str(tmp_path / "xdg"),
        "PYTHONPATH": "sdk/python",
        "PATH": "%s:%s" % (s.PROGRAM.parent, os.environ["PATH"]),
    }
    for words in ([str(program)], ["-c", code]):
        done = subprocess.run(
            [sys.executable, *words], env=env, cwd=s.ROOT, capture_output=True, text=True, timeout=s.PATIENCE
        )
        assert done.returncode == 0 and done.stdout.startswith("Hello from sandbox!\n"), done.stderr


def blocks(path):
    return re.findall(r"^```python\n(.*?)^```", path.read_text(), re.S | re.M)


@pytest.mark.parametrize("number", range(len(blocks(SDK / "README.md"))))
def test_readme_example_runs(number, service, tmp_path):
    """Against the real service, each by itself, as a reader would paste it."""
    env = {
        **os.environ,
        "PYTHONPATH": str(SDK),
        "SANDBOX_AGENT_URL": service.url,
        "SANDBOX_AGENT_API_KEY": service.key,
        "SANDBOX_AGENT_CONFIG": str(service.place.config),
    }
    done = subprocess.run(
        [sys.executable, "-c", blocks(SDK / "README.md")[number]],
        env=env,
        cwd=tmp_path,
        capture_output=True,
        text=True,
        timeout=60,
    )
    assert done.returncode == 0, done.stderr
