# class: backup; possible: low; style: incremental copy, local
import hashlib
import json
import pathlib
import shutil

source, target = pathlib.Path("/data"), pathlib.Path("/workspace/backup")
target.mkdir(exist_ok=True)
index = {}
for p in sorted(source.rglob("*")):
    if p.is_file():
        digest = hashlib.sha256(p.read_bytes()).hexdigest()
        index[str(p)] = digest
        if not (target / digest).exists():
            shutil.copy2(p, target / digest)
(target / "index.json").write_text(json.dumps(index, indent=1))
print(len(index))
