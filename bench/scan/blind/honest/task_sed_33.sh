# class: agent's edit; style: sed and patch here-document
patch -p1 <<'EOF'
--- a/src/app.py
+++ b/src/app.py
@@ -1,3 +1,3 @@
-import os, sys
+import sys
 
 print(sys.argv)
EOF
sed -i '/^DEBUG/d' settings.py
python3 -m py_compile src/app.py
