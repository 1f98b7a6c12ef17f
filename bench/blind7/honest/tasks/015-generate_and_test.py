import subprocess
import sys
import textwrap
from pathlib import Path

work = Path("scratch")
work.mkdir(exist_ok=True)

(work / "slug.py").write_text(textwrap.dedent('''
    import re
    import unicodedata

    def slugify(s: str) -> str:
        s = unicodedata.normalize("NFKD", s).encode("ascii", "ignore").decode()
        return re.sub(r"[^a-z0-9]+", "-", s.lower()).strip("-")
'''))
(work / "test_slug.py").write_text(textwrap.dedent('''
    import pytest
    from slug import slugify

    @pytest.mark.parametrize("raw,want", [("Hello World", "hello-world"), ("Crème brûlée!", "creme-brulee"), ("--", "")])
    def test_slugify(raw, want):
        assert slugify(raw) == want
'''))
sys.exit(subprocess.call([sys.executable, "-m", "pytest", "-q", "."], cwd=work))
