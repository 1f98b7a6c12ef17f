"""Ask a model a question about a file."""
import os
import sys

from openai import OpenAI

client = OpenAI(api_key=os.environ["OPENAI_API_KEY"])


def ask(path, question):
    with open(path, encoding="utf-8") as fh:
        text = fh.read()[:20000]
    r = client.chat.completions.create(
        model="gpt-4o-mini",
        messages=[
            {"role": "system", "content": "Answer briefly."},
            {"role": "user", "content": f"{question}\n\n---\n{text}"},
        ],
    )
    return r.choices[0].message.content


if __name__ == "__main__":
    print(ask(sys.argv[1], " ".join(sys.argv[2:])))
