/* class: kernel
 * what: installs local descriptor table entries and a call gate's neighbours (modify_ldt, i386 set_thread_area)
 */
#include "attack.h"

static struct {
    uint32_t entry, base, limit, flags;
} desc = { 0, 0, 0xfffff, 0x51 };
static int write_(void)
{
    return syscall(SYS_modify_ldt, 0x11, &desc, sizeof desc) < 0 ? errno : 0;
}
static int read_(void)
{
    char buf[64];
    return syscall(SYS_modify_ldt, 0, buf, sizeof buf) < 0 ? errno : 0;
}
static int in32(void)
{
    void *p = low_page();
    if (!p)
        return ENOMEM;
    memcpy(p, &desc, sizeof desc);
    return int80(123, 0x11, (long)p, sizeof desc, 0, 0) < 0 ? errno : 0;
}

int main(void)
{
    attempt_gate("write", write_);
    attempt_gate("read", read_);
    attempt_gate("i386 write", in32);
    verdict();
}
