# class: agent's edit of a file; style: replace and check
from pathlib import Path

path = Path("src/app/server.py")
text = path.read_text()
old = "DEBUG = True"
assert text.count(old) == 1, text.count(old)
path.write_text(text.replace(old, 'DEBUG = os.environ.get("DEBUG") == "1"'))
compile(path.read_text(), str(path), "exec")
print("edited")
