# what: the same with many short processes, none of which lives long
# network: none
echo begun
end=$((SECONDS + ${BUSY:-60}))
while [ $SECONDS -lt $end ]; do
    (for i in {1..20000}; do :; done) &
    (for i in {1..20000}; do :; done) &
    wait
done
echo done
