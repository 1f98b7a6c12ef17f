import json
import subprocess
import sys
from pathlib import Path


def probe(p):
    out = subprocess.check_output(["ffprobe", "-v", "error", "-of", "json", "-show_streams", "-show_format", str(p)])
    return json.loads(out)


src, dst = map(Path, sys.argv[1:3])
dst.mkdir(exist_ok=True)
for p in sorted(src.glob("*.mov")):
    target = dst / (p.stem + ".mp4")
    if target.exists():
        continue
    info = probe(p)
    height = max(s.get("height", 0) for s in info["streams"])
    args = ["ffmpeg", "-nostdin", "-v", "error", "-i", str(p), "-c:v", "libx264", "-crf", "22", "-c:a", "aac", "-movflags", "+faststart"]
    if height > 1080:
        args += ["-vf", "scale=-2:1080"]
    subprocess.run([*args, str(target)], check=True)
    print(p.name, f"{float(info['format']['duration']):.0f}s ->", target.stat().st_size >> 20, "MiB")
