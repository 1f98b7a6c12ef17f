/* class: privilege
 * what: a user namespace of its own by clone3, whose flags a filter cannot read, with all three sizes of its structure, and by i386 clone3
 */
#include "attack.h"

static size_t size;
static struct {
    uint64_t flags, pidfd, child_tid, parent_tid, exit_signal, stack, stack_size, tls, set_tid, set_tid_size, cgroup,
        more[4];
} args;

static int reap(long pid)
{
    if (pid < 0)
        return errno;
    if (pid == 0)
        _exit(0);
    waitpid((pid_t)pid, NULL, 0x40000000 /* __WALL */);
    return 0;
}
static int clone3_(void)
{
    return reap(syscall(435, &args, size));
}
static int clone3_32(void)
{
    void *p = low_page();
    if (!p)
        return ENOMEM;
    memcpy(p, &args, sizeof args);
    return reap(int80(435, (long)p, (long)size, 0, 0, 0));
}

int main(void)
{
    static const size_t sizes[] = { 64, 80, 88, 120 };
    args.exit_signal = SIGCHLD;
    for (int ns = 0; ns < 2; ns++) {
        args.flags = ns ? CLONE_NEWUSER | CLONE_NEWNS | CLONE_NEWPID : CLONE_NEWUSER;
        for (int i = 0; i < 4; i++) {
            size = sizes[i];
            attempt("clone3", clone3_);
        }
        size = 88;
        attempt("i386 clone3", clone3_32);
    }
    verdict();
}
