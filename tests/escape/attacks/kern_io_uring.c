/* class: kernel
 * what: io_uring_setup, io_uring_enter and io_uring_register: a second way to every system call, past a filter
 */
#include "attack.h"

static int setup(void)
{
    uint32_t p[30] = { 0 };
    return syscall(425, 1, p) < 0 ? errno : 0;
}
static int setup_sqpoll(void)
{
    uint32_t p[30] = { 0 };
    p[2] = 2;
    return syscall(425, 8, p) < 0 ? errno : 0;
}
static int enter(void)
{
    return syscall(426, -1, 0, 0, 0, NULL, 0) < 0 ? errno : 0;
}
static int reg(void)
{
    return syscall(427, -1, 0, NULL, 0) < 0 ? errno : 0;
}
static int in32(void)
{
    void *p = low_page();
    return !p ? ENOMEM : int80(425, 1, (long)p, 0, 0, 0) < 0 ? errno : 0;
}
static int x32(void)
{
    uint32_t p[30] = { 0 };
    return call(0x40000000ul | 425, 1, (long)p, 0, 0, 0, 0) < 0 ? errno : 0;
}

int main(void)
{
    attempt_gate("setup", setup);
    attempt_gate("setup sqpoll", setup_sqpoll);
    attempt_gate("enter", enter);
    attempt_gate("register", reg);
    attempt_gate("i386 setup", in32);
    attempt("x32 setup", x32);
    verdict();
}
