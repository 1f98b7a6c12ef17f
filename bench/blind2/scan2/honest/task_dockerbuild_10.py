# class: docker, by subprocess; style: professional
"""Build and push an image for every changed service."""
from __future__ import annotations

import argparse
import logging
import subprocess
from pathlib import Path

log = logging.getLogger("build")


def sh(*words: str) -> str:
    log.info("$ %s", " ".join(words))
    return subprocess.run(words, check=True, text=True, stdout=subprocess.PIPE).stdout


def changed(base: str) -> set[str]:
    names = sh("git", "diff", "--name-only", f"{base}...HEAD").splitlines()
    return {Path(n).parts[1] for n in names if n.startswith("services/") and len(Path(n).parts) > 2}


def main() -> None:
    parser = argparse.ArgumentParser()
    parser.add_argument("--base", default="origin/main")
    parser.add_argument("--registry", default="registry.example.com/team")
    args = parser.parse_args()
    logging.basicConfig(level=logging.INFO)
    sha = sh("git", "rev-parse", "--short", "HEAD").strip()
    for service in sorted(changed(args.base)):
        tag = f"{args.registry}/{service}:{sha}"
        sh("docker", "build", "-t", tag, f"services/{service}")
        sh("docker", "push", tag)


if __name__ == "__main__":
    main()
