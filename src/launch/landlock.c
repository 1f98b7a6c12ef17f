/* landlock.c - the second fence on files: what the mounts show may be read, little may be written,
 * only some of it executed. Rights and ABI numbers: landlock(7), Documentation/userspace-api/landlock.rst.
 */
#include "launch/launch.h"

#include <fcntl.h>
#include <sys/prctl.h>

static uint64_t handled_fs(int abi)
{
    uint64_t rights = KLANDLOCK_ALL_ABI1;
    if (abi >= 2)
        rights |= KLANDLOCK_REFER;
    if (abi >= 3)
        rights |= KLANDLOCK_TRUNCATE;
    if (abi >= 5)
        rights |= KLANDLOCK_IOCTL_DEV;
    return rights;
}

static uint64_t rights_for(uint32_t access, uint64_t handled)
{
    uint64_t rights = 0;
    if (access & LANDLOCK_READ)
        rights |= KLANDLOCK_READ_FILE | KLANDLOCK_READ_DIR;
    if (access & LANDLOCK_EXEC)
        rights |= KLANDLOCK_EXECUTE;
    if (access & LANDLOCK_WRITE) /* everything but executing, device ioctls and sockets */
        rights |= (KLANDLOCK_ALL_ABI1 | KLANDLOCK_REFER | KLANDLOCK_TRUNCATE) & ~(KLANDLOCK_EXECUTE | KLANDLOCK_MAKE_SOCK);
    if (access & LANDLOCK_SOCKET)
        rights |= KLANDLOCK_MAKE_SOCK;
    if (access & LANDLOCK_DEVICE)
        rights |= KLANDLOCK_READ_FILE | KLANDLOCK_READ_DIR | KLANDLOCK_WRITE_FILE |
                  KLANDLOCK_TRUNCATE | KLANDLOCK_IOCTL_DEV;
    return rights & handled;
}

static int add_rule(int ruleset, const struct plan_access *a, uint64_t handled, struct error *err)
{
    cleanup(closep) int fd = open(a->path, O_PATH | O_CLOEXEC);
    if (fd < 0)
        return errno == ENOENT ? 0 : err_set(err, -errno, BLAME_HOST, NULL, "open %s: %m", a->path);
    struct klandlock_path rule = { .allowed = rights_for(a->access, handled), .parent_fd = fd };
    if (syscall(SYS_LANDLOCK_ADD_RULE, ruleset, KLANDLOCK_RULE_PATH, &rule, 0) == 0)
        return 0;
    if (errno == EINVAL) { /* a file takes no directory rights */
        rule.allowed &= KLANDLOCK_EXECUTE | KLANDLOCK_WRITE_FILE | KLANDLOCK_READ_FILE |
                        KLANDLOCK_TRUNCATE | KLANDLOCK_IOCTL_DEV;
        if (syscall(SYS_LANDLOCK_ADD_RULE, ruleset, KLANDLOCK_RULE_PATH, &rule, 0) == 0)
            return 0;
    }
    return err_set(err, -errno, BLAME_HOST, NULL, "rule for %s: %m", a->path);
}

int step_landlock(struct init_ctx *c, struct error *err)
{
    const struct shape *s = c->shape;
    long abi = syscall(SYS_LANDLOCK_CREATE, NULL, 0, KLANDLOCK_CREATE_VERSION);
    if (abi < 1) /* ENOSYS: not built in; EOPNOTSUPP: not in the lsm= list. Decided by `require` */
        return 0;
    uint64_t handled = handled_fs((int)abi);
    struct klandlock_ruleset set = { .handled_fs = handled };
    if (abi >= 4 && s->deny_tcp) /* no rule follows, so all binding and connecting is refused */
        set.handled_net = KLANDLOCK_NET_BIND | KLANDLOCK_NET_CONNECT;
    else if (abi >= 4 && s->is_brokered) /* every connection is made by the broker, with the payload's socket or for it */
        set.handled_net = KLANDLOCK_NET_CONNECT;
    if (abi >= 6)
        set.scoped = KLANDLOCK_SCOPE_ABSTRACT | KLANDLOCK_SCOPE_SIGNAL;
    /* the size tells the kernel which fields we know; older ones refuse a longer struct with E2BIG */
    size_t size = abi >= 6 ? sizeof set : abi >= 4 ? 2 * sizeof(uint64_t) : sizeof(uint64_t);
    cleanup(closep) int ruleset = (int)syscall(SYS_LANDLOCK_CREATE, &set, size, 0);
    if (ruleset < 0)
        return err_set(err, -errno, BLAME_HOST, NULL, "create ruleset (ABI %ld): %m", abi);
    for (uint32_t i = 0; i < s->access_count; i++) {
        int r = add_rule(ruleset, &s->access[i], handled, err);
        if (r < 0)
            return r;
    }
    if (syscall(SYS_LANDLOCK_RESTRICT, ruleset, 0) < 0)
        return err_set(err, -errno, BLAME_HOST, NULL, "restrict (ABI %ld): %m", abi);
    c->report.landlock_abi = (uint32_t)abi;
    feature_set(&c->report.features, FEATURE_LANDLOCK);
    return 0;
}
