#!/bin/bash
git bisect start HEAD v2.3.0
cat > /tmp/check.sh <<'CHECK'
#!/bin/sh
make -s -j2 || exit 125
./bench --quick | awk '/ops/{exit !($2 > 9000)}'
CHECK
chmod +x /tmp/check.sh
git bisect run /tmp/check.sh
git bisect log > bisect.log
git bisect reset
