from openai import OpenAI
import subprocess, json
client = OpenAI()
TOOLS = [{"type": "function", "function": {"name": "run_tests", "parameters": {"type": "object", "properties": {"path": {"type": "string"}}}}}]
messages = [{"role": "user", "content": "Run the unit tests and summarise failures."}]
while True:
    reply = client.chat.completions.create(model="gpt-4o-mini", messages=messages, tools=TOOLS).choices[0].message
    messages.append(reply)
    if not reply.tool_calls: print(reply.content); break
    for call in reply.tool_calls:
        args = json.loads(call.function.arguments)
        done = subprocess.run(["pytest", "-q", args.get("path", "tests")], capture_output=True, text=True)
        messages.append({"role": "tool", "tool_call_id": call.id, "content": done.stdout[-3000:]})
