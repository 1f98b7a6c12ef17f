# what: the same with files in memory
# network: none
# needs: cgroup
echo begun
head -c $((LIMIT_MB - 8))M /dev/zero > /tmp/kept
sleep ${BUSY:-60}
echo done
