# class: configuration from a base64 variable; style: CI
import base64
import json
import os
import pathlib

raw = os.environ.get("GCP_KEY_B64", "e30=")
key = json.loads(base64.b64decode(raw))
path = pathlib.Path("gcp-key.json")
path.write_text(json.dumps(key))
path.chmod(0o600)
os.environ["GOOGLE_APPLICATION_CREDENTIALS"] = str(path)
