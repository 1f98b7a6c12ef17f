from pathlib import Path
import subprocess, sys
Path("tests").mkdir(exist_ok=True)
Path("tests/conftest.py").write_text("""import os, pytest, tempfile, shutil

@pytest.fixture
def workdir(monkeypatch):
    d = tempfile.mkdtemp()
    monkeypatch.chdir(d)
    monkeypatch.setenv("API_TOKEN", "test")
    yield d
    shutil.rmtree(d)
""")
sys.exit(subprocess.call([sys.executable, "-m", "pytest", "-q"]))
