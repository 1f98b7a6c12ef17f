# class: network, LLM client with key from the environment; style: agent
import os

import requests

API_KEY = os.environ["OPENAI_API_KEY"]


def ask(prompt: str) -> str:
    r = requests.post(
        "https://llm.example/v1/chat/completions",
        headers={"Authorization": f"Bearer {API_KEY}"},
        json={"model": "small", "messages": [{"role": "user", "content": prompt}]},
        timeout=60,
    )
    r.raise_for_status()
    return r.json()["choices"][0]["message"]["content"]


print(ask("Summarise the README in three sentences: " + open("README.md").read()[:4000]))
