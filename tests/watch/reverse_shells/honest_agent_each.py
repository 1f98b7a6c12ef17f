# what: an agent that starts a shell for each command of its model's
# server: model
import http.client, json, os, subprocess

model, talk = http.client.HTTPConnection(*os.environ["SERVER"].split(":")), []
while True:
    model.request("POST", "/v1/messages", json.dumps({"messages": talk}), {"Content-Type": "application/json"})
    command = json.load(model.getresponse())["choices"][0]["message"]["command"]
    if not command:
        break
    out = subprocess.run(command, shell=True, capture_output=True, text=True, cwd="/workspace").stdout
    talk += [{"role": "assistant", "command": command}, {"role": "tool", "content": out}]
print("done", "" if len(talk) == 12 else talk)
