"""Agent tool: apply a patch"""
import difflib, pathlib, subprocess
def apply_edit(path: str, old: str, new: str) -> str:
    p = pathlib.Path(path); text = p.read_text()
    if text.count(old) != 1: raise ValueError("old text must occur once")
    p.write_text(text.replace(old, new))
    return "".join(difflib.unified_diff(text.splitlines(True), p.read_text().splitlines(True)))
print(apply_edit("src/app.py", "DEBUG = True", "DEBUG = False"))
print(subprocess.run(["python", "-m", "compileall", "-q", "src"]).returncode)
