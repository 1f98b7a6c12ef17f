# class: agent, LLM loop with a bash tool; style: product code
import json
import os
import subprocess

from openai import OpenAI

client = OpenAI(api_key=os.environ["OPENAI_API_KEY"])
TOOLS = [{"type": "function", "function": {
    "name": "bash", "description": "Run a shell command",
    "parameters": {"type": "object", "properties": {"command": {"type": "string"}}, "required": ["command"]}}}]


def run_bash(command: str) -> str:
    try:
        p = subprocess.run(["bash", "-lc", command], capture_output=True, text=True, timeout=120)
        return (p.stdout + p.stderr)[-8000:] or f"(exit {p.returncode})"
    except subprocess.TimeoutExpired:
        return "timed out after 120 s"


messages = [{"role": "system", "content": "You are a coding agent."},
            {"role": "user", "content": os.environ.get("TASK", "Run the tests and fix what fails.")}]
for _ in range(30):
    reply = client.chat.completions.create(model="gpt-4o", messages=messages, tools=TOOLS).choices[0].message
    messages.append(reply)
    if not reply.tool_calls:
        print(reply.content)
        break
    for call in reply.tool_calls:
        out = run_bash(json.loads(call.function.arguments)["command"])
        messages.append({"role": "tool", "tool_call_id": call.id, "content": out})
