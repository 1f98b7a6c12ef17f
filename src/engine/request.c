#include "engine/request.h"
#include "base/path.h"
#include "entry/frame.h"

#include <linux/capability.h>
#include <linux/filter.h>
#include <sys/stat.h>

#define MASKS_MAX 12288u /* of paths, all together: Podman takes them as one option */
#define BAD(...)  err_set(err, -EINVAL, BLAME_US, "CHECK", __VA_ARGS__)

static int check_mount(const struct request *q, const struct plan_mount *m, struct error *err)
{
    if (m->kind != MOUNT_TMPFS && m->kind != MOUNT_VOLUME && m->kind != MOUNT_MASK)
        return BAD("a container has no mounts of kind %u (at %s)", m->kind, m->target ? m->target : "?");
    if (!path_is_plain(m->target) || str_eq(m->target, "/") || path_is_within(m->target, CODE_DIR))
        return BAD("mount target «%s»", m->target ? m->target : "");
    if (m->kind == MOUNT_TMPFS && strpbrk(m->target, ",:"))
        return BAD("an engine takes no «%s» as a tmpfs: it has «,» or «:»", m->target);
    if (m->kind == MOUNT_TMPFS && !m->size_bytes)
        return BAD("tmpfs at %s without a size", m->target);
    if (m->kind == MOUNT_VOLUME && !path_is_plain(m->source))
        return BAD("volume %s", m->source ? m->source : "");
    /* a user of the socket is root on the host */
    if (m->kind == MOUNT_VOLUME && path_is_within(q->container.socket, m->source)) {
        (void)err_set(err, -EPERM, BLAME_POLICY, "CHECK", "volume %s holds the engine's socket %s", m->source,
                      q->container.socket);
        return err_remedy(err, "mount a directory below it that does not");
    }
    return 0;
}

#define CAPS_GRANTABLE                                                                                             \
    (UINT64_C(1) << CAP_CHOWN | UINT64_C(1) << CAP_DAC_OVERRIDE | UINT64_C(1) << CAP_FOWNER |                      \
     UINT64_C(1) << CAP_FSETID | UINT64_C(1) << CAP_KILL | UINT64_C(1) << CAP_SETGID | UINT64_C(1) << CAP_SETUID | \
     UINT64_C(1) << CAP_NET_BIND_SERVICE | UINT64_C(1) << CAP_IPC_LOCK)

static bool is_name(const char *s, size_t max)
{
    size_t n = strspn(s, "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789_.-");
    return n > 0 && n <= max && s[n] == '\0' && s[0] != '-' && s[0] != '.';
}

static int check_shape(const struct request *q, struct error *err)
{
    const struct shape *s = &q->shape;
    if (s->uid == 0 || s->gid == 0)
        return BAD("the payload may not be uid or gid 0");
    if (!s->hostname || !is_name(s->hostname, 63))
        return BAD("host name");
    if (s->pids == 0 || s->nofile_hard < 8)
        return BAD("limits: pids %u, nofile %u", s->pids, s->nofile_hard);
    if (s->apparmor && (!is_name(s->apparmor, 80) || str_eq(s->apparmor, "unconfined")))
        return BAD("AppArmor profile name «%s»", s->apparmor);
    if (s->keep_caps & ~CAPS_GRANTABLE)
        return BAD("capabilities %#llx", (unsigned long long)s->keep_caps);
    for (uint32_t i = 0; i < s->mount_count; i++) {
        int r = check_mount(q, &s->mounts[i], err);
        if (r < 0)
            return r;
    }
    if (s->filter.size % sizeof(struct sock_filter) || s->verdicts.size % sizeof(struct sock_filter) ||
        s->verdicts.size / sizeof(struct sock_filter) > ENTRY_MAX_VERDICTS)
        return BAD("filters of %u and %u bytes", s->filter.size, s->verdicts.size);
    for (uint32_t i = 0; i < s->access_count; i++)
        if (!s->access[i].path)
            return BAD("an access rule without a path");
    return 0;
}

/* A tmpfs of the container's own, with nothing laid over it. */
static bool is_own_directory(const struct shape *s, const char *path)
{
    bool is_own = false;
    for (uint32_t i = 0; i < s->mount_count; i++)
        if (str_eq(s->mounts[i].target, path))
            is_own = s->mounts[i].kind == MOUNT_TMPFS;
    return is_own;
}

static int check_job(const struct request *q, struct error *err)
{
    const struct job *j = &q->job;
    struct stat st;
    if (!j->id || !is_name(j->id, 64))
        return BAD("execution id");
    if (!j->program || !*j->program || !path_is_plain(j->cwd) || j->argv.count == 0)
        return BAD("program «%s» in «%s»", j->program ? j->program : "", j->cwd ? j->cwd : "");
    if (j->timeout_ms == 0)
        return BAD("no deadline");
    if (j->artifact && !path_is_plain(j->artifact))
        return BAD("artifact %s", j->artifact);
    if (j->workspace && !is_own_directory(&q->shape, j->workspace))
        return BAD("workspace %s", j->workspace);
    if (fstat(q->fds[RUN_FD_CODE], &st) < 0)
        return BAD("no code arrived");
    for (uint32_t i = 0; i < j->file_count; i++) {
        const struct plan_file *f = &j->files[i];
        if (!path_is_plain(f->path) || f->offset > (uint64_t)st.st_size || f->size > (uint64_t)st.st_size - f->offset)
            return BAD("file %s", f->path ? f->path : "");
    }
    return 0;
}

int request_check(const struct request *q, struct error *err)
{
    const struct container *c = &q->container;
    if (!path_is_plain(
            c->socket)) /* whether it is too long for a socket engine_open() says, in words for its operator */
        return BAD("engine socket «%s»", c->socket ? c->socket : "");
    if (!c->image || !*c->image || c->answer_ms == 0)
        return BAD("image «%s», %llu ms for an answer", c->image ? c->image : "", (unsigned long long)c->answer_ms);
    if (c->masks.size > MASKS_MAX)
        return BAD("%u bytes of programs to hide", c->masks.size);
    STRLIST_FOREACH(path, &c->masks)
    if (!path_is_plain(path) || strchr(path, ':'))
        return BAD("path to hide «%s»", path);
    if (c->network && !is_name(c->network, 100)) {
        (void)err_set(err, -EINVAL, BLAME_CALLER, "CHECK",
                      "docker.container.network: «%.100s» is no name of a bridge network", c->network);
        return err_remedy(err, "letters, digits, `_`, `.` and `-`, at most 100; or `none`");
    }
    if (c->runtime && (!*c->runtime || strlen(c->runtime) > 200))
        return BAD("runtime name");
    int r = check_shape(q, err);
    return r < 0 ? r : check_job(q, err);
}
