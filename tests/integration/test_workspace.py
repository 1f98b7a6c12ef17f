"""Files left in /workspace: where the plan lets them out, what of them is kept, and that it changes nothing for the
program."""
import json
import os

import pytest
from helpers import LEVELS, MIB, Left, exit_code, need_language, shipped

TRUE = ("--", "/bin/true")


def kept(box, *words, level="low"):
    return box.plan("--risk-level", level, *words, *TRUE)["workspace_kept"]


# ---- the plan ----

@pytest.mark.parametrize("level", LEVELS[:2])
def test_what_is_left_is_kept_where_the_profile_lets_it_be_written(box, level):
    writable = "/workspace" in shipped(level)["filesystem"]["writable_paths"]
    assert kept(box, level=level) == ("/workspace" if writable else None)
    assert writable is (level == "low")


def test_the_plan_for_people_says_how_much(box):
    box.user_config({"security": {"store_artifacts": {"max_size": "3m"}}})
    text = box.agent("--dry-run", "--risk-level", "low", *TRUE).text
    assert "\nkept         what the program leaves in /workspace, up to 3m\n" in text
    assert "\nkept " not in box.agent("--dry-run", "--risk-level", "medium", *TRUE).text


@pytest.mark.parametrize("values", [{"enabled": False}, {"max_size": 0}])
def test_without_artifacts_nothing_is_let_out(box, values):
    box.user_config({"security": {"store_artifacts": values}})
    assert kept(box) is None


def test_a_volume_over_the_workspace_is_not_copied_and_one_below_it_does_not_stop_the_rest(box):
    place = box.directory("data")
    assert kept(box, "--volume", "%s:/workspace:rw" % place) is None
    assert kept(box, "--volume", "%s:/workspace/data:rw" % place) == "/workspace"


def test_a_profile_that_hides_the_workspace_keeps_nothing(box):
    profile = box.derive("low", filesystem__blocked_paths=["/workspace"])
    assert box.plan("--profile", profile, *TRUE)["workspace_kept"] is None


# ---- the run ----

def test_the_program_gets_no_descriptor_more(box):
    done = box.run("bash", "ls /proc/self/fd\n", level="low")
    assert done.code == 0 and done.out.split() == [b"0", b"1", b"2", b"3"], done  # 3 is the directory that ls reads


@pytest.mark.parametrize("end, code", [("exit 0", 0), ("exit 3", 3), ("kill -9 $$", 137), ("sleep 60", 124)])
def test_a_full_workspace_changes_nothing_in_how_a_run_ends(box, end, code):
    """Nothing is copied inside: it costs the sandbox no memory, even where /workspace holds nearly all of it."""
    script = "head -c %d /dev/zero >/workspace/large; ls -l /workspace/large | cut -d' ' -f5; %s\n" % (100 * MIB, end)
    done = box.run("bash", script, level="low",
                   options=["--memory", "128m", "--timeout", "3" if "sleep" in end else "60"])
    assert (done.code, done.out) == (code, b"%d\n" % (100 * MIB)), done


def test_a_hostile_tree_delays_no_result(box):
    script = ("cd /workspace; mkfifo fifo; ln -s / root; for i in $(seq 300); do mkdir d; cd d; done; cd /workspace; "
              "seq 20000 | xargs touch\n")
    done = box.run("bash", script, level="low")
    assert done.code == 0 and done.seconds < 30, done


# ---- what is kept ----

def run(box, script, level="low", profile=None, options=(), code=0):
    r = box.json("bash", script, level=level, profile=profile, options=options)
    assert exit_code(r) == code, r
    return Left(box, r)


def test_files_are_kept_with_their_paths_and_contents(box):
    left = run(box, "cd /workspace; echo one >a; mkdir -p d/e; printf 'two\\0' >d/e/b; : >empty; echo no >/tmp/c; head "
                    "-c 300000 /dev/zero >zeros\n")
    assert left.files == {"a": b"one\n", "d/e/b": b"two\0", "empty": b"", "zeros": bytes(300000)} and left.out == {}


@pytest.mark.parametrize("end, code", [("exit 3", 3), ("kill -SEGV $$", 139), ("trap '' TERM; sleep 60", 124)])
def test_files_of_a_program_that_ended_badly_are_kept_too(box, end, code):
    left = run(box, "echo last words >/workspace/log; %s\n" % end, code=code,
               options=["--timeout", "2" if code == 124 else "60"])
    assert left.files == {"log": b"last words\n"} and left.out == {}


def test_files_of_a_program_that_ran_out_of_memory_are_kept_too(box):
    need_language("python")
    code = "open('/workspace/log', 'w').write('before')\nx = [bytearray(b'x' * (1 << 20)) for _ in range(4096)]\n"
    r = box.json("python", code, level="low", options=["--memory", "64m"])
    assert r["reason"] in ("oom", "error") and Left(box, r).files == {"log": b"before"}, r  # error: a MemoryError


def test_files_are_kept_where_the_sandbox_has_no_memory_left_for_a_copy(box):
    left = run(box, "head -c 3000000 /dev/urandom >/workspace/a; head -c %d /dev/zero >/tmp/fill; :\n" % (52 * MIB),
               options=["--memory", "64m"])
    assert len(left.files["a"]) == 3000000


def test_no_link_is_followed_and_nothing_but_files_is_kept(box):
    left = run(box, "cd /workspace; ln -s /etc/passwd a; ln -s / b; ln -s ../tmp c; mkfifo d; echo own >e; ln e f\n")
    assert left.files == {"e": b"own\n", "f": b"own\n"}
    (note,) = left.out.values()
    assert note["left_out"] == "4 link or special file", note


def test_volumes_below_the_workspace_are_not_kept(box):
    place = box.directory("data")
    (place / "host").write_text("the user's")
    os.chmod(place / "host", 0o644)
    for mode in ("ro", "rw"):
        left = run(box, "cat /workspace/data/host >/workspace/seen\n",
                   options=["--volume", "%s:/workspace/data:%s" % (place, mode)])
        assert left.files == {"seen": b"the user's"}, left.files


def test_what_is_too_large_is_named_or_counted(box):
    box.user_config({"security": {"store_artifacts": {"max_size": "1m"}}})
    left = run(box, "cd /workspace; truncate -s 1G sparse; head -c 700000 /dev/zero >a; head -c 700000 /dev/urandom "
                    ">b; echo fits >c\n")
    assert (left.files["c"] == b"fits\n" and len({"a", "b"} & set(left.files)) == 1
            and "sparse" not in left.files), left.out
    assert any("too large" in e["left_out"] for e in left.out.values()), left.out
    assert sum(e["size"] for e in left.out.values()) >= (1 << 30) + 700000, left.out


def test_a_hostile_tree_is_kept_within_bounds(box):
    left = run(box, "cd /workspace; for i in $(seq 20); do mkdir d; echo $i >d/f; cd d; done; cd /workspace; seq 5000 "
                    "| xargs touch\n")
    assert len(left.files) <= 256 and max(name.count("/") for name in left.files) <= 8
    (note,) = left.out.values()
    assert "more than 4096 entries" in note["left_out"] or "too deep a directory" in note["left_out"], note


def test_names_of_any_bytes_are_kept_apart_and_clean(box):
    left = run(box, r"""cd /workspace; printf 1 >$'new\nline'; printf 2 >'new\x0aline'; printf 3 >$'\xff'
                        printf 4 >$'\e[2J'; printf 5 >'имя "q"'; printf 6 >-rf""" + "\n")
    assert left.files == {r"new\x0aline": b"1", r"new\x5cx0aline": b"2", r"\xff": b"3", r"\x1b[2J": b"4",
                          'имя "q"': b"5", "-rf": b"6"}


@pytest.mark.parametrize("level", LEVELS[1:])
def test_stricter_levels_leave_nothing(box, level):
    need_language("python")
    r = box.json("python", "print(1)\n", level=level)
    left = Left(box, r)
    assert (left.files, left.out) == ({}, {})


def test_a_run_that_the_user_ended_keeps_its_files(box):
    live = box.live("bash", "echo begun >/workspace/log; echo ready; sleep 60\n", level="low")
    live.process.send_signal(2)
    live.finish()
    (manifest,) = (box.log_dir / "artifacts").glob("*/manifest.json")
    (entry,) = [e for e in json.loads(manifest.read_text())["artifacts"] if e["role"] == "workspace"]
    assert (manifest.parent / entry["sha256"]).read_text() == "begun\n"
