import os
import secrets
from pathlib import Path

from flask import Flask, abort, request, send_from_directory
from werkzeug.utils import secure_filename

app = Flask(__name__)
app.config["MAX_CONTENT_LENGTH"] = 20 * 1024 * 1024
STORE = Path(os.environ.get("STORE", "uploads")).resolve()
STORE.mkdir(exist_ok=True)
TOKEN = os.environ.get("UPLOAD_TOKEN") or secrets.token_urlsafe(16)


@app.before_request
def check():
    given = request.headers.get("Authorization", "").removeprefix("Bearer ")
    if not secrets.compare_digest(given, TOKEN):
        abort(401)


@app.put("/files/<name>")
def put(name):
    name = secure_filename(name)
    if not name:
        abort(400)
    (STORE / name).write_bytes(request.get_data())
    return {"name": name}, 201


@app.get("/files/<name>")
def get(name):
    return send_from_directory(STORE, name)


@app.get("/files")
def index():
    return sorted(p.name for p in STORE.iterdir())


if __name__ == "__main__":
    print("token:", TOKEN)
    app.run(host="127.0.0.1", port=8090)
