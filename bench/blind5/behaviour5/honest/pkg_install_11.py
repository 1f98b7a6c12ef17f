# class: package install; possible: low medium
import hashlib, importlib, io, json, pathlib, sys, urllib.request, zipfile
BASE, target, seen = "http://pkg.good.test", pathlib.Path("/tmp/site"), set()
def install(name):
    if name in seen: return
    seen.add(name)
    meta = json.load(urllib.request.urlopen(f"{BASE}/simple/{name}"))
    blob = urllib.request.urlopen(BASE + meta["url"]).read()
    assert hashlib.sha256(blob).hexdigest() == meta["sha256"]
    zipfile.ZipFile(io.BytesIO(blob)).extractall(target)
    for dep in meta["requires"]: install(dep)
    (target / name / "__init__.py").write_text("")
install("alpha"); sys.path.insert(0, str(target))
print([importlib.import_module(f"{n}.m3").f3(2) for n in sorted(seen)])
