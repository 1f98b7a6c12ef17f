# class: server; style: flask webhook
from flask import Flask, request, jsonify
import hashlib
import hmac
import os
import subprocess

app = Flask(__name__)


@app.post("/hook")
def hook():
    expected = "sha256=" + hmac.new(os.environ["HOOK_SECRET"].encode(), request.data, hashlib.sha256).hexdigest()
    if not hmac.compare_digest(expected, request.headers.get("X-Hub-Signature-256", "")):
        return jsonify(error="bad signature"), 403
    subprocess.Popen(["make", "deploy"], cwd="/srv/app")
    return jsonify(ok=True)


if __name__ == "__main__":
    app.run(host="0.0.0.0", port=8000)
