import shutil, tempfile, zipfile, pathlib
src = pathlib.Path("release"); out = pathlib.Path("dist/release.zip")
out.parent.mkdir(exist_ok=True)
with tempfile.TemporaryDirectory() as tmp:
    stage = pathlib.Path(tmp) / "app"
    shutil.copytree(src, stage, ignore=shutil.ignore_patterns("*.pyc", "__pycache__"))
    with zipfile.ZipFile(out, "w", zipfile.ZIP_DEFLATED) as z:
        for f in stage.rglob("*"): z.write(f, f.relative_to(tmp))
shutil.rmtree("build", ignore_errors=True)
