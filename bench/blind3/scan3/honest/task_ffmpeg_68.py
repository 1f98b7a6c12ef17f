import json
import shlex
import subprocess
import sys

src = sys.argv[1]
info = json.loads(subprocess.check_output(["ffprobe", "-v", "quiet", "-print_format", "json", "-show_streams", src]))
video = next(s for s in info["streams"] if s["codec_type"] == "video")
height = min(720, int(video["height"]))
cmd = "ffmpeg -y -i %s -vf scale=-2:%d -c:v libx264 -crf 24 -c:a aac out.mp4" % (shlex.quote(src), height)
print(cmd)
sys.exit(subprocess.call(cmd, shell=True))
