#include "engine/mounts.h"

#include <stdio.h>
#include <sys/stat.h>
#include "base/path.h"
#include "engine/request.h"

#define WRONG(...) err_set(err, -ENOTSUP, BLAME_HOST, "FACTS", __VA_ARGS__)

/* --- what engines always make ------------------------------------------------------------------------- */

/* Whole file systems, and the host's device nodes where an engine may make none (rootless). type, root: NULL for any.
 * What is hidden by a mask is not told (entry/mounts.c), so of /sys mostly nothing. */
static const struct place {
    const char *point, *type, *root;
    bool is_readonly;
} places[] = {
    { "/proc", "proc", "/", false },
    { "/dev", "tmpfs", "/", false },
    { "/dev/pts", "devpts", "/", false },
    { "/dev/shm", "tmpfs", "/", false },
    { "/dev/mqueue", "mqueue", "/", false },
    { "/dev/zero", NULL, "/zero", false },
    { "/dev/full", NULL, "/full", false },
    { "/dev/random", NULL, "/random", false },
    { "/dev/urandom", NULL, "/urandom", false },
    { "/dev/tty", NULL, "/tty", false },
    { "/sys", "sysfs", "/", true },
    { "/sys/fs/cgroup", "cgroup2", NULL, true },
    { "/sys/fs/cgroup", "tmpfs", "/", false }, /* the directory of the next ones */
    { "/sys/fs/cgroup/", "cgroup", NULL, true },
};

/* Files that the engine wrote for this container, behind its id in the path: Docker's, Podman's. Where is the image's
 * choice, whose /etc/resolv.conf may be a link. */
static const char *const own_files[] = { "hosts",
                                         "hostname",
                                         "resolv.conf",
                                         "userdata/hosts",
                                         "userdata/hostname",
                                         "userdata/resolv.conf",
                                         "userdata/passwd",
                                         "userdata/group",
                                         "userdata/localtime",
                                         "userdata/.containerenv",
                                         "userdata/run/.containerenv",
                                         NULL };

/* The same to a runtime with a kernel of its own, which does not tell what it is a bind of. */
static const char *const file_points[] = { "/etc/hosts",
                                           "/etc/hostname",
                                           "/etc/resolv.conf",
                                           "/etc/passwd",
                                           "/etc/group",
                                           "/etc/localtime",
                                           "/run/.containerenv",
                                           "/run/systemd/resolve/stub-resolv.conf",
                                           "/run/systemd/resolve/resolv.conf",
                                           "/run/resolvconf/resolv.conf", /* where /etc/resolv.conf leads to */
                                           NULL };

/* Podman's, where the root is read-only: spec.c asks for them, and small. */
static const char *const podman_tmpfs[] = { "/run", "/tmp", "/var/tmp", NULL };

static bool is_at(const char *point, const struct place *p)
{
    size_t n = strlen(p->point);
    return p->point[n - 1] == '/' ? strncmp(point, p->point, n) == 0 : str_eq(point, p->point);
}

static bool is_engines_place(const struct entry_mount *m)
{
    for (const struct place *p = places; p < places + ARRAY_LEN(places); p++)
        if (is_at(m->point, p) && (!p->type || str_eq(m->type, p->type)) && (!p->root || str_eq(m->root, p->root)) &&
            m->is_readonly >= p->is_readonly)
            return true;
    return false;
}

/* What is behind «/NAME/» in path, or NULL. */
static const char *behind(const char *path, const char *name)
{
    size_t n = name ? strlen(name) : 0;
    for (const char *s = path; n && (s = strchr(s, '/')); s++)
        if (strncmp(s + 1, name, n) == 0 && s[n + 1] == '/')
            return s + n + 2;
    return NULL;
}

static bool is_engines_file(const struct check_input *in, const struct entry_mount *m)
{
    const char *rest = behind(m->root, in->container);
    return rest && str_is_one_of(rest, own_files);
}

static const struct entry_mount *mount_at(const struct check_input *in, const char *point)
{
    for (uint32_t i = 0; i < in->facts->mount_count; i++)
        if (str_eq(in->facts->mounts[i].point, point))
            return &in->facts->mounts[i];
    return NULL;
}

/* What is below a mask that the plan asked for cannot be had. */
static bool is_under_mask(const struct check_input *in, const struct entry_mount *m)
{
    const struct shape *s = &in->request->shape;
    for (uint32_t i = 0; i < s->mount_count; i++)
        if (s->mounts[i].kind == MOUNT_MASK && str_eq(s->mounts[i].target, m->point))
            return check_is_masked(in, check_probe_of(in, i));
    return false;
}

/* Parts of /proc that are made read-only by being bound to where they are; a mask may lie over that. */
static bool is_part_of_proc(const struct check_input *in, const struct entry_mount *m)
{
    const struct entry_mount *proc = mount_at(in, "/proc");
    return proc && str_eq(m->type, "proc") && path_is_within(m->point, "/proc") &&
           str_eq(m->point + strlen("/proc"), m->root) && (m->dev == proc->dev || is_under_mask(in, m));
}

/* --- what was asked for --------------------------------------------------------------------------- */

static bool has_place(const struct check_input *in, uint32_t mount, const struct entry_mount *m)
{
    const struct entry_probe *p = check_probe_of(in, mount);
    /* the image may have a link on the way: then it is where that leads to */
    return str_eq(in->request->shape.mounts[mount].target, m->point) ||
           (!p->error && m->ino && p->dev == m->dev && p->ino == m->ino);
}

static const struct plan_mount *asked_for(const struct check_input *in, const struct entry_mount *m,
                                          enum mount_kind kind)
{
    const struct shape *s = &in->request->shape;
    for (uint32_t i = 0; i < s->mount_count; i++)
        if (s->mounts[i].kind == kind && has_place(in, i, m))
            return &s->mounts[i];
    return NULL;
}

static bool is_tmpfs_of_plan(const struct check_input *in, const struct entry_mount *m)
{
    return str_eq(m->type, "tmpfs") && str_eq(m->root, "/") &&
           (asked_for(in, m, MOUNT_TMPFS) || str_is_one_of(m->point, podman_tmpfs));
}

/* Where our uid cannot look, a mask is told like the rest (a directory of the image's that only root may enter). */
static bool is_unseen_mask(const struct check_input *in, const struct entry_mount *m)
{
    const struct shape *s = &in->request->shape;
    bool is_asked = strlist_has(&in->request->container.masks, m->point);
    for (uint32_t i = 0; i < s->mount_count; i++)
        is_asked = is_asked || (s->mounts[i].kind == MOUNT_MASK && str_eq(s->mounts[i].target, m->point));
    return is_asked && !m->ino && (str_eq(m->root, "/null") || (m->is_readonly && str_eq(m->type, "tmpfs")));
}

static bool is_code(const struct check_input *in, const struct entry_mount *m)
{
    return str_eq(m->point, CODE_DIR) && m->is_readonly &&
           (check_is_other_kernel(&in->request->container) || behind(m->root, in->volume));
}

/* File systems that lie below the directory of a volume come with it: those, and no others. */
static const struct plan_mount *comes_with(const struct check_input *in, const struct entry_mount *m)
{
    for (uint32_t i = 0; i < in->facts->mount_count; i++) {
        const struct entry_mount *top = &in->facts->mounts[i];
        const struct plan_mount *volume = path_is_within(m->point, top->point) ? asked_for(in, top, MOUNT_VOLUME)
                                                                               : NULL;
        char path[8192];
        struct stat st;
        if (!volume ||
            (size_t)snprintf(path, sizeof path, "%s%s", volume->source, m->point + strlen(top->point)) >= sizeof path)
            continue;
        if (lstat(path, &st) == 0 && st.st_dev == m->dev && st.st_ino == m->ino)
            return volume;
    }
    return NULL;
}

static int check_volume_mount(const struct plan_mount *volume, const struct entry_mount *m, struct error *err)
{
    if (!(volume->flags & MOUNT_RO) || m->is_readonly)
        return 0;
    (void)WRONG("in the container: %.200s can be written, and volume %.150s was asked for read-only", m->point,
                volume->source);
    return err_remedy(err, "an engine may leave what is mounted below a volume writable: unmount it, or take a "
                           "directory without a file system below it");
}

static bool is_accepted(const struct check_input *in, const struct entry_mount *m)
{
    STRLIST_FOREACH(place, &in->request->container.accept_mounts)
    if (path_is_within(m->point, place))
        return true;
    return false;
}

/* --- all of them ---------------------------------------------------------------------------------- */

/* A whole file system of the host's where an own one was asked for. Numbers of devices say something within one kernel
 * only. */
static bool is_of_host(const struct check_input *in, const struct entry_mount *m)
{
    bool is_same_kernel = in->facts->kernel && str_eq(in->facts->kernel, in->host->kernel);
    for (uint32_t i = 0; is_same_kernel && str_eq(m->root, "/") && i < in->host->dev_count; i++)
        if (in->host->devs[i] == m->dev)
            return true;
    return false;
}

static int refuse_of_host(const struct entry_mount *m, struct error *err)
{
    (void)WRONG("in the container: what is mounted at %.200s (%.40s) is the host's own", m->point, m->type);
    return err_remedy(err, "take it out of the engine's configuration (Podman: `volumes` in containers.conf, "
                           "mounts.conf; Docker: the runtime's hooks)");
}

static int refuse_unknown(const struct entry_mount *m, struct error *err)
{
    (void)WRONG(
        "in the container: at %.120s there is a mount that was not asked for (%.40s, %.120s of its file system, %s)",
        m->point, m->type, m->root, m->is_readonly ? "read-only" : "writable");
    return err_remedy(
        err, "take it out of the engine's configuration (Podman: `volumes` in containers.conf, mounts.conf; "
             "Docker: the runtime's hooks); "
             "or accept it: docker.container.accept_mounts; give a directory that the program needs as a volume");
}

/* The image's: any kind of file system, and engines call the place as they like. */
static int check_root(const struct check_input *in, const struct entry_mount *m, struct error *err)
{
    bool is_same_kernel = in->facts->kernel && str_eq(in->facts->kernel, in->host->kernel);
    return is_same_kernel && m->dev == in->host->root_dev && m->ino == in->host->root_ino ? refuse_of_host(m, err) : 0;
}

static int check_mount(const struct check_input *in, const struct entry_mount *m, struct error *err)
{
    const struct plan_mount *volume;
    if (str_eq(m->point, "/"))
        return check_root(in, m, err);
    if (is_engines_place(m) || is_tmpfs_of_plan(in, m))
        return is_of_host(in, m) ? refuse_of_host(m, err) : 0;
    if (is_engines_file(in, m) || is_part_of_proc(in, m) || is_code(in, m) || is_unseen_mask(in, m))
        return 0;
    if ((volume = asked_for(in, m, MOUNT_VOLUME)) || (volume = comes_with(in, m)))
        return check_volume_mount(volume, m, err);
    return is_accepted(in, m) ? 0 : refuse_unknown(m, err);
}

/* gVisor and Kata have names of their own for whatever comes from outside, so of a bind only the place is known (and
 * told as missing: check.c). */
static int check_other_kernels(const struct check_input *in, const struct entry_mount *m, struct error *err)
{
    const struct plan_mount *volume = asked_for(in, m, MOUNT_VOLUME);
    if (volume)
        return check_volume_mount(volume, m, err);
    bool is_known = str_eq(m->point, "/") || str_eq(m->point, "/dev/shm") || is_engines_place(m) ||
                    is_tmpfs_of_plan(in, m) || is_part_of_proc(in, m) || is_code(in, m) ||
                    str_is_one_of(m->point, file_points) || is_accepted(in, m);
    return is_known ? 0 : refuse_unknown(m, err);
}

/* An image may have a directory there, too. */
static int check_is_mounted(const struct check_input *in, uint32_t volume, struct error *err)
{
    const struct plan_mount *m = &in->request->shape.mounts[volume];
    for (uint32_t i = 0; i < in->facts->mount_count; i++)
        if (has_place(in, volume, &in->facts->mounts[i]))
            return 0;
    return WRONG("volume %.150s is not mounted at %.200s in the container", m->source, m->target);
}

void mounts_list_accepted(const struct check_input *in, struct strlist *missing)
{
    for (uint32_t i = 0; i < in->facts->mount_count; i++)
        if (is_accepted(in, &in->facts->mounts[i]))
            (void)strlist_addf(
                missing, "mount_ns: what is mounted at %.200s (%.40s) is accepted by docker.container.accept_mounts",
                in->facts->mounts[i].point, in->facts->mounts[i].type);
}

int mounts_check(const struct check_input *in, struct error *err)
{
    bool is_other_kernel = check_is_other_kernel(&in->request->container);
    int r = 0;
    for (uint32_t i = 0; r == 0 && i < in->facts->mount_count; i++)
        r = (is_other_kernel ? check_other_kernels : check_mount)(in, &in->facts->mounts[i], err);
    for (uint32_t i = 0; r == 0 && in->facts->are_mounts_whole && i < in->request->shape.mount_count; i++)
        if (in->request->shape.mounts[i].kind == MOUNT_VOLUME)
            r = check_is_mounted(in, i, err);
    if (r < 0 || in->facts->are_mounts_whole)
        return r;
    (void)WRONG("in the container: its mounts are not all known: /proc/self/mountinfo is absent or not its own, has a "
                "line that is none, or tells of more than %u",
                ENTRY_MAX_MOUNTS);
    return err_remedy(err, "see what the engine's configuration or a volume with many file systems below it adds");
}
