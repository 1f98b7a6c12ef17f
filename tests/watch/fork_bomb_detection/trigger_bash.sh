# what: the bomb of bombs
# network: none
echo begun
b() { b | b & }
b 2> /dev/null
sleep 4
echo done
