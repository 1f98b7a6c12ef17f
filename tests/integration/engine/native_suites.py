"""native_suites.py - the native backend's own tests, unchanged, with a container engine below them.

tests/run.py writes configuration(engine) to a file and names it in SANDBOX_TEST_CONFIG; helpers.Box and the escape
tests lay it below what each test configures. By hand, with an engine that runs:

    tests/integration/engine/native_suites.py docker SOCKET > engine.yaml; SANDBOX_TEST_CONFIG=engine.yaml pytest -n 3
    tests/integration/test_limits.py
"""
import functools
import os
import pathlib
import re
import sys
import time
import zlib

import yaml

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1]))
from engine import engines  # noqa: E402

SUITES = ["tests/integration/test_languages.py", "tests/integration/test_limits.py",
          "tests/integration/test_streams.py", "tests/integration/test_violations.py",
          "tests/integration/test_workspace.py", "tests/escape"]
# What a container on this kind of engine cannot have: a mapping of users; rules of a network, which the escape tests'
# profiles write.
# On control groups of version 1 Podman makes no namespace of them.
ACCEPTED = {"docker": ["user_ns", "network"], "podman": ["user_ns", "network", "cgroup_ns"]}
OWNER = "sandbox-agent.owner"  # src/engine/owner.h: boot id:pid namespace:pid:start time

NO_NUMPY = "the test image has no numpy"
NO_BROKER = ("the broker is native: in a container network.allow is accepted as missing, and the allowed peer is not "
             "there")
# Test functions (of files of SUITES) that are about a thing which only the native backend has.
NATIVE_ONLY = {
    "test_an_absent_interpreter_is_told_with_the_package": "hides the host's interpreters; a container has its image's",
    "test_a_profile_that_hides_the_workspace_keeps_nothing": "landlock hides it, by rules for everything else in the "
                                                             "image: more than there are at low risk",
    "test_memory_that_waits_in_tcp_sockets": "engines do not bound it on cgroup v1: isolation.missing says sockets",
    "test_refused_calls_are_answered_at_a_bounded_rate": "in a container the answers are charged to the program "
                                                         "itself: docs/docker.md",
    "test_some_attacks_are_contained_elsewhere": "sessions and interpreters that wait are the native backend's",
    "test_what_is_left_out_elsewhere_is_said": "sessions and interpreters that wait are the native backend's",
    "test_python_numpy_and_pandas_at_medium": NO_NUMPY,
    "test_python_numpy_uses_threads_within_the_limits": NO_NUMPY,
}
# Attacks of tests/escape: at all levels, or at those named behind a «-».
ATTACKS = {
    "leak_host_files-low": "/var/lib/dpkg is the image's, not the host's",
    "leak_host_files-medium": "/var/lib/dpkg is the image's, not the host's",
    "leak_host_users-low": "/etc/passwd is the image's, not the host's",
    "leak_host_users-medium": "/etc/passwd is the image's, not the host's",
    "leak_locks": "known to work on the native backend, and does not here: each container has inodes of its own",
    "net_interfaces": "a container's loopback is up: isolation.missing says disable_loopback",
    "net_volume_sockets-high": "what connects for the program counts as its tasks there: the attack ends at pids",
    "priv_uid_map-low": "user_ns is accepted as missing: no identities are mapped",
    "priv_uid_map-medium": "user_ns is accepted as missing: no identities are mapped",
    **{"net_broker_%s-low" % name: NO_BROKER
       for name in ("bind", "continued", "kill", "options", "race_address", "race_descriptor", "reuse", "shutdown",
                    "spellings",
                                                           "within")},
}
# Lean: what tests/run.py has time for. Of the levels the two ends; attacks of these classes at the wider one, where
# they have the most to begin with, and the others, on the filter and on limits, at the strict one. On Podman what shows
# that each limit and language works there at all.
LEAN_CLASSES_AT_THE_WIDEST = ("filesystem", "privilege", "leaks", "network")
# the files' own tests show as much
LEAN_WITHOUT = ("test_a_full_workspace_changes_nothing_in_how_a_run_ends", "test_a_hostile_tree_delays_no_result",
                # the client's cache, and the words of its options: the same for each backend
                "test_a_damaged_cache_entry_is_never_run", "test_the_cache_of_compiled_programs_has_an_end",
                "test_a_cache_that_cannot_be_written_is_no_obstacle",
                "test_deadlines_may_be_written_in_many_ways",
                # the client's reading of what a guard reports: that its pipe leads out of a container the other tests
                # of violations show
                "test_floods_fill_the_pipe_and_end_nobody", "test_no_more_than_64_lines_count",
                "test_only_the_guards_form_counts", "test_the_time_is_when_it_happened",
                "test_it_is_said_in_words_where_the_profile_wants_it", "test_runs_side_by_side_do_not_hear_each_other",
                "test_with_few_descriptors_it_goes_without_and_says_so")
# An ordinary user, where root has had all: that the triggers of the watch would work without it is known then; words,
# tables and patience of the client's own, before anything is started, are the same for each user.
LEAN_WITHOUT_AS_USER = ("test_the_shells_would_work", "test_a_storm_of_refused_calls_is_counted_and_told_once",
                        "test_an_output_file_that_is_a_fifo",
                        "test_a_fifo_that_no_program_writes_to_does_not_hold_us_for_ever",
                        "test_every_subcommand_has_its_help",
                        "test_a_launcher_that_stays_stopped_does_not_hold_the_command_line_for_ever",
                        "test_a_bad_value_is_one_line_naming_option_value_and_what_is_accepted",
                        "test_a_hostile_value_cannot_speak_to_the_terminal",
                        "test_a_malformed_profile_is_answered_with_file_line_and_what_was_expected",
                        "test_sizes_may_be_written_in_many_ways",
                        "test_a_language_has_aliases_and_the_result_has_its_one_name",
                        "test_a_key_whose_effect_is_proved_elsewhere_is_accepted_and_shown")
# Where cases differ in what guard or client make of them, in which no engine has a part, or there are many of a kind:
# these, by what their names begin with.
LEAN_CASES = {
    "test_node_modules_that_the_level_refuses": ("high-fs",),
    "test_python_modules_that_the_level_refuses": ("high-os",),
    "test_python_at_high_has_no_evaluation": ("eval",),
    "test_interpreter_only_tells_what_was_to_be_started": ("python-import os\\nos.system('echo",
                                                           "node-require('cluster"),
    "test_endless_output_is_ended_and_costs_no_memory": ("command0",),
    "test_the_compiled_result_of_the_same_source_is_cached": ("go",),
    "test_the_deadline_ends_the_whole_tree_of_a_program_that": ("blocks all signals", "stops itself and ignores",
                                                                "double forks", "forks without end"),
}
# What programs of a language do: at the level that permits least. That the other end is there test_hello shows; and
# that a compiled program runs: of what it then does, which is what an interpreter does, nothing is the engine's.
LEAN_AT_THE_STRICTEST, LEAN_AT_BOTH_ENDS = "test_languages.py", ("test_hello",)
LEAN_ON_PODMAN = ("test_hello or test_a_non_zero_exit or test_memory_of_one_piece or test_oom_is_told or "
                  "test_pids_limit_counts or shell or test_grace_lets "
                  "or test_storage_of_tmp or test_file_size or test_descriptors or test_other_limits")


def configuration(engine):
    """-> values for SANDBOX_TEST_CONFIG; loads the images"""
    image = engine.load(engines.LANGUAGES)
    images = {language: {"default_image": image} for language in engines.CONTENTS[engines.LANGUAGES]}
    if engine.name == "docker":
        # by its id: what is compiled is kept only for an image whose name holds a digest
        image = engine.expect(200, "GET", "/images/%s/json" % engine.load(engines.COMPILED))["Id"]
        images.update((language, {"default_image": image}) for language in engines.CONTENTS[engines.COMPILED])
    return {"sandbox": {"backend": "docker"}, "languages": images,
            "docker": {"daemon": {"socket": engine.socket},
                       "container": {"accept_missing": ACCEPTED[engine.name], "network": "none"}}}


@functools.lru_cache(None)
def chosen_engine():
    """-> the engine below the tests; None: they are for the native backend"""
    path = os.environ.get("SANDBOX_TEST_CONFIG")
    values = yaml.safe_load(pathlib.Path(path).read_text()) if path else {}
    if values.get("sandbox", {}).get("backend") != "docker":
        return None
    return engines.attached("engine", values["docker"]["daemon"]["socket"])


def reason_against(item):
    """Why this test is not run with an engine; None: it is."""
    name, attack, level = facts_of(item)
    return NATIVE_ONLY.get(name) or (attack
                                     and (ATTACKS.get(attack.name) or ATTACKS.get("%s-%s" % (attack.name, level))))


SAMPLED = "test_a_program_says_the_same_inside_and_outside"  # one everyday program of three: root has had them all


def facts_of(item):
    """-> name of its function, attack or None, level or None"""
    params = item.callspec.params if hasattr(item, "callspec") else {}
    return getattr(item, "originalname", item.name), params.get("attack"), params.get("level")


def lean(items, is_engine=True):
    """-> those of the items that tests/run.py has time for, with an engine, or as an ordinary user behind root's
    turn"""
    known = {item.nodeid for item in items}
    found = [item for item in items if is_lean(item, known, is_engine)]
    for name in {facts_of(item)[0] for item in items}.intersection(LEAN_CASES):
        assert any(facts_of(item)[0] == name
                   for item in found), "none of the cases of %s is one of %s" % (name, LEAN_CASES[name])
    return found


def is_lean(item, known, is_engine):
    name, attack, level = facts_of(item)
    if name in (LEAN_WITHOUT if is_engine else LEAN_WITHOUT_AS_USER):
        return False
    if name == SAMPLED and zlib.crc32(item.name.encode()) % 3:
        return False
    if attack and is_engine and os.environ.get("SANDBOX_TEST_HALF") and zlib.crc32(attack.name.encode()) % 2:
        return False
    if attack and attack.group in LEAN_CLASSES_AT_THE_WIDEST:
        is_at_low = twin(item, "low") in known and not (is_engine and attack.name + "-low" in ATTACKS)
        return level == ("low" if is_at_low else "high")
    if attack:
        return level == "high" or twin(item, "high") not in known
    if name in LEAN_CASES and not item.callspec.id.startswith(LEAN_CASES[name]):
        return False
    if item.path.name == LEAN_AT_THE_STRICTEST and name not in LEAN_AT_BOTH_ENDS:
        if (level == "low" and twin(item, "high") in known) or interpreted(item) in known:
            return False
    return level != "medium" or not (is_engine or item.path.name == LEAN_AT_THE_STRICTEST)


def twin(item, level):
    """-> the name that the same case has at this level"""
    return re.sub("-(low|medium|high)]$", "-%s]" % level, item.nodeid)


def interpreted(item):
    """-> the name that the same case of a compiled language has with Python; "" for all others"""
    found = re.sub(r"\[(go|rust)(?=[-\]])", "[python", item.nodeid)
    return found if found != item.nodeid else ""


# ---- nothing left ----

def is_alive(owner):
    """Of this machine's boot, as everything here is."""
    _, _, pid, start = owner.split(":")
    try:
        words = pathlib.Path("/proc/%s/stat" % pid).read_text().rpartition(")")[2].split()
    except OSError:
        return False
    return words[0] not in "ZX" and words[19] == start


def ownerless(engine):
    """Containers and volumes of ours that nobody who lives answers for."""
    found = [("container", c["Id"][:12], c["Labels"]) for c in engine.expect(200, "GET", "/containers/json?all=1")]
    found += [("volume", v["Name"], v["Labels"]) for v in engine.expect(200, "GET", "/volumes")["Volumes"] or []]
    return ["%s %s" % (kind, name)
            for kind, name, labels in found if OWNER in (labels or {}) and not is_alive(labels[OWNER])]


def poll_ownerless(patience=10):
    until, engine = time.monotonic() + patience, chosen_engine()
    left = ownerless(engine)
    while left and time.monotonic() < until:
        time.sleep(0.1)
        left = ownerless(engine)
    return left


def as_text(configuration):
    return yaml.safe_dump(configuration)


if __name__ == "__main__":
    print(as_text(configuration(engines.attached(*sys.argv[1:3]))))
