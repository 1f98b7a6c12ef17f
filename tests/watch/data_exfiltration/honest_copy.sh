# what: a file is copied to a host that a rule names, which takes it without a word
# server: sink
head -c 400000 /dev/urandom > "/dev/tcp/${SERVER%:*}/${SERVER#*:}"
echo done
