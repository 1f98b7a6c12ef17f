from flask import Flask, request, jsonify
import subprocess, re
app = Flask(__name__)
@app.get("/ping")
def ping():
    host = request.args.get("host", "")
    if not re.fullmatch(r"[a-z0-9.-]+", host):
        return jsonify(error="bad host"), 400
    done = subprocess.run(["ping", "-c", "1", host], capture_output=True, text=True)
    return jsonify(out=done.stdout)
@app.post("/convert")
def convert():
    data = request.get_data()
    done = subprocess.run(["pandoc", "-f", "markdown", "-t", "html"], input=data, capture_output=True)
    return done.stdout
app.run(port=8000)
