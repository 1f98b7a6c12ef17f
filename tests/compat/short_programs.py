"""short_programs.py - programs as people ask models for (short_programs.txt), and how many of them run as one.

A program stands on a line: its name, and its text with ⏎ for the end of a line.
"""
import json
import pathlib

HERE = pathlib.Path(__file__).resolve().parent
# what is not equal, and why: docs/sessions.md has it, too
DIFFERS = {"host_name": "a sandbox has a name of its own, and does not tell the machine's"}

# Runs each in a child of its own, as a program, and prints {name: [exit code, what it wrote]}.
RUNNER = """
import json, os, sys, traceback
def child(text, end):
    os.dup2(end, 1)
    os.dup2(os.open('/dev/null', os.O_WRONLY), 2)
    code = 0
    try:
        exec(compile(text, 'main.py', 'exec'), {'__name__': '__main__'})
    except SystemExit as e:
        code = e.code or 0
    except BaseException:
        code = 1
    sys.stdout.flush()
    os._exit(code)
def one(text):
    mine, end = os.pipe()
    pid = os.fork()
    if not pid:
        child(text, end)
    os.close(end)
    with open(mine, 'rb') as f:
        said = f.read().decode('utf-8', 'replace')
    return [os.waitstatus_to_exitcode(os.waitpid(pid, 0)[1]), said]
sys.stdout.reconfigure(encoding='utf-8')
print(json.dumps({name: one(text) for name, text in json.loads(PROGRAMS).items()}))
"""


def programs():
    """-> {name: text}"""
    lines = (HERE / "short_programs.txt").read_text().splitlines()
    return {line[2:].partition(": ")[0]: line.partition(": ")[2].replace("⏎", "\n") + "\n" for line in lines}


def as_one(chosen):
    """-> a program that runs these"""
    return "PROGRAMS = %r\n%s" % (json.dumps(chosen), RUNNER)
