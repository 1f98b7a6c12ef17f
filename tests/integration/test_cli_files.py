"""Files of the caller's: --file brings them in beside the program, --output-dir brings out what it left in /workspace.
Nothing of the caller's is replaced, and no name that a program chose leads out of the directory."""
import hashlib

import pytest
from helpers import MIB


def run(box, language, code, *options, level="low"):
    return box.agent("--risk-level", level, "--language", language, "-c", code, *options)


@pytest.mark.parametrize("level", ["low", "medium"])
def test_a_file_lies_beside_the_program(box, level):
    box.file("rows.csv", "a,b\n1,2\n")
    box.file("tool.py", "def twice(x):\n    return 2 * x\n")
    code = """import tool
rows = open('rows.csv').read()
print(tool.twice(21), rows.split(), open('data/inner.csv').read() == rows)"""
    files = [box.dir / "rows.csv", box.dir / "tool.py", "%s:data/inner.csv" % (box.dir / "rows.csv")]
    done = run(box, "python", code, *(word for f in files for word in ("--file", f)), level=level)
    assert (done.code, done.out) == (0, b"42 ['a,b', '1,2'] True\n"), done


def test_an_empty_file_and_every_byte_come_in_as_they_are(box):
    box.file("empty", "")
    (box.dir / "bytes").write_bytes(bytes(range(256)))
    files = ["--file", box.dir / "empty", "--file", box.dir / "bytes"]
    done = run(box, "bash", "wc -c < empty; sha256sum < bytes", *files)
    found = done.out.decode().split()
    assert done.code == 0 and found[:2] == ["0", hashlib.sha256(bytes(range(256))).hexdigest()], done


@pytest.mark.parametrize("word, why", [
    ("missing.csv", "No such file"), (".", "not a regular file"),
    ("rows.csv:../out", "plain relative path"),
    ("rows.csv:/etc/passwd", "plain relative path"), ("rows.csv:", "plain relative path"),
    ("rows.csv:main.sh", "belongs to the program itself")])
def test_a_file_that_cannot_be_is_refused_by_its_name(box, word, why):
    box.file("rows.csv", "1\n")
    done = run(box, "bash", "echo ran", "--file", str(box.dir) + "/" + word)
    assert done.code == 2 and "--file" in done.words and why in done.words and b"ran" not in done.out, done


def test_a_large_file_is_for_a_volume(box):
    with open(box.dir / "large", "wb") as f:
        f.truncate(9 * MIB)
    done = run(box, "bash", "true", "--file", box.dir / "large")
    assert done.code == 2 and "--volume" in done.words, done


def test_what_the_program_left_comes_out(box):
    out = box.dir / "out"
    code = "mkdir -p a/b; echo one > a/b/one; printf '\\0\\377' > bytes; : > empty; cat given; exit 3"
    done = run(box, "bash", code, "--file", box.file("given", "g\n"), "--output-dir", out)
    assert done.code == 3, done
    found = {str(p.relative_to(out)): p.read_bytes() for p in out.rglob("*") if p.is_file()}
    assert {k: v for k, v in found.items() if k != "given"} == {"a/b/one": b"one\n", "bytes": b"\0\xff", "empty": b""}
    modes = [p.stat().st_mode for p in out.rglob("*") if p.is_file()]
    assert not any(mode & 0o111 for mode in modes), "nothing that came out may be started"


def test_links_and_devices_stay_inside_and_that_is_told(box):
    out = box.dir / "out"
    done = run(box, "bash", "ln -s /etc/passwd link; mkfifo fifo; ln -s / up; echo x > real", "--output-dir", out)
    assert done.code == 0 and "link or special file" in done.words, done
    assert [p.name for p in out.iterdir()] == ["real"]


def test_a_name_that_could_mislead_is_written_so_that_it_cannot(box):
    out = box.dir / "out"
    done = run(box, "python", "open('a\\nb', 'w').write('x'); open('..\\\\c', 'w').write('y')", "--output-dir", out)
    assert done.code == 0 and sorted(p.name for p in out.iterdir()) == ["..\\x5cc", "a\\x0ab"], done


def test_nothing_of_the_callers_is_replaced(box):
    out = box.directory("out")
    (out / "mine").write_text("mine")
    done = run(box, "bash", "echo theirs > mine", "--output-dir", out)
    assert done.code == 2 and "not empty" in done.words and (out / "mine").read_text() == "mine", done


def test_where_nothing_can_be_left_it_is_refused(box):
    done = run(box, "python", "print(1)", "--output-dir", box.dir / "out", level="medium")
    assert done.code == 2 and "/workspace" in done.words and "--volume" in done.words and not done.out, done


def test_it_works_where_no_artifacts_are_kept(box):
    box.user_config({"security": {"store_artifacts": {"enabled": False}}})
    done = run(box, "bash", "echo x > left", "--output-dir", box.dir / "out")
    assert done.code == 0 and (box.dir / "out/left").read_text() == "x\n", done
