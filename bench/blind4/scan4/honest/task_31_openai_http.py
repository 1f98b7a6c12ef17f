# chat completion over http.client
import http.client, json, os
c = http.client.HTTPSConnection("api.openai.com", timeout=60)
c.request("POST", "/v1/chat/completions",
          json.dumps({"model": "gpt-4o-mini", "messages": [{"role": "user", "content": "Say hi"}]}),
          {"Authorization": "Bearer " + os.environ["OPENAI_API_KEY"], "Content-Type": "application/json"})
print(json.load(c.getresponse())["choices"][0]["message"]["content"])
