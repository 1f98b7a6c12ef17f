# what: starts of everything that is there: shells, interpreters, a compiler, tools that ask who one is
# network: none
id > /dev/null; ls -l / > /dev/null; sh -c true; bash -c true; python3 -c 'import os; os.getuid(), os.getgroups()'; perl -e 1; node -e 1; ps > /dev/null 2>&1
echo 'int main(void) { return 0; }' > /tmp/a.c; gcc -o /tmp/a /tmp/a.c; git --version > /dev/null 2>&1
umask 022; ulimit -n > /dev/null; nice -n 5 true; stat -f / > /dev/null; mkdir /tmp/d && chmod 700 /tmp/d && touch /tmp/d/f && cp -p /tmp/d/f /tmp/d/g && tar cf /tmp/t -C /tmp d && tar xf /tmp/t -C /tmp/d
echo done
