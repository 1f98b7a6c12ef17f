# class: agent tool, runs commands; style: function with timeout
import shlex
import subprocess

ALLOWED = {"ls", "cat", "grep", "find", "git", "python3", "pytest", "make"}


def run_command(command: str, timeout: int = 30) -> dict:
    """Run one command of the model and return what it printed."""
    argv = shlex.split(command)
    if argv[0] not in ALLOWED:
        return {"error": f"{argv[0]} is not allowed"}
    done = subprocess.run(argv, capture_output=True, text=True, timeout=timeout)
    return {"code": done.returncode, "stdout": done.stdout, "stderr": done.stderr}


if __name__ == "__main__":
    print(run_command("git status --short"))
