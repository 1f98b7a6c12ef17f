#!/bin/bash
# a configure-like test for the tools we need
need() { command -v "$1" >/dev/null || { echo "missing: $1"; missing=1; }; }
for t in gcc make pkg-config python3 openssl; do need $t; done
echo 'int main(void){return 0;}' > conftest.c && gcc conftest.c -o conftest && ./conftest && echo "compiler works"
rm -f conftest conftest.c; exit ${missing:-0}
