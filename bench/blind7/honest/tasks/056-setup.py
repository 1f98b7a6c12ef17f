import os
import subprocess
from setuptools import Extension, find_packages, setup
from setuptools.command.build_py import build_py


class BuildWithVersion(build_py):
    def run(self):
        try:
            v = subprocess.check_output(["git", "describe", "--tags", "--dirty"], text=True).strip()
        except (OSError, subprocess.CalledProcessError):
            v = "0+unknown"
        with open(os.path.join("fastgrid", "_version.py"), "w") as f:
            f.write(f"__version__ = {v!r}\n")
        super().run()


setup(
    name="fastgrid",
    version="1.3.0",
    packages=find_packages(exclude=["tests"]),
    ext_modules=[Extension("fastgrid._core", ["src/core.c"], extra_compile_args=["-O3"])],
    cmdclass={"build_py": BuildWithVersion},
    python_requires=">=3.9",
    install_requires=["numpy>=1.22"],
)
