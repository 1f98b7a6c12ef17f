# what: a program brought along, under the name of an honest one, started from /workspace, computing without end
# network: none
cp /usr/bin/perl /workspace/pdf-report || exit 3
echo begun
for i in 1 2; do
    /workspace/pdf-report -e '$end = time + ($ENV{BUSY} // 12); $h = 1; while (time < $end) { $h = ($h * 69069 + 1) % 4294967296 for 1 .. 20000 }' &
done
wait
echo done
