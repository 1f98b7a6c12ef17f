import os
from pathlib import Path
from flask import Flask, jsonify, request
from werkzeug.utils import secure_filename

app = Flask(__name__)
app.config["MAX_CONTENT_LENGTH"] = 5 << 20
UP = Path(os.environ.get("UPLOAD_DIR", "uploads"))
UP.mkdir(exist_ok=True)


@app.get("/health")
def health():
    return jsonify(status="ok")


@app.post("/upload")
def upload():
    f = request.files["file"]
    dest = UP / secure_filename(f.filename)
    f.save(dest)
    return jsonify(name=dest.name, size=dest.stat().st_size), 201


if __name__ == "__main__":
    app.run("127.0.0.1", 5000)
