/* class: kernel
 * what: loads or removes kernel modules, or makes the kernel ask for one (init_module, finit_module, delete_module, create_module)
 */
#include "attack.h"

static int init(void)
{
    return syscall(SYS_init_module, "no module", 9, "") < 0 ? errno : 0;
}
static int finit(void)
{
    return syscall(SYS_finit_module, -1, "", 0) < 0 ? errno : 0;
}
static int del(void)
{
    return syscall(SYS_delete_module, OURS "none", O_NONBLOCK) < 0 ? errno : 0;
}
static int create(void)
{
    return syscall(SYS_create_module, OURS "none", 4096) < 0 ? errno : 0;
}
static int in32(void)
{
    return int80(350, -1, 0, 0, 0, 0) < 0 ? errno : 0;
}

int main(void)
{
    attempt_gate("init_module", init);
    attempt_gate("finit_module", finit);
    attempt_gate("delete_module", del);
    attempt_gate("create_module", create);
    attempt_gate("i386 finit_module", in32);
    verdict();
}
