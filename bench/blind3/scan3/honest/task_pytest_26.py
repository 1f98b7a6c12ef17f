import subprocess
import sys
import textwrap
from pathlib import Path

Path("test_slug.py").write_text(
    textwrap.dedent(
        """
        import pytest
        from slug import slugify

        @pytest.mark.parametrize("text,want", [("Hello World", "hello-world"), ("  a  ", "a"), ("Ünï", "uni")])
        def test_slugify(text, want):
            assert slugify(text) == want
        """
    )
)
Path("slug.py").write_text(
    "import re\nimport unicodedata\n\n\ndef slugify(text):\n"
    "    text = unicodedata.normalize('NFKD', text).encode('ascii', 'ignore').decode()\n"
    "    return re.sub(r'[^a-z0-9]+', '-', text.lower()).strip('-')\n"
)
sys.exit(subprocess.call([sys.executable, "-m", "pytest", "-q"]))
