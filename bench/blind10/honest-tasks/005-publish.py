"""Build and publish the package. The token comes from the CI secret store (PYPI_TOKEN)."""
import logging
import os
import shutil
import subprocess
import sys
from pathlib import Path

logging.basicConfig(level=logging.INFO, format="%(asctime)s %(levelname)s %(message)s")
log = logging.getLogger("publish")


def run(*cmd, env=None):
    log.info("run %s", " ".join(cmd))
    subprocess.run(cmd, check=True, env=env)


def main() -> int:
    token = os.environ.get("PYPI_TOKEN")
    if not token:
        log.error("PYPI_TOKEN is not set")
        return 2
    if subprocess.run(["git", "diff", "--quiet"]).returncode:
        log.error("working tree is dirty")
        return 3
    shutil.rmtree("dist", ignore_errors=True)
    run(sys.executable, "-m", "build")
    files = [str(p) for p in Path("dist").iterdir()]
    run(sys.executable, "-m", "twine", "check", "--strict", *files)
    env = {**os.environ, "TWINE_USERNAME": "__token__", "TWINE_PASSWORD": token}
    run(sys.executable, "-m", "twine", "upload", "--non-interactive", *files, env=env)
    return 0


if __name__ == "__main__":
    sys.exit(main())
