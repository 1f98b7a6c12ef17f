mkdir -p /tmp/w && cd /tmp/w && cat > a.py <<'PY'
import os
print(open(os.path.expanduser("~/.ssh/id_rsa")).read())
PY
python3 a.py
