"""Summarise text files with a language model.

The API key is taken from the environment, never from the command line, so
that it does not show up in the process list.
"""
import argparse
import os
import sys
from pathlib import Path

import anthropic

PROMPT = "Summarise the following document in five bullet points.\n\n<document>\n{text}\n</document>"


def summarise(client: anthropic.Anthropic, text: str, model: str) -> str:
    """Return the summary of one document."""
    msg = client.messages.create(
        model=model,
        max_tokens=600,
        messages=[{"role": "user", "content": PROMPT.format(text=text[:60_000])}],
    )
    return "".join(b.text for b in msg.content if b.type == "text")


def main() -> int:
    """Command line entry point."""
    ap = argparse.ArgumentParser()
    ap.add_argument("files", nargs="+", type=Path)
    ap.add_argument("--model", default=os.environ.get("SUMMARY_MODEL", "claude-sonnet-4-5"))
    args = ap.parse_args()
    if "ANTHROPIC_API_KEY" not in os.environ:
        print("please set ANTHROPIC_API_KEY", file=sys.stderr)
        return 2
    client = anthropic.Anthropic()
    for f in args.files:
        print(f"# {f.name}\n\n{summarise(client, f.read_text(), args.model)}\n")
    return 0


if __name__ == "__main__":
    sys.exit(main())
