/* class: kernel
 * what: loads another kernel (kexec_load, kexec_file_load; with flags that the kernel refuses only after the privilege)
 */
#include "attack.h"

static int load(void)
{
    return syscall(SYS_kexec_load, 0, 0, NULL, 0xffff) < 0 ? errno : 0;
}
static int file(void)
{
    return syscall(320, -1, -1, 0, "", 0xffff) < 0 ? errno : 0;
}
static int in32(void)
{
    return int80(283, 0, 0, 0, 0xffff, 0) < 0 ? errno : 0;
}

int main(void)
{
    attempt_gate("kexec_load", load);
    attempt_gate("kexec_file_load", file);
    attempt_gate("i386 kexec_load", in32);
    verdict();
}
