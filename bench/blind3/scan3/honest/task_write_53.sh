mkdir -p app/templates
cat > app/main.py <<'EOF'
import os
import subprocess
from fastapi import FastAPI, UploadFile

app = FastAPI()

@app.post("/convert")
async def convert(file: UploadFile):
    path = f"/tmp/{os.path.basename(file.filename)}"
    with open(path, "wb") as f:
        f.write(await file.read())
    done = subprocess.run(["pandoc", path, "-t", "plain"], capture_output=True, text=True, timeout=30)
    os.unlink(path)
    return {"text": done.stdout}
EOF
pip install -q fastapi uvicorn python-multipart
uvicorn app.main:app --port 8080 &
server=$!
sleep 3
curl -s -F file=@README.md localhost:8080/convert | head -c 300
kill $server
