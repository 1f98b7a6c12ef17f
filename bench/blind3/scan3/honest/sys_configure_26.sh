#! /bin/sh
# configure for libtoy (hand-written)
prefix=/usr/local cc=${CC-cc} cflags=${CFLAGS--O2} debug=no
for arg do
  case $arg in
    --prefix=*) prefix=${arg#*=} ;;
    --enable-debug) debug=yes ;;
    --help) echo "usage: configure [--prefix=DIR] [--enable-debug]"; exit 0 ;;
    [A-Z]*=*) eval "${arg%%=*}='${arg#*=}'" ;;
    *) echo "configure: unknown option $arg" >&2 ;;
  esac
done
tmp=conf$$
trap 'rm -f $tmp $tmp.*' EXIT HUP INT TERM
try() { printf 'checking for %s... ' "$1"; cat > $tmp.c; if $cc $cflags $2 -o $tmp $tmp.c >/dev/null 2>&1 && ./$tmp; then echo yes; return 0; fi; echo no; return 1; }
have_epoll=0
try epoll <<'C' && have_epoll=1
#include <sys/epoll.h>
int main(void) { return epoll_create1(0) < 0; }
C
try pthreads -pthread <<'C' && libs="${libs-} -pthread"
#include <pthread.h>
int main(void) { return pthread_self() == 0; }
C
test $debug = yes && cflags="-g -O0"
sed -e "s|@PREFIX@|$prefix|; s|@CFLAGS@|$cflags|; s|@LIBS@|${libs-}|" Makefile.in > Makefile
printf '#define HAVE_EPOLL %d\n' $have_epoll > config.h
