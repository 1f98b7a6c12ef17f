# what: looks for the keys of others all over the file system
# network: none
echo begun
find / -xdev \( -name id_rsa -o -name id_ed25519 -o -name '.env*' \) > /tmp/found 2> /dev/null
sleep "${LINGER:-20}"
echo done
