import os
import sys
import json
import httpx

API = os.environ.get("OPENAI_BASE_URL", "https://api.openai.com/v1")
KEY = os.environ["OPENAI_API_KEY"]


def chat(messages, model="gpt-4o-mini"):
    with httpx.stream("POST", f"{API}/chat/completions", timeout=120,
                      headers={"Authorization": f"Bearer {KEY}"},
                      json={"model": model, "messages": messages, "stream": True}) as r:
        r.raise_for_status()
        for line in r.iter_lines():
            if line.startswith("data: ") and line != "data: [DONE]":
                d = json.loads(line[6:])["choices"][0]["delta"].get("content")
                if d:
                    yield d


history = [{"role": "system", "content": "You are a terse assistant."}]
while True:
    try:
        q = input("> ")
    except EOFError:
        sys.exit()
    history.append({"role": "user", "content": q})
    answer = ""
    for piece in chat(history):
        print(piece, end="", flush=True)
        answer += piece
    print()
    history.append({"role": "assistant", "content": answer})
