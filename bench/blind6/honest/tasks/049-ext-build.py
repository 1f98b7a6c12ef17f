import os
from setuptools import Extension, find_packages, setup

debug = bool(os.environ.get("DEBUG_BUILD"))
setup(
    name="fastgeo",
    version="0.4.2",
    packages=find_packages("src"),
    package_dir={"": "src"},
    ext_modules=[Extension("fastgeo._core", ["src/fastgeo/_core.c"],
                           extra_compile_args=["-O0", "-g"] if debug else ["-O3"])],
    python_requires=">=3.9",
    install_requires=["numpy>=1.24"],
)
