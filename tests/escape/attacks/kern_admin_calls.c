/* class: kernel
 * what: the rest of the administrator's calls: setns, mount_setattr, landlock misuse, process_mrelease, kcov, pkey, ptrace variants, nice things of newer kernels
 */
#include "attack.h"

static long nr, a, b, c;
static int go(void)
{
    return syscall(nr, a, b, c, 0, 0, 0) < 0 ? errno : 0;
}

int main(void)
{
    /* all with arguments that no kernel accepts; any answer but a refusal means that the door exists */
    static const struct {
        const char *name;
        long nr, a, b, c;
    } calls[] = { { "setns", 308, -1, 0, 0 },
                  { "process_vm_readv", 310, 1, 0, 0 },
                  { "process_vm_writev", 311, 1, 0, 0 },
                  { "ptrace", 101, 9999, 1, 0 },
                  { "perf_event_open", 298, 0, 0, -1 },
                  { "bpf", 321, 9999, 0, 0 },
                  { "open_by_handle_at", 304, -1, 0, 0 },
                  { "kcmp", 312, 1, 1, 99 },
                  { "move_mount", 429, -1, 0, -1 },
                  { "fsopen", 430, 0, 0xff, 0 },
                  { "fspick", 433, -1, 0, 0xff },
                  { "mount", 165, 0, 0, 0 },
                  { "umount2", 166, 0, 0xffff, 0 },
                  { "add_key", 248, 0, 0, 0 },
                  { "keyctl", 250, 9999, 0, 0 },
                  { "request_key", 249, 0, 0, 0 },
                  { "io_uring_register", 427, -1, 0, 0 },
                  { "userfaultfd", 323, 0xffff, 0, 0 },
                  { "lsm_set_self_attr", 460, 9999, 0, 0 },
                  { "iopl", 172, 9, 0, 0 },
                  { "pidfd_getfd", 438, -1, 0, 0 },
                  { "quotactl_fd", 443, -1, 0, 0 },
                  { "statmount", 457, 0, 0, 0 },
                  { "listmount", 458, 0, 0, 0 } };
    for (size_t i = 0; i < sizeof calls / sizeof calls[0]; i++) {
        nr = calls[i].nr, a = calls[i].a, b = calls[i].b, c = calls[i].c;
        attempt_gate(calls[i].name, go);
    }
    verdict();
}
