"""Files left in /workspace: where the plan lets them out, and that letting them out changes nothing for the program."""
import pytest
from helpers import LEVELS, MIB, shipped

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
    done = box.run("bash", script, level="low", options=["--memory", "128m", "--timeout", "3" if "sleep" in end else "30"])
    assert (done.code, done.out) == (code, b"%d\n" % (100 * MIB)), done


def test_a_hostile_tree_delays_no_result(box):
    script = "cd /workspace; mkfifo fifo; ln -s / root; for i in $(seq 300); do mkdir d; cd d; done; cd /workspace; seq 20000 | xargs touch\n"
    done = box.run("bash", script, level="low")
    assert done.code == 0 and done.seconds < 30, done
