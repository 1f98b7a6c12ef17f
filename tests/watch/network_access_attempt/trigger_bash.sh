# what: bash reads from /dev/tcp
# network: none
echo begun
read -t 1 x < /dev/tcp/192.0.2.1/80
sleep ${LINGER:-20}
echo done
