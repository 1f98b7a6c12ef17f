/* class: kernel
 * what: calls through the x32 table (bit 30 of the number), the classic hole of filters that compare numbers only
 */
#include "attack.h"

static long nr, a, b;
static int go(void)
{
    long r = call(0x40000000ul | (unsigned long)nr, a, b, 0, 0, 0, 0);
    if (r == 0 && nr == 57)
        _exit(0);
    return r < 0 ? errno : 0;
}

int main(void)
{
    static const struct {
        const char *name;
        long nr, a, b;
    } tries[] = { { "getpid", 39, 0, 0 },
                  { "getuid", 102, 0, 0 },
                  { "socket vsock", 41, 40, 1 },
                  { "socket packet", 41, 17, 3 },
                  { "unshare", 272, 0x10000000, 0 },
                  { "ptrace x32", 521, 0, 0 },
                  { "ptrace", 101, 0, 0 },
                  { "kexec x32", 528, 0, 0 },
                  { "bpf", 321, 0, 0 },
                  { "fork", 57, 0, 0 } };
    for (size_t i = 0; i < sizeof tries / sizeof tries[0]; i++) {
        nr = tries[i].nr, a = tries[i].a, b = tries[i].b;
        attempt(tries[i].name, go);
    }
    verdict();
}
