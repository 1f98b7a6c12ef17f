import base64
import json
import os
import urllib.request

with open("diagram.png", "rb") as f:
    image = base64.b64encode(f.read()).decode()
body = {
    "model": "gpt-4o",
    "messages": [{"role": "user", "content": [{"type": "text", "text": "Describe"}, {"type": "image_url", "image_url": {"url": "data:image/png;base64," + image}}]}],
}
request = urllib.request.Request(
    "https://api.openai.com/v1/chat/completions",
    json.dumps(body).encode(),
    {"Authorization": "Bearer " + os.environ["OPENAI_API_KEY"], "Content-Type": "application/json"},
)
print(json.load(urllib.request.urlopen(request))["choices"][0]["message"]["content"])
