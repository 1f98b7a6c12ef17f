/* class: kernel
 * what: calls what nobody needs any more: _sysctl, uselib, sysfs, ustat, lookup_dcookie, nfsservctl, vserver, vhangup, remap_file_pages, memfd_secret
 */
#include "attack.h"

static long nr;
static int plain(void)
{
    return syscall(nr, 0, 0, 0, 0, 0, 0) < 0 ? errno : 0;
}
static int vhangup_(void)
{
    setsid(); /* no terminal of ours: it would hang up nothing */
    return syscall(SYS_vhangup) < 0 ? errno : 0;
}
static int sysfs_(void)
{
    return syscall(SYS_sysfs, 3) < 0 ? errno : 0;
}
static int ustat_(void)
{
    char buf[64];
    return syscall(SYS_ustat, 0, buf) < 0 ? errno : 0;
}
static int secret(void)
{
    return syscall(447, 0) < 0 ? errno : 0;
}
static int vm86_32(void)
{
    return int80(113, 0, 0, 0, 0, 0) < 0 ? errno : 0;
}

int main(void)
{
    static const struct {
        const char *name;
        long nr;
    } dead[] = { { "_sysctl", 156 },  { "uselib", 134 },       { "lookup_dcookie", 212 },  { "nfsservctl", 180 },
                 { "vserver", 236 },  { "getpmsg", 181 },      { "afs_syscall", 183 },     { "tuxcall", 184 },
                 { "security", 185 }, { "query_module", 178 }, { "get_kernel_syms", 177 }, { "epoll_ctl_old", 214 } };
    for (size_t i = 0; i < sizeof dead / sizeof dead[0]; i++) {
        nr = dead[i].nr;
        attempt_gate(dead[i].name, plain);
    }
    attempt_gate("vhangup", vhangup_);
    attempt_gate("sysfs", sysfs_);
    attempt_gate("ustat", ustat_);
    attempt_gate("memfd_secret", secret);
    attempt_gate("i386 vm86", vm86_32);
    verdict();
}
