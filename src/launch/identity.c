/* identity.c - who the payload is: ids through the user namespace's map, then no capability at all. */
#include "launch/launch.h"

#include <linux/capability.h>
#include <linux/securebits.h>
#include <sys/prctl.h>

/* Raw calls: musl's and glibc's wrappers broadcast to threads we do not have. */
#define sys_setresuid(u) syscall(SYS_setresuid, (u), (u), (u))
#define sys_setresgid(g) syscall(SYS_setresgid, (g), (g), (g))

int step_identity(struct init_ctx *c, struct error *err)
{
    struct down d = { 0 };
    size_t count;
    ssize_t n = receive_message(c->report_fd, &d, sizeof d, NULL, 0, &count);
    if (n != (ssize_t)sizeof d || d.type != DOWN_MAPPED)
        return err_set(err, -EPIPE, BLAME_HOST, NULL, "the launcher went away");
    /* supplementary groups: root's launcher can drop them, an ordinary user's kernel forbids it
     * (user_namespaces(7), setgroups «deny»); they then give access to nothing that is mounted */
    if (c->by_root && syscall(SYS_setgroups, 0, NULL) < 0)
        return err_set(err, -errno, BLAME_HOST, NULL, "setgroups: %m");
    if (sys_setresgid(c->shape->gid) < 0)
        return err_set(err, -errno, BLAME_HOST, NULL, "setresgid %u: %m", c->shape->gid);
    /* uid 0 has no mapping inside, so the kernel's «capabilities go when leaving uid 0» rule does not
     * apply: we keep them in our own namespace until step CAPABILITIES */
    if (sys_setresuid(c->shape->uid) < 0)
        return err_set(err, -errno, BLAME_HOST, NULL, "setresuid %u: %m", c->shape->uid);
    int r = bind_to_launcher(c, err); /* again: changing ids clears the death signal */
    if (r < 0)
        return r;
    /* not dumpable: no process inside may ptrace us or read our /proc entry */
    if (prctl(PR_SET_DUMPABLE, 0, 0, 0, 0) < 0)
        return err_set(err, -errno, BLAME_HOST, NULL, "undumpable: %m");
    feature_set(&c->report.features, FEATURE_USER_NS);
    feature_set(&c->report.features, FEATURE_PID_NS);
    return 0;
}

int capset_masks(uint64_t now, uint64_t inheritable)
{
    struct __user_cap_header_struct h = { .version = _LINUX_CAPABILITY_VERSION_3 };
    struct __user_cap_data_struct d[2] = {
        { .effective = (uint32_t)now, .permitted = (uint32_t)now, .inheritable = (uint32_t)inheritable },
        { .effective = (uint32_t)(now >> 32),
          .permitted = (uint32_t)(now >> 32),
          .inheritable = (uint32_t)(inheritable >> 32) },
    };
    return (int)syscall(SYS_capset, &h, d);
}

static int raise_ambient(uint64_t keep)
{
    for (int cap = 0; cap < 64; cap++)
        if (keep >> cap & 1 && prctl(PR_CAP_AMBIENT, PR_CAP_AMBIENT_RAISE, cap, 0, 0) < 0)
            return -errno;
    return 0;
}

/* Early, where a slot does it once: it takes nothing from us but what an exec could bring back. */
int step_bounding(struct init_ctx *c, struct error *err)
{
    uint64_t keep = c->shape->keep_caps;
    for (int cap = 0; cap < 64; cap++)
        if (!(keep >> cap & 1) && prctl(PR_CAPBSET_DROP, cap, 0, 0, 0) < 0) {
            if (errno == EINVAL)
                break; /* past the last capability this kernel knows */
            return err_set(err, -errno, BLAME_HOST, NULL, "drop capability %d from the bounding set: %m", cap);
        }
    return 0;
}

int step_capabilities(struct init_ctx *c, struct error *err)
{
    uint64_t keep = c->shape->keep_caps;
    /* uid 0 means nothing inside, for ever */
    if (prctl(PR_SET_SECUREBITS,
              SECBIT_NOROOT | SECBIT_NOROOT_LOCKED | SECBIT_NO_SETUID_FIXUP | SECBIT_NO_SETUID_FIXUP_LOCKED |
                  (keep ? 0 : SECBIT_NO_CAP_AMBIENT_RAISE | SECBIT_NO_CAP_AMBIENT_RAISE_LOCKED),
              0, 0, 0) < 0)
        return err_set(err, -errno, BLAME_HOST, NULL, "securebits: %m");
    /* Without no_new_privs only CAP_SYS_ADMIN may load a filter: it stays until exec, which drops it (it is
     * neither inheritable nor in the bounding set any more). */
    uint64_t until_exec = c->shape->no_new_privs ? 0 : UINT64_C(1) << CAP_SYS_ADMIN;
    if (capset_masks(keep | until_exec, keep) < 0)
        return err_set(err, -errno, BLAME_HOST, NULL, "capset: %m");
    int r = raise_ambient(keep);
    if (r < 0)
        return err_set(err, r, BLAME_HOST, NULL, "ambient capabilities: %s", strerror(-r));
    feature_set(&c->report.features, FEATURE_CAPS);
    return 0;
}
