import argparse
import json
import os
from pathlib import Path

import requests

URL = os.environ.get("LLM_URL", "https://llm.gateway.example/v1/chat/completions")


def ask(messages, model):
    r = requests.post(URL, headers={"Authorization": f"Bearer {os.environ['LLM_API_KEY']}"},
                      json={"model": model, "messages": messages, "stream": True}, stream=True, timeout=120)
    r.raise_for_status()
    for line in r.iter_lines(decode_unicode=True):
        if not line.startswith("data: ") or line == "data: [DONE]":
            continue
        yield json.loads(line[6:])["choices"][0]["delta"].get("content", "")


def main():
    ap = argparse.ArgumentParser(description="Ask a question about a file")
    ap.add_argument("file", type=Path)
    ap.add_argument("question")
    ap.add_argument("-m", "--model", default="small-1")
    a = ap.parse_args()
    msgs = [{"role": "system", "content": "Answer briefly, quote line numbers."},
            {"role": "user", "content": f"{a.file.name}:\n{a.file.read_text()[:20000]}\n\n{a.question}"}]
    for piece in ask(msgs, a.model):
        print(piece, end="", flush=True)
    print()


main()
