/* class: kernel
 * what: reboots the machine or its pid namespace (with magic numbers of 0, which the kernel checks after the privilege)
 */
#include "attack.h"

static int reboot_(void)
{
    return syscall(SYS_reboot, 0, 0, 0, NULL) < 0 ? errno : 0;
}
static int reboot32(void)
{
    return int80(88, 0, 0, 0, 0, 0) < 0 ? errno : 0;
}

int main(void)
{
    attempt_gate("reboot", reboot_);
    attempt_gate("i386 reboot", reboot32);
    verdict();
}
