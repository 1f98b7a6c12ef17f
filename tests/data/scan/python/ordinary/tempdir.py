import shutil
import tempfile
from pathlib import Path
with tempfile.TemporaryDirectory() as d:
    p = Path(d) / "a.txt"
    p.write_text("x")
    print(p.read_text(), list(Path(d).iterdir()))
    p.unlink()
work = tempfile.mkdtemp()
shutil.rmtree(work)
