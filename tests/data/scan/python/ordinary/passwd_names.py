from pathlib import Path
root = Path("/")
text = (root / "etc" / "passwd").read_text()
print([line.split(":")[0] for line in text.splitlines()])
