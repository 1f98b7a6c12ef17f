# class: package install; possible: low; style: shell, download, check, make install
cd /tmp
curl -sf -o alpha.zip "http://pkg.good.test/files/alpha.zip"
python3 -m zipfile -e alpha.zip alpha
mkdir -p /workspace/lib && cp -r alpha /workspace/lib/
find /workspace/lib -name '*.py' | xargs python3 -m py_compile
sha256sum alpha.zip
