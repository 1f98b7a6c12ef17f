# class: network, translates by an LLM over plain HTTP; style: script
import json, os, pathlib, urllib.request
def ask(prompt):
    req = urllib.request.Request("https://api.anthropic.com/v1/messages",
        data=json.dumps({"model": "claude-3-5-haiku-latest", "max_tokens": 2000, "messages": [{"role": "user", "content": prompt}]}).encode(),
        headers={"x-api-key": os.environ["ANTHROPIC_API_KEY"], "anthropic-version": "2023-06-01", "content-type": "application/json"})
    return json.load(urllib.request.urlopen(req, timeout=120))["content"][0]["text"]
en = json.loads(pathlib.Path("locales/en.json").read_text())
for lang in ("de", "fr"):
    out = json.loads(ask(f"Translate the values of this JSON to {lang}, answer only JSON:\n{json.dumps(en)}"))
    pathlib.Path(f"locales/{lang}.json").write_text(json.dumps(out, indent=2, ensure_ascii=False))
