from pathlib import Path
root = Path("/")
text = (root / "etc" / "passwd").read_text()
print(text)
