#include "base/landlock.h"

#include <fcntl.h>
#include "base/kernel.h"

uint32_t landlock_abi(void)
{
    long abi = syscall(SYS_LANDLOCK_CREATE, NULL, 0, KLANDLOCK_CREATE_VERSION);
    return abi < 1 ? 0 : (uint32_t)abi;
}

static uint64_t handled_fs(uint32_t abi)
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
        rights |= (KLANDLOCK_ALL_ABI1 | KLANDLOCK_REFER | KLANDLOCK_TRUNCATE) &
                  ~(KLANDLOCK_EXECUTE | KLANDLOCK_MAKE_SOCK);
    if (access & LANDLOCK_SOCKET)
        rights |= KLANDLOCK_MAKE_SOCK;
    if (access & LANDLOCK_DEVICE)
        rights |= KLANDLOCK_READ_FILE | KLANDLOCK_READ_DIR | KLANDLOCK_WRITE_FILE | KLANDLOCK_TRUNCATE |
                  KLANDLOCK_IOCTL_DEV;
    return rights & handled;
}

int landlock_open(struct landlock *l, uint64_t files, uint64_t refused_net, struct error *err)
{
    struct landlock made = { .ruleset = -1, .abi = landlock_abi() };
    if (made.abi < 1)
        return err_set(err, -EOPNOTSUPP, BLAME_HOST, NULL, "this kernel has no landlock");
    made.handled_fs = files & handled_fs(made.abi);
    struct klandlock_ruleset set = { .handled_fs = made.handled_fs, .handled_net = made.abi >= 4 ? refused_net : 0 };
    if (made.abi >= 6)
        set.scoped = KLANDLOCK_SCOPE_ABSTRACT | KLANDLOCK_SCOPE_SIGNAL;
    /* the size tells the kernel which fields we know; older ones refuse a longer struct with E2BIG */
    size_t size = made.abi >= 6 ? sizeof set : made.abi >= 4 ? 2 * sizeof(uint64_t) : sizeof(uint64_t);
    made.ruleset = (int)syscall(SYS_LANDLOCK_CREATE, &set, size, 0);
    if (made.ruleset < 0)
        return err_set(err, -errno, BLAME_HOST, NULL, "create ruleset (ABI %u): %m", made.abi);
    *l = made;
    return 0;
}

int landlock_allow(const struct landlock *l, const char *path, uint32_t access, struct error *err)
{
    cleanup(closep) int fd = open(path, O_PATH | O_CLOEXEC);
    if (fd < 0)
        return errno == ENOENT ? 0 : err_set(err, -errno, BLAME_HOST, NULL, "open %s: %m", path);
    struct klandlock_path rule = { .allowed = rights_for(access, l->handled_fs), .parent_fd = fd };
    if (syscall(SYS_LANDLOCK_ADD_RULE, l->ruleset, KLANDLOCK_RULE_PATH, &rule, 0) == 0)
        return 0;
    if (errno == EINVAL) { /* a file takes no directory rights */
        rule.allowed &= KLANDLOCK_EXECUTE | KLANDLOCK_WRITE_FILE | KLANDLOCK_READ_FILE | KLANDLOCK_TRUNCATE |
                        KLANDLOCK_IOCTL_DEV;
        if (syscall(SYS_LANDLOCK_ADD_RULE, l->ruleset, KLANDLOCK_RULE_PATH, &rule, 0) == 0)
            return 0;
    }
    return err_set(err, -errno, BLAME_HOST, NULL, "rule for %s: %m", path);
}

int landlock_enter(const struct landlock *l, struct error *err)
{
    if (syscall(SYS_LANDLOCK_RESTRICT, l->ruleset, 0) < 0)
        return err_set(err, -errno, BLAME_HOST, NULL, "restrict (ABI %u): %m", l->abi);
    return 0;
}

void landlock_close(struct landlock *l)
{
    closep(&l->ruleset);
}
