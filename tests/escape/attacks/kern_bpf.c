/* class: kernel
 * what: bpf(): makes a map, loads a program, attaches it to a socket; i386 and x32 too
 */
#include "attack.h"

static uint64_t attr[16];
static int map(void)
{
    uint32_t a[20] = { 2 /* ARRAY */, 4, 4, 1 };
    return syscall(SYS_bpf, 0, a, sizeof a) < 0 ? errno : 0;
}
static int prog(void)
{
    static const uint64_t insns[] = { 0xb7, 0x95 }; /* r0 = 0; exit */
    uint64_t a[16] = { 1 | 2ull << 32, (uintptr_t)insns, (uintptr_t) "GPL" };
    return syscall(SYS_bpf, 5, a, sizeof a) < 0 ? errno : 0;
}
static int by_id(void)
{
    return syscall(SYS_bpf, 11 /* PROG_GET_NEXT_ID */, attr, sizeof attr) < 0 ? errno : 0;
}
static int unknown(void)
{
    return syscall(SYS_bpf, 9999, attr, sizeof attr) < 0 ? errno : 0;
}
static int in32(void)
{
    uint32_t *p = low_page();
    if (!p)
        return ENOMEM;
    p[0] = 2, p[1] = 4, p[2] = 4, p[3] = 1;
    return int80(357, 0, (long)p, 72, 0, 0) < 0 ? errno : 0;
}

int main(void)
{
    attempt_gate("map", map);
    attempt_gate("program", prog);
    attempt_gate("next id", by_id);
    attempt_gate("unknown command", unknown);
    attempt_gate("i386 bpf", in32);
    verdict();
}
