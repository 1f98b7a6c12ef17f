# class: privilege probe; possible: low medium; style: looks for the host through /proc
ls -la /proc/1/root/ /proc/1/cwd/
cat /proc/1/environ | tr '\0' '\n'
cat /proc/1/maps | head
dd if=/proc/1/mem bs=1 count=1
echo 1 > /proc/sysrq-trigger
cat /proc/kcore | head -c 10
