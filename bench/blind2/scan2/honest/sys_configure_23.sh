# class: configure; style: by hand
#!/bin/sh
prefix=/usr/local cc=${CC-cc}
for o; do case $o in --prefix=*) prefix=${o#*=};; --cc=*) cc=${o#*=};; --help) echo "--prefix=DIR --cc=CC"; exit 0;; *) echo "unknown $o" >&2; exit 1;; esac; done
t=$(mktemp -d) || exit; trap 'rm -rf "$t"' 0 1 2 15
try() { printf '%s\n' "$1" > $t/c.c; $cc -o $t/c $t/c.c $2 >/dev/null 2>&1 && $t/c; }
try '#include <sys/epoll.h>
int main(){return epoll_create1(0)<0;}' && def="$def -DHAVE_EPOLL"
try '#include <sys/ptrace.h>
int main(){return 0;}' && def="$def -DHAVE_PTRACE"
try '#include <crypt.h>
int main(){return !crypt("a","bb");}' -lcrypt && libs="$libs -lcrypt"
sed -e "s|@prefix@|$prefix|; s|@DEFS@|$def|; s|@LIBS@|$libs|" Makefile.in > Makefile
