# class: files, edits source in place; style: agent one-off
import re, pathlib
p = pathlib.Path("src/app/config.py")
s = p.read_text()
s2 = re.sub(r"DEBUG\s*=\s*True", "DEBUG = os.environ.get('DEBUG') == '1'", s)
if "import os" not in s2:
    s2 = "import os\n" + s2
assert s != s2, "nothing changed"
p.write_text(s2)
print("patched")
