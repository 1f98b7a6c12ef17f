# class: here-documents that create a project; style: agent
#!/bin/bash
set -e
mkdir -p app/templates
cat > app/main.py <<'EOF'
from flask import Flask, render_template
import os

app = Flask(__name__)

@app.route("/")
def index():
    return render_template("index.html", name=os.environ.get("USER", "world"))

if __name__ == "__main__":
    app.run(port=5000)
EOF
cat > app/templates/index.html <<'EOF'
<h1>Hello {{ name }}</h1>
EOF
cat > requirements.txt <<'EOF'
flask
pytest
EOF
python3 -m venv .venv
. .venv/bin/activate
pip install -r requirements.txt
python -m pytest || true
