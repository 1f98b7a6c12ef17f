import pytest, subprocess, sys
@pytest.fixture
def server(tmp_path):
    p = subprocess.Popen([sys.executable, "-m", "http.server", "0", "--directory", str(tmp_path)], stdout=subprocess.PIPE)
    yield p
    p.kill(); p.wait()
def test_runs(server): assert server.poll() is None
@pytest.mark.parametrize("cmd,code", [(["true"], 0), (["false"], 1)])
def test_codes(cmd, code): assert subprocess.run(cmd).returncode == code
