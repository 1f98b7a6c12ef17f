#include "base/seccomp.h"

#include <linux/filter.h>
#include <linux/seccomp.h>
#include <sys/syscall.h>
#include <unistd.h>

#define KSECCOMP_WAIT_KILLABLE_RECV (1u << 5) /* linux/seccomp.h since 5.19 */

/* include/linux/errno.h, for the kernel's own use: a kernel that must not interpret filters (CONFIG_BPF_JIT_ALWAYS_ON)
 * could not compile this one. Its memory for code is short, or net.core.bpf_jit_limit is reached, and where many
 * sandboxes end, theirs comes back a little later. */
#define KENOTSUPP        524
#define COMPILE_TRIES    100u
#define COMPILE_PAUSE_US 5000u

static int load(const struct sock_filter *insns, size_t n, unsigned flags)
{
    struct sock_fprog prog = { .len = (unsigned short)n, .filter = (struct sock_filter *)insns };
    for (unsigned i = 0; i < COMPILE_TRIES; i++) {
        long r = syscall(SYS_seccomp, SECCOMP_SET_MODE_FILTER, flags, &prog);
        if (r >= 0)
            return (int)r;
        if (errno != KENOTSUPP)
            return -errno;
        (void)usleep(COMPILE_PAUSE_US);
    }
    return -ENOMEM; /* strerror() has words for it */
}

int seccomp_load(struct bytes filter)
{
    return load(filter.data, filter.size / sizeof(struct sock_filter), 0);
}

int seccomp_load_listening(struct bytes filter, bool may_be_interrupted)
{
    const size_t n = filter.size / sizeof(struct sock_filter);
    int r = -EINVAL;
    if (!may_be_interrupted) /* Linux 5.19 */
        r = load(filter.data, n, SECCOMP_FILTER_FLAG_NEW_LISTENER | KSECCOMP_WAIT_KILLABLE_RECV);
    return r == -EINVAL ? load(filter.data, n, SECCOMP_FILTER_FLAG_NEW_LISTENER) : r;
}
