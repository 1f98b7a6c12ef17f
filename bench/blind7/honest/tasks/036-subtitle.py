import re
import subprocess
import sys
from datetime import timedelta

T = re.compile(r"(\d\d):(\d\d):(\d\d),(\d{3})")


def shift(text, sec):
    def f(m):
        h, mi, s, ms = map(int, m.groups())
        t = max(timedelta(hours=h, minutes=mi, seconds=s, milliseconds=ms) + timedelta(seconds=sec), timedelta())
        total = int(t.total_seconds() * 1000)
        return f"{total // 3600000:02}:{total // 60000 % 60:02}:{total // 1000 % 60:02},{total % 1000:03}"
    return T.sub(f, text)


video, srt, sec = sys.argv[1], sys.argv[2], float(sys.argv[3])
with open(srt, encoding="utf-8") as f:
    new = shift(f.read(), sec)
with open("shifted.srt", "w", encoding="utf-8") as f:
    f.write(new)
subprocess.run(["ffmpeg", "-y", "-i", video, "-i", "shifted.srt", "-c", "copy", "-c:s", "mov_text", "out.mp4"], check=True)
