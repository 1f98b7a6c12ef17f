/* volumes.c - host directories for the sandbox, when root is asked: opened here, with their owner mapped.
 *
 * Started by root, the payload runs under a host uid that owns nothing, so a volume would be readable at best. An
 * idmapped mount (mount_setattr(2), since 5.12) lets the owner of the volume's top directory appear as the payload's
 * uid, and the payload's new files as that owner's; files of others keep refusing. That takes privilege over
 * the file system, which the launcher has and the sandbox's user namespace has not. File systems without idmapped
 * mounts give what their modes allow, and so do profiles that permit set-uid bits. Where root's launcher works for
 * another process (rights.c), it is that client's own rights which the payload has in the mount, whichever user owns
 * the directory: else a volume of /etc would read /etc/shadow. Started by an ordinary user, payload and user are one
 * uid, and the sandbox opens its volumes itself (mounts.c).
 */
#include "launch/run.h"

#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <sys/prctl.h>
#include <sys/stat.h>
#include <sys/wait.h>

static int write_map(pid_t pid, const char *file, uint32_t from, uint32_t to)
{
    char path[48], text[64];
    (void)snprintf(path, sizeof path, "/proc/%d/%s", (int)pid, file);
    cleanup(closep) int fd = open(path, O_WRONLY | O_CLOEXEC);
    int n = snprintf(text, sizeof text, "%u %u 1", from, to);
    return fd >= 0 && write(fd, text, (size_t)n) == n ? 0 : -errno;
}

/* A user namespace that exists only to carry «on disk -> in the mount». */
static int mapping_namespace(uint32_t uid, uint32_t gid, uint32_t host_uid)
{
    char path[48];
    struct kclone_args a = { .flags = CLONE_NEWUSER, .exit_signal = SIGCHLD };
    pid_t launcher = getpid(), pid = sys_clone3(&a);
    if (pid == 0) { /* it holds copies of all that the launcher has open: left behind, it would keep clients waiting for
                       ever */
        (void)prctl(PR_SET_PDEATHSIG, SIGKILL, 0, 0, 0);
        while (getppid() == launcher)
            (void)pause();
        _exit(0);
    }
    if (pid < 0)
        return -errno;
    int fd = -EPERM;
    if (write_map(pid, "uid_map", uid, host_uid) == 0 && write_map(pid, "gid_map", gid, host_uid) == 0) {
        (void)snprintf(path, sizeof path, "/proc/%d/ns/user", (int)pid);
        fd = open(path, O_RDONLY | O_CLOEXEC);
    }
    (void)kill(pid, SIGKILL);
    (void)waitpid(pid, NULL, 0);
    return fd;
}

static int open_one(const struct run *r, const struct plan_mount *m, struct error *err)
{
    struct opened o;
    bool is_less = rights_are_less(r->launcher);
    int e = is_less ? rights_open(r->launcher, m, &o, err) : (o.fd = volume_open(m, &o.st, err));
    if (e < 0)
        return e;
    cleanup(closep) int fd = o.fd;
    uint32_t uid = is_less ? r->launcher->peer.uid : o.st.st_uid, gid = is_less ? o.gid : o.st.st_gid;
    cleanup(closep) int tree = volume_clone(m, fd, err);
    if (tree < 0)
        return tree;
    /* Were set-uid bits possible, a program could leave one in the owner's name for a process on the host to run. */
    bool may_map = r->shape.no_setuid_bits || m->flags & MOUNT_RO;
    cleanup(closep) int map = may_map ? mapping_namespace(uid, gid, r->host_uid) : -1;
    if (map >= 0) {
        struct kmount_attr attr = { .attr_set = KMOUNT_ATTR_IDMAP, .userns_fd = (uint64_t)map };
        (void)sys_mount_setattr(tree, "", KAT_EMPTY_PATH, &attr); /* EINVAL: that file system has no idmaps */
    }
    return TAKE_FD(tree);
}

int volumes_send(struct run *r, struct error *err)
{
    int fds[MAX_VOLUMES], r_error = 0;
    size_t count = 0;
    bool is_waited_for = false;
    struct down d = { .type = DOWN_VOLUMES };
    if (!r->launcher->is_root)
        return 0;
    for (uint32_t i = 0; i < r->shape.mount_count && r_error == 0; i++) {
        const struct plan_mount *m = &r->shape.mounts[i];
        const bool is_disk = disk_space_is_wanted(m);
        if (m->kind != MOUNT_VOLUME && !is_disk)
            continue;
        is_waited_for = true;
        fds[count] = is_disk ? disk_space_open(r, m) : open_one(r, m, err);
        d.has_disk |= is_disk && fds[count] >= 0;
        r_error = is_disk ? 0 : MIN_OF(fds[count], 0); /* without a disk it is memory, and told */
        count += fds[count] >= 0;
    }
    if (r_error == 0 && is_waited_for)
        (void)send_message(r->report_fd, &d, sizeof d, fds, count); /* a dead init shows at its pidfd */
    for (size_t i = 0; i < count; i++)
        (void)close(fds[i]);
    return r_error;
}
