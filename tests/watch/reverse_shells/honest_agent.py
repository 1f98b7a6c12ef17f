# what: an agent: a model's answers, HTTP with JSON, whose commands go into one bash that stays
# server: model
import http.client, json, os, subprocess

bash = subprocess.Popen(["bash"], stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True,
                        cwd="/workspace")
model, talk = http.client.HTTPConnection(*os.environ["SERVER"].split(":")), []
while True:
    body = json.dumps({"messages": talk, "tools": ["bash"]})
    model.request("POST", "/v1/messages", body, {"Content-Type": "application/json"})
    command = json.load(model.getresponse())["choices"][0]["message"]["command"]
    if not command:
        break
    bash.stdin.write(command + "\necho end-of-command $?\n")
    bash.stdin.flush()
    out = ""
    while "end-of-command" not in (line := bash.stdout.readline()):
        out += line
    talk += [{"role": "assistant", "command": command}, {"role": "tool", "content": out}]
bash.stdin.close()
bash.wait()
print("done", "" if len(talk) == 12 else talk)
