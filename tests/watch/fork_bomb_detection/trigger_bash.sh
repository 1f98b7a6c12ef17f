# what: the bomb of bombs
# network: none
echo begun
b() { b | b & }
b 2> /dev/null
sleep ${BUSY:-20}
echo done
