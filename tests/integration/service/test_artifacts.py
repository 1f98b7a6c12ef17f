"""What is kept of an execution: each artifact can be fetched, whatever the program called its files."""
import load
import pytest
from service import Service, error_of

OURS = ("stdout", "stderr", "plan.json", "python", "code", "plan", "workspace")


@pytest.fixture(scope="module")
def service():
    with Service(load.UNLIMITED) as s:
        yield s


def kept(service, code):
    e = service.run(code, "python")["execution_id"]
    answer = service.request("GET", "/executions/%s/artifacts" % e)
    assert answer.status_code == 200, answer.text
    return (lambda word: service.request("GET", "/executions/%s/artifacts/%s" % (e, word)),
            [(a["role"], a["name"]) for a in answer.json()["artifacts"]])


def test_files_that_are_called_as_ours_are_all_listed_and_fetched(service):
    code = ("import os\nfor n in %r: open(n, 'w').write('theirs')\nos.makedirs('stdout.d/stdout')\n"
            "open('stdout.d/stdout/x', 'w').write('deep')\nprint('ours')" % (OURS,))
    get, listed = kept(service, code)
    assert len(listed) == len(set(listed)) and {("workspace", n)
                                                for n in (*OURS, "stdout.d/stdout/x")} | {
                                                    ("stdout", "stdout"), ("code", "python")} <= set(listed)
    for role, name in listed:
        content = get("%s/%s" % (role, name))
        assert content.status_code == 200, content.text
        assert (content.content == b"theirs") == (role == "workspace" and name in OURS), (role, name)
    assert get("stdout").content == get("stdout/stdout").content == b"ours\n"
    assert get("code").content == get("python").content == get("code/python").content == code.encode()
    assert get("plan").content == get("plan.json").content == get("plan/plan.json").content
    assert get("workspace").content == b"theirs" and get("stdout.d/stdout/x").content == b"deep"


def test_a_file_called_stdout_is_not_the_output_of_a_program_that_was_silent(service):
    get, listed = kept(service, "open('stdout', 'w').write('theirs'); open('one', 'w').write('1')")
    assert ("workspace", "stdout") in listed and ("stdout", "stdout") not in listed
    error_of(get("stdout"), 404, "not_found")
    assert get("workspace/stdout").content == b"theirs" and get("one").content == b"1"
    error_of(get("workspace"), 404, "not_found")  # one of two: of which, only its name says
    error_of(get("workspace/two"), 404, "not_found")
