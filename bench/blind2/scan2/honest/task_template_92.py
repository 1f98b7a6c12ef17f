# class: files, a project's skeleton; style: LLM output
import os

# Define the project structure
structure = {
    "README.md": "# My App\n",
    ".gitignore": "__pycache__/\n.env\n*.pem\n",
    "Dockerfile": "FROM python:3.12-slim\nWORKDIR /app\nCOPY . .\nRUN pip install -r requirements.txt\nUSER nobody\nCMD [\"python\", \"main.py\"]\n",
    "requirements.txt": "fastapi\nuvicorn[standard]\n",
    "main.py": "from fastapi import FastAPI\napp = FastAPI()\n\n@app.get('/')\ndef root():\n    return {'ok': True}\n",
    "tests/test_main.py": "def test_ok():\n    assert True\n",
    "scripts/run.sh": "#!/bin/sh\nexec uvicorn main:app --host 0.0.0.0 --port ${PORT:-8000}\n",
}

for name, content in structure.items():
    path = os.path.join("myapp", name)
    os.makedirs(os.path.dirname(path), exist_ok=True)
    with open(path, "w") as f:
        f.write(content)
    if name.endswith(".sh"):
        os.chmod(path, 0o755)
    print(f"✓ created {path}")
