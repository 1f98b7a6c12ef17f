/* doctor_cgroup.c - cgroups: which there are, and where we may make some.
 *
 * The place is looked for as the launcher does it (launch/cgroup.c): on v1 below our own group in each
 * hierarchy, on v2 from our own group upward, the first that we may write and whose children get
 * memory, cpu and pids. One thing differs, because doctor changes nothing: controllers that the launcher
 * would switch on in cgroup.subtree_control are only reported.
 */
#include "tool/doctor_cgroup.h"

#include <pwd.h>
#include <fcntl.h>
#include <stdio.h>
#include <sys/statvfs.h>

const char *const cgroup_controllers[CONTROLLER_COUNT] = { "memory", "cpu", "pids" };

enum version { VERSION_NONE, VERSION_V1, VERSION_V2, VERSION_HYBRID };
static const char *const version_names[] = { "none", "v1", "v2", "hybrid" };

/* ---- where ---- */

static enum version mounted_version(const struct doctor *d, bool *ret_root_is_v2)
{
    cleanup(buf_done) struct buf text;
    struct mount_line m;
    bool has_v1 = false, has_v2 = false;
    buf_init(&text, DOCTOR_FILE_MAX);
    *ret_root_is_v2 = false;
    if (doctor_read(d, &text, "/proc/self/mountinfo") < 0)
        return VERSION_NONE;
    char *cursor = text.data;
    while (mount_next(&cursor, &m)) {
        if (str_eq(m.type, "cgroup2")) {
            has_v2 = true;
            *ret_root_is_v2 = *ret_root_is_v2 || str_eq(m.target, CGROUP_ROOT);
        } else if (str_eq(m.type, "cgroup")) {
            for (size_t i = 0; i < CONTROLLER_COUNT; i++) /* name=systemd alone is no v1 */
                has_v1 = has_v1 || word_in(m.options, ",", cgroup_controllers[i]);
        }
    }
    return has_v1 ? (has_v2 ? VERSION_HYBRID : VERSION_V1) : has_v2 ? VERSION_V2 : VERSION_NONE;
}

/* The path in a line «id:controllers:path» of /proc/self/cgroup; "" as controller is v2's line. */
static bool own_path(const char *text, const char *controller, char *ret, size_t size)
{
    ret[0] = '\0';
    for (const char *line = text; line; line = strchr(line, '\n')) {
        char list[256];
        line += *line == '\n';
        const char *names = strchr(line, ':'), *path = names ? strchr(names + 1, ':') : NULL;
        if (!path || (size_t)(path - names) > sizeof list)
            continue;
        (void)snprintf(list, sizeof list, "%.*s", (int)(path - names - 1), names + 1);
        if (*controller ? !word_in(list, ",", controller) : list[0] != '\0')
            continue;
        (void)snprintf(ret, size, "%.*s", (int)strcspn(path + 1, "\n"), path + 1);
        return true;
    }
    return false;
}

static bool is_writable(const struct doctor *d, const char *dir)
{
    char path[4096];
    return doctor_path(d, path, "%s", dir) == 0 && faccessat(AT_FDCWD, path, W_OK, AT_EACCESS) == 0;
}

static bool group_has(const struct doctor *d, const char *dir, const char *file)
{
    cleanup(buf_done) struct buf text;
    buf_init(&text, 4096);
    if (doctor_read(d, &text, "%s/%s", dir, file) < 0)
        return false;
    for (size_t i = 0; i < CONTROLLER_COUNT; i++)
        if (!word_in(text.data, " ", cgroup_controllers[i]))
            return false;
    return true;
}

static bool group_is_empty(const struct doctor *d, const char *dir)
{
    cleanup(buf_done) struct buf text;
    buf_init(&text, DOCTOR_FILE_MAX);
    return doctor_read(d, &text, "%s/cgroup.procs", dir) == 0 && text.size == 0;
}

static void place_v1(const struct doctor *d, const char *self, struct place *p)
{
    for (size_t i = 0; i < CONTROLLER_COUNT; i++) {
        char path[2048];
        if (!own_path(self, cgroup_controllers[i], path, sizeof path))
            continue;
        if (i == MEMORY)
            (void)snprintf(p->own, sizeof p->own, "%s", path);
        (void)snprintf(p->dir[i], sizeof p->dir[i], CGROUP_ROOT "/%s%s", cgroup_controllers[i],
                       str_eq(path, "/") ? "" : path);
        if (!is_writable(d, p->dir[i]))
            p->dir[i][0] = '\0';
    }
    if (!p->dir[MEMORY][0] || !p->dir[CPU][0] || !p->dir[PIDS][0])
        (void)snprintf(p->why, sizeof p->why, "we may not write our groups below %s", CGROUP_ROOT);
}

static void place_v2(const struct doctor *d, const char *self, struct place *p)
{
    char path[2048], dir[4096];
    if (!own_path(self, "", path, sizeof path)) {
        (void)snprintf(p->why, sizeof p->why, "no v2 line in /proc/self/cgroup");
        return;
    }
    (void)snprintf(p->own, sizeof p->own, "%s", path);
    for (;;) {
        bool is_top = str_eq(path, "/");
        (void)snprintf(dir, sizeof dir, CGROUP_ROOT "%s", is_top ? "" : path);
        if (is_writable(d, dir)) {
            bool has = group_has(d, dir, "cgroup.subtree_control");
            /* only the hierarchy's root (no cgroup.type there) may have processes beside controllers */
            bool may = group_has(d, dir, "cgroup.controllers") &&
                       (group_is_empty(d, dir) || (is_top && !doctor_has(d, CGROUP_ROOT "/cgroup.type")));
            if (has || may) {
                (void)snprintf(p->dir[0], sizeof p->dir[0], "%s", dir);
                p->must_enable = !has;
                return;
            }
        }
        if (is_top)
            break;
        char *slash = strrchr(path, '/');
        if (!slash)
            break;
        slash[slash == path] = '\0';
    }
    (void)snprintf(p->why, sizeof p->why,
                   "no group from ours (%.120s) upward is delegated to uid %u with "
                   "memory, cpu and pids",
                   p->own, geteuid());
}

void cgroup_place_find(const struct doctor *d, struct place *p)
{
    cleanup(buf_done) struct buf self;
    buf_init(&self, 65536);
    *p = (struct place){ 0 };
    p->version = mounted_version(d, &p->is_v2);
    if (p->version == VERSION_NONE || doctor_read(d, &self, "/proc/self/cgroup") < 0)
        (void)snprintf(p->why, sizeof p->why, "no cgroup file system is mounted at %s", CGROUP_ROOT);
    else if (p->is_v2)
        place_v2(d, self.data, p);
    else
        place_v1(d, self.data, p);
}

bool cgroup_place_is_good(const struct place *p)
{
    return p->is_v2 ? p->dir[0][0] != '\0' : p->dir[MEMORY][0] && p->dir[CPU][0] && p->dir[PIDS][0];
}

/* ---- what helps ---- */

static void remedy_v2_user(const struct doctor *d, struct check *c)
{
    char manager[256];
    (void)snprintf(manager, sizeof manager, CGROUP_ROOT "/user.slice/user-%u.slice/user@%u.service", geteuid(),
                   geteuid());
    if (!doctor_has(d, "/run/systemd/system"))
        check_remedy(c, "run it as root, or in a group that root made yours: chown the directory, its cgroup.procs "
                        "and cgroup.subtree_control");
    else if (group_has(d, manager, "cgroup.controllers"))
        check_remedy(c, "systemd-run --user --scope -p Delegate=yes -- sandbox-agent …");
    else
        check_remedy(c, "as root: mkdir -p /etc/systemd/system/user@.service.d && printf "
                        "'[Service]\\nDelegate=cpu io memory pids\\n' >/etc/systemd/system/user@.service.d/"
                        "sandbox-agent.conf && systemctl daemon-reload   (then log in again)");
}

/* Engines give containers their groups read-only. */
static bool is_readonly_mount(const struct doctor *d)
{
    const char *const places[] = { CGROUP_ROOT, CGROUP_ROOT "/memory" };
    char path[4096];
    struct statvfs fs;
    for (size_t i = 0; i < ARRAY_LEN(places); i++)
        if (doctor_path(d, path, "%s", places[i]) == 0 && statvfs(path, &fs) == 0 && (fs.f_flag & ST_RDONLY))
            return true;
    return false;
}

/* The user's name, not $USER: the command is for root to type, and there it would be root. */
static void remedy_v1_user(struct check *c)
{
    const struct passwd *user = getpwuid(geteuid());
    char name[64];
    if (user)
        (void)snprintf(name, sizeof name, "%s", user->pw_name);
    else
        (void)snprintf(name, sizeof name, "%u", (unsigned)geteuid()); /* without a name: chown takes the number */
    if (user)
        check_remedy(c,
                     "as root: cgcreate -a %s -t %s -g memory,cpu,pids:%s   (then start it with cgexec -g "
                     "memory,cpu,pids:%s; package cgroup-tools)",
                     name, name, name, name);
    else
        check_remedy(
            c,
            "as root: for c in memory cpu pids; do mkdir -p %s/$c/u%s && chown -R %s %s/$c/u%s; done   (then start "
            "it in there: for c in memory cpu pids; do echo $$ >%s/$c/u%s/tasks; done)",
            CGROUP_ROOT, name, name, CGROUP_ROOT, name, CGROUP_ROOT, name);
}

void cgroup_place_remedy(const struct doctor *d, const struct place *p, struct check *c)
{
    if (p->version == VERSION_NONE)
        check_remedy(c, "mount -t cgroup2 none %s", CGROUP_ROOT);
    else if (is_readonly_mount(d) || (d->is_root && d->restrictions.is_container))
        check_remedy(c, "docker run --cgroupns=private --security-opt writable-cgroups=true …   (Docker 28 or newer; "
                        "podman: --security-opt unmask=/sys/fs/cgroup)");
    else if (p->is_v2 && !d->is_root)
        remedy_v2_user(d, c);
    else if (!p->is_v2 && !d->is_root)
        remedy_v1_user(c);
    else if (p->is_v2)
        check_remedy(c, "echo '+memory +cpu +pids' >%s/cgroup.subtree_control", CGROUP_ROOT);
    else
        check_remedy(c, "boot without cgroup_disable=, or with systemd.unified_cgroup_hierarchy=1");
}

/* ---- what is there ---- */

static json_t *available_controllers(const struct doctor *d, const struct place *p)
{
    json_t *list = json_array();
    cleanup(buf_done) struct buf text;
    buf_init(&text, 4096);
    (void)buf_adds(&text, "");
    if (p->is_v2)
        (void)doctor_read(d, &text, CGROUP_ROOT "/cgroup.controllers");
    for (size_t i = 0; i < CONTROLLER_COUNT; i++) {
        char dir[128];
        (void)snprintf(dir, sizeof dir, CGROUP_ROOT "/%s", cgroup_controllers[i]);
        if (p->is_v2 ? word_in(text.data, " ", cgroup_controllers[i]) : doctor_has(d, dir))
            (void)json_array_append_new(list, text_json(cgroup_controllers[i]));
    }
    return list;
}

void probe_cgroup(struct doctor *d, struct check *c)
{
    cleanup(freep) struct place *p = malloc(sizeof *p);
    if (!p) {
        check_say(c, CHECK_FAIL, "out of memory");
        return;
    }
    cgroup_place_find(d, p);
    json_t *available = available_controllers(d, p);
    bool has_all = json_array_size(available) == CONTROLLER_COUNT;
    fact_text(c, "version", version_names[p->version]);
    fact_text(c, "used", p->version == VERSION_NONE ? NULL : p->is_v2 ? "v2" : "v1");
    fact_take(c, "controllers", available);
    fact_text(c, "own", p->own[0] ? p->own : NULL);
    fact_text(c, "place", p->dir[0][0] ? p->dir[0] : NULL);
    fact_bool(c, "delegated", cgroup_place_is_good(p));
    if (cgroup_place_is_good(p)) {
        check_say(c, CHECK_OK, "%s, memory cpu pids%s%s", version_names[p->version], p->is_v2 ? ", below " : "",
                  p->is_v2 ? p->dir[0] : "");
        return;
    }
    check_say(c, CHECK_WARN, "%s%s: the supervisor measures instead", version_names[p->version],
              p->version == VERSION_NONE ? "" : ", but not ours to use");
    check_add(c, CHECK_WARN, "%s", p->why);
    if (p->version != VERSION_NONE && !has_all)
        check_add(c, CHECK_WARN, "this kernel lacks a controller of memory, cpu, pids");
    cgroup_place_remedy(d, p, c);
}

void probe_psi(struct doctor *d, struct check *c)
{
    cleanup(buf_done) struct buf text;
    buf_init(&text, 4096);
    bool is_on = doctor_read(d, &text, "/proc/pressure/memory") == 0; /* there, but EOPNOTSUPP, with psi=0 */
    fact_bool(c, "available", is_on);
    check_say(c, CHECK_INFO, "%s", is_on ? "on" : "off (used for nothing but early warnings)");
    if (!is_on)
        check_remedy(c, "add psi=1 to GRUB_CMDLINE_LINUX in /etc/default/grub, then update-grub && reboot");
}
