cd /workspace
python3 << 'PYEOF'
import re
path = 'config/settings.py'
with open(path) as f:
    content = f.read()
content = re.sub(r"DEBUG = True", "DEBUG = False", content)
content = content.replace("ALLOWED_HOSTS = []", "ALLOWED_HOSTS = ['localhost']")
with open(path, 'w') as f:
    f.write(content)
print("done")
PYEOF
grep -n 'DEBUG\|ALLOWED' config/settings.py
