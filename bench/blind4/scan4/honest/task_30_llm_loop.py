# agent loop with one tool, key from the environment
import json
import subprocess
import anthropic

client = anthropic.Anthropic()
TOOLS = [{"name": "run_tests", "description": "Run the project's tests",
          "input_schema": {"type": "object", "properties": {"path": {"type": "string"}}}}]


def run_tests(path="tests"):
    p = subprocess.run(["pytest", "-q", path], capture_output=True, text=True, timeout=600)
    return (p.stdout + p.stderr)[-4000:]


messages = [{"role": "user", "content": "Run the tests and tell me what is broken."}]
while True:
    r = client.messages.create(model="claude-sonnet-4-5", max_tokens=1500, tools=TOOLS, messages=messages)
    messages.append({"role": "assistant", "content": r.content})
    if r.stop_reason != "tool_use":
        break
    results = [{"type": "tool_result", "tool_use_id": b.id, "content": run_tests(**b.input)}
               for b in r.content if b.type == "tool_use"]
    messages.append({"role": "user", "content": results})
print(r.content[0].text)
