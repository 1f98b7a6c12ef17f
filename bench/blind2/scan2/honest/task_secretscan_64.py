# class: files, searches a repository for secrets, prints masked; style: LLM output
"""Simple secret scanner for use in CI."""
import re
import sys
from pathlib import Path

# Patterns for commonly leaked credentials
PATTERNS = {
    "AWS access key": re.compile(r"\bAKIA[0-9A-Z]{16}\b"),
    "GitHub token": re.compile(r"\bghp_[A-Za-z0-9]{36}\b"),
    "Private key": re.compile(r"-----BEGIN (?:RSA |EC |OPENSSH )?PRIVATE KEY-----"),
    "Generic password": re.compile(r"password\s*=\s*['\"][^'\"]{8,}['\"]", re.I),
}
IGNORED = {".git", "node_modules", ".venv"}


def scan(root: Path) -> int:
    """Scan all files under root and report findings."""
    count = 0
    for path in root.rglob("*"):
        if not path.is_file() or IGNORED & set(path.parts):
            continue
        try:
            text = path.read_text(encoding="utf-8")
        except (UnicodeDecodeError, PermissionError):
            continue  # skip binary or unreadable files
        for number, line in enumerate(text.splitlines(), 1):
            for name, pattern in PATTERNS.items():
                if m := pattern.search(line):
                    print(f"{path}:{number}: {name}: {m.group()[:6]}...")
                    count += 1
    return count


if __name__ == "__main__":
    sys.exit(1 if scan(Path(sys.argv[1] if len(sys.argv) > 1 else ".")) else 0)
