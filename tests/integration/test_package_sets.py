"""Package sets: what packages create makes of an index, and what a run sees of a set

The index is one of the small Internet's (package_index.py), with wheels that are made here; npm asks a registry there.
"""
import base64
import json
import os
import shutil
import subprocess

from helpers import need_language, skip
from package_index import index, registry  # noqa: F401


def test_a_set_is_built_from_the_index_and_found_by_a_program(index):
    """Nothing of it runs before the guard: neither .pth files nor sitecustomize. It shadows no module of Python's. Its
    metadata are read in the sandbox only: what they say at length reaches nothing outside."""
    index.configure(scans=True)
    index.wheel({"ourthing.py": "answer = 42\n", "evil.pth": "import sys; print('pth')\n",
                 "json.py": "print('shadow')\n",
                 "risky.py": "import os\nprint(open(os.path.expanduser('~/.ssh/id_rsa')).read())\n",
                 **{"%s.py" % n: "print('site')\n" for n in ("sitecustomize", "usercustomize")}},
                license="MIT\tand" + " more" * 10000, description="[" * (1 << 20))
    made = index.made("science", "ourthing==1.0  # a comment\n")
    shown = index.show("science")
    assert shown["scan"]["scanned"] == 6 and shown["scan"]["left_out"] == 0
    assert any(f["example"] == "risky.py:2" for f in shown["scan"]["findings"]), shown["scan"]
    index.configure()
    assert shown["tree"] == made["tree"] and shown["kind"] == "python" and shown["owner"] == "uid:%d" % os.getuid()
    licence = ("MIT and" + " more" * 40)[:160]
    assert [(p["name"], p["version"], p["license"]) for p in shown["packages"]] == [("ourthing", "1.0", licence)]
    assert (index.place / "sets/science.json").stat().st_size < 4096
    for level in ("low", "medium"):
        assert index.box.run("python", "import json, ourthing; print(ourthing.answer, ourthing.__file__)", level=level,
                             options=["--packages", "science"]).text == "42 /packages/python/ourthing.py\n"
    refused = index.box.run("python", "open('/packages/python/ourthing.py', 'a')", level="low",
                            options=["--packages", "science"])
    assert refused.code == 1 and b"PermissionError" in refused.err
    at_high = index.box.run("python", "print(1)", level="high", options=["--packages", "science"])
    at_high.refused(123, "packages.allow", "science")
    index.box.run("node", "1", level="low", options=["--packages", "science"]).refused(2, "--packages", "python")
    index.box.run("python", "1", level="low", options=["--packages", "none"]).refused(2, "packages none", "no such set")
    assert index.names() == ["science"] and index.left() == []
    lock = index.box.agent("packages", "show", "science", "--lock").text
    assert index.made("again", lock)["tree"] == made["tree"] and len(os.listdir(index.place / "trees")) == 1


SOURCE = """#include <Python.h>
static PyObject *answer(PyObject *s, PyObject *a) { (void)s; (void)a; return PyLong_FromLong(42); }
static PyMethodDef methods[] = {{"answer", answer, METH_NOARGS, ""}, {0}};
static struct PyModuleDef module = {PyModuleDef_HEAD_INIT, "native", "", -1, methods, 0, 0, 0, 0};
PyMODINIT_FUNC PyInit_native(void) { return PyModule_Create(&module); }
"""


def compiled(box):
    """-> an extension module, for the Python that runs programs"""
    ask = "import sysconfig; print(sysconfig.get_paths()['include'], sysconfig.get_config_var('EXT_SUFFIX'))"
    include, suffix = subprocess.run(["/usr/bin/python3", "-I", "-c", ask], capture_output=True, text=True,
                                     check=True).stdout.split()
    if not os.path.exists(include + "/Python.h") or not shutil.which("gcc"):
        skip("gcc or %s/Python.h is not installed (apt-get install gcc python3-dev)" % include)
    box.file("native.c", SOURCE)
    subprocess.run(["gcc", "-shared", "-fPIC", "-I" + include, "-o", box.dir / "native.so", box.dir / "native.c"],
                   check=True)
    return "native" + suffix, (box.dir / "native.so").read_bytes()


def test_native_code_of_a_named_set_works_at_high_within_the_fence(index):
    """The set's modules are allowed beside the level's; one that is called like Python's own stands for nothing."""
    name, content = compiled(index.box)
    index.wheel({name: content, "ctypes.py": "", "helper.py": "import os\ndef uid(): return os.getuid()\n"})
    index.made("native", "ourthing\n")
    assert index.show("native")["native_files"] == 1
    profile = index.box.derive("high", packages__allow=["native"])
    run = lambda code: index.box.run("python", code, profile=profile, options=["--packages", "native"])
    assert run("import math, native, helper; print(native.answer(), helper.uid())").text == "42 65534\n"
    for module in ("ctypes", "os", "socket"):
        done = run("import %s" % module)
        assert done.code == 1 and b"at this risk level" in done.err, done
    other = index.box.derive("high", packages__allow=["another"])
    index.box.run("python", "1", profile=other, options=["--packages", "native"]).refused(123, "packages.allow")


def test_a_set_of_node_packages(index):
    """npm itself, without scripts; require() and import find the set."""
    need_language("node")
    if not os.access("/usr/bin/npm", os.X_OK):
        skip("npm is not installed (apt-get install npm)")
    manifest = json.dumps({"dependencies": {"ourthing": "^1.0.0"}})
    registry(index, integrity="sha512-" + base64.b64encode(bytes(64)).decode())
    done = index.create("web", manifest, kind="--node")
    assert done.code == 1 and b"do not trust it" in done.err, done
    registry(index)
    index.made("web", manifest, kind="--node")
    assert [(p["name"], p["version"], p["license"], p["hash"][:7]) for p in index.show("web")["packages"]] == [
        ("ourthing", "1.0.0", "ISC", "sha512-")]
    code = ("console.log(require('ourthing').answer);\nimport('ourthing').then(m => console.log(m.default.answer));\n")
    for level in ("low", "medium"):
        assert index.box.run("node", code, level=level, options=["--packages", "web"]).text == "42\n42\n"
    seen = index.box.command("/bin/ls", "/node_modules/ourthing", level="low", options=["--packages", "web"])
    assert seen.text.split() == ["index.js", "package.json"]
    index.box.run("python", "1", level="low", options=["--packages", "web"]).refused(2, "--packages", "node")
    assert index.names() == ["web"] and index.left() == []
