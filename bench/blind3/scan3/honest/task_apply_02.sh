set -euo pipefail
cd /workspace/repo
git checkout -b fix/issue-231
cat > /tmp/fix.patch <<'EOF'
--- a/src/util.py
+++ b/src/util.py
@@ -10,7 +10,7 @@ def parse_date(text):
-    return datetime.strptime(text, "%Y-%m-%d")
+    return datetime.strptime(text.strip(), "%Y-%m-%d")
EOF
git apply --check /tmp/fix.patch && git apply /tmp/fix.patch
python -m pytest -q tests/test_util.py
git commit -am "Strip whitespace before parsing dates"
