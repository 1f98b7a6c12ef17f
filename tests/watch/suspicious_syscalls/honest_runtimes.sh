# what: every runtime of this machine starts, works a little and ends, some of them many times
# network: none
for i in 1 2; do
    python3 -c 'import os, json, threading, multiprocessing.util, tempfile, shutil; t = threading.Thread(target=abs, args=[1]); t.start(); t.join()' || exit 3
    perl -MPOSIX -e 'print ""' || exit 4
    [ ! -x /usr/bin/node ] || node -e 'require("fs").readdirSync("/"); require("crypto").randomBytes(9); new (require("worker_threads").Worker)("1", {eval: true})' || exit 5
    ls -lR /usr/lib/python3 > /dev/null 2>&1; df > /dev/null 2>&1; sort -S 1M --parallel=2 /usr/include/stdio.h > /dev/null; git init -q /tmp/r$i 2> /dev/null; tar c /usr/include/linux 2> /dev/null | gzip > /tmp/t.gz
    find /usr/include/asm-generic -type f -exec grep -l int {} + > /dev/null 2>&1
done
echo done
