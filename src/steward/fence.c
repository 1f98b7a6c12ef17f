#include "steward/steward.h"

#include <fcntl.h>
#include <linux/audit.h>
#include <linux/filter.h>
#include <linux/seccomp.h>
#include <stdio.h>
#include <sys/stat.h>

#include "base/kernel.h"
#include "base/seccomp.h"

#ifdef __aarch64__
#define NATIVE_ARCH AUDIT_ARCH_AARCH64
#else
#define NATIVE_ARCH AUDIT_ARCH_X86_64
#endif

/* A domain without a rule for REFER refuses every rename between directories (landlock(7)), so the reaper's has one for
 * everything, as it has for everything else. */
static int enter(struct landlock *l, const char *const *open, size_t count)
{
    struct error err = { 0 };
    int r = 0;
    for (size_t i = 0; i < count && r == 0; i++)
        r = landlock_allow(l, open[i],
                           LANDLOCK_READ | LANDLOCK_WRITE | LANDLOCK_EXEC | LANDLOCK_DEVICE | LANDLOCK_SOCKET, &err);
    return r;
}

int fence_reaper(uint32_t abi)
{
    static const char *const everything[] = { "/" };
    cleanup(landlock_close) struct landlock l = { .ruleset = -1 };
    struct error err = { 0 };
    if (!abi)
        return 0;
    int r = landlock_open(&l, LANDLOCK_FILES, 0, &err);
    if (r == 0)
        r = enter(&l, everything, 1);
    return r < 0 ? r : landlock_enter(&l, &err);
}

/* Everything that lies in the root but STEWARD_CODE. Rules are for what lies below a path, so «all but one» is a list.
 */
static int allow_others(struct landlock *l)
{
    char entries[4096];
    cleanup(closep) int root = open("/", O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    if (root < 0)
        return -errno;
    int r = 0;
    for (long n; r == 0 && (n = sys_getdents64(root, entries, sizeof entries)) != 0;) {
        if (n < 0)
            return -errno;
        for (long at = 0; at < n && r == 0;) {
            const struct kdirent *d = (const struct kdirent *)(entries + at);
            char path[300];
            const char *const one[] = { path };
            at += d->size;
            if (str_eq(d->name, ".") || str_eq(d->name, "..") || str_eq(d->name, &STEWARD_CODE[1]))
                continue;
            (void)snprintf(path, sizeof path, "/%s", d->name);
            r = enter(l, one, 1);
        }
    }
    return r;
}

int fence_prepare(struct landlock *ret)
{
    struct landlock l = { .ruleset = -1 };
    struct error err = { 0 };
    int r = landlock_open(&l, LANDLOCK_FILES & ~KLANDLOCK_READ_DIR, 0, &err); /* «/» itself may be listed */
    if (r == 0)
        r = allow_others(&l);
    if (r < 0)
        landlock_close(&l);
    else
        *ret = l;
    return r;
}

int fence_job(uint32_t abi, struct landlock *prepared, const char *name)
{
    struct error err = { 0 };
    char own[128];
    if (!abi)
        return 0;
    (void)snprintf(own, sizeof own, STEWARD_CODE "/%s", name ? name : "");
    int r = prepared->ruleset < 0 ? fence_prepare(prepared) : 0;
    if (r == 0 && name)
        r = landlock_allow(prepared, own, LANDLOCK_READ, &err);
    if (r == 0)
        r = landlock_enter(prepared, &err);
    landlock_close(prepared);
    return r;
}

/* The session's filter permits landlock, openat2 and inotify for our sake (plan/build.c). A later filter's errno is
 * stronger than an earlier one's permission: seccomp(2). */
int fence_close(void)
{
    static const struct sock_filter none[] = {
        BPF_STMT(BPF_LD | BPF_W | BPF_ABS, offsetof(struct seccomp_data, arch)),
        BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, NATIVE_ARCH, 1, 0),
        BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ALLOW), /* the first filter's business */
        BPF_STMT(BPF_LD | BPF_W | BPF_ABS, offsetof(struct seccomp_data, nr)),
        BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, SYS_OPENAT2, 5, 0),
        BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, SYS_inotify_init1, 4, 0),
        BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, SYS_inotify_add_watch, 3, 0),
        BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, SYS_inotify_rm_watch, 2, 0),
        BPF_JUMP(BPF_JMP | BPF_JGE | BPF_K, SYS_LANDLOCK_CREATE, 0, 2),
        BPF_JUMP(BPF_JMP | BPF_JGT | BPF_K, SYS_LANDLOCK_RESTRICT, 1, 0),
        BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ERRNO | ENOSYS),
        BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ALLOW),
    };
    return seccomp_load((struct bytes){ none, sizeof none });
}
