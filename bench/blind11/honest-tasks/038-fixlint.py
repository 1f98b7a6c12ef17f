import json
import subprocess
import sys

import anthropic

client = anthropic.Anthropic()


def lint():
    p = subprocess.run(["ruff", "check", "--output-format=json", "src"], capture_output=True, text=True)
    return json.loads(p.stdout or "[]")


def repair(path, problems):
    src = open(path).read()
    notes = "\n".join(f"line {q['location']['row']}: {q['message']}" for q in problems)
    r = client.messages.create(
        model="claude-sonnet-4-5",
        max_tokens=8000,
        messages=[{"role": "user", "content": f"Fix these. Reply with the file only.\n{notes}\n\n{src}"}],
    )
    with open(path, "w") as fh:
        fh.write(r.content[0].text)


for attempt in range(3):
    found = lint()
    if not found:
        sys.exit(0)
    by_file = {}
    for f in found:
        by_file.setdefault(f["filename"], []).append(f)
    for path, problems in by_file.items():
        repair(path, problems)
    subprocess.run(["pytest", "-q"], check=True)
sys.exit(1)
