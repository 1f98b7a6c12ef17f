# what: an ordinary script: pipes, here-documents, substitution, a fifo, shells within shells
# network: none
mkfifo /tmp/p && (sort < /tmp/p | bash -c 'while read -r l; do echo "[$l]"; done' > /tmp/o) & sleep 0.1
printf 'b\na\n' > /tmp/p
wait
x=$(bash -c 'echo a | sh -c cat')
[ "$x" = a ] && [ "$(head -1 /tmp/o)" = "[a]" ] && echo done
