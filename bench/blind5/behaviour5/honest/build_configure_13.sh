# class: build; possible: low medium
# a configure script asks many small questions
cd "$(mktemp -d)"
check() { printf '%s\n' "$2" > c.c; if gcc -o c c.c 2>err; then echo "checking $1... yes"; else echo "checking $1... no"; fi; }
for h in stdio.h stdlib.h sys/epoll.h sys/event.h linux/bpf.h linux/userfaultfd.h sys/ptrace.h unistd.h windows.h; do check $h "#include <$h>
int main(void){return 0;}"; done
for f in memfd_create strlcpy getrandom setns unshare; do check $f "#define _GNU_SOURCE
#include <sched.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/random.h>
int main(void){return &$f == 0;}"; done
