# class: files, video; style: agent one-off
import subprocess, json, sys, glob
for f in sorted(glob.glob("clips/*.mp4")):
    info = json.loads(subprocess.check_output(["ffprobe", "-v", "quiet", "-print_format", "json", "-show_format", f]))
    dur = float(info["format"]["duration"])
    subprocess.run(["ffmpeg", "-y", "-loglevel", "error", "-ss", str(dur / 2), "-i", f, "-frames:v", "1", f.replace(".mp4", ".jpg")], check=True)
    print(f, round(dur, 1))
