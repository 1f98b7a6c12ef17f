import zipfile
from pathlib import Path


def safe_extract(archive, target):
    target = Path(target).resolve()
    with zipfile.ZipFile(archive) as z:
        for info in z.infolist():
            where = (target / info.filename).resolve()
            if not where.is_relative_to(target):
                raise ValueError("path leaves the target: " + info.filename)
            if info.file_size > 200 << 20:
                raise ValueError("too large: " + info.filename)
        z.extractall(target)
    return len(list(target.rglob("*")))


print(safe_extract("upload.zip", "unpacked"))
