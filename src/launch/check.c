/* check.c - a plan is checked again here, from any sender.
 *
 * «Should be unnecessary, better safe than sorry»: even a client that is owned can only ask for things
 * that are harmless to others: system directories by a fixed list, volumes by inode, plain targets.
 */
#include "launch/launch.h"

#include "base/devices.h"
#include "base/homes.h"
#include "base/path.h"
#include "base/watch_bits.h"

#include <linux/capability.h>

#define BAD(...) err_set(err, -EINVAL, BLAME_US, "CHECK", __VA_ARGS__)

static bool is_system_source(const char *path)
{
    static const char *const allowed[] = { "/usr",
                                           "/bin",
                                           "/sbin",
                                           "/lib",
                                           "/lib32",
                                           "/lib64",
                                           "/libx32",
                                           "/etc/alternatives",
                                           "/etc/ld.so.cache",
                                           "/etc/ssl",
                                           "/etc/ca-certificates",
                                           "/etc/localtime",
                                           "/etc/nodejs",
                                           "/etc/gai.conf",
                                           "/etc/protocols",
                                           "/etc/services",
                                           "/etc/mime.types" };
    for (size_t i = 0; i < ARRAY_LEN(allowed); i++)
        if (path_is_within(path, allowed[i]))
            return true;
    return false;
}

/* Built before PIVOT, the tree still stands in the host's: a link of the plan's own must not lead a later target out.
 */
static bool is_behind_link(const struct shape *s, uint32_t before, const char *target)
{
    for (uint32_t i = 0; i < before; i++)
        if (s->mounts[i].kind == MOUNT_LINK && path_is_within(target, s->mounts[i].target))
            return true;
    return false;
}

static int check_mount(const struct shape *s, uint32_t index, struct error *err)
{
    const struct plan_mount *m = &s->mounts[index];
    if (!path_is_plain(m->target) || str_eq(m->target, "/"))
        return BAD("mount target «%s»", m->target ? m->target : "");
    if (m->kind != MOUNT_DIR && m->kind != MOUNT_TMPFS && m->kind != MOUNT_PROC && m->kind != MOUNT_MASK && !m->source)
        return BAD("mount at %s without a source", m->target);
    if (m->kind == MOUNT_BIND && !(path_is_plain(m->source) && is_system_source(m->source)))
        return BAD("bind of %s: not a system directory", m->source);
    if (m->kind == MOUNT_DEVICE && !device_minor(m->source))
        return BAD("device %s", m->source);
    if (m->kind == MOUNT_BIND && !(m->flags & MOUNT_RO))
        return BAD("bind of %s must be read-only", m->source);
    if (disk_space_is_wanted(m) && !(s->room_max && str_eq(m->target, "/workspace")))
        return BAD("%s on the disk: only a session's /workspace may be there", m->target);
    if (m->kind == MOUNT_VOLUME && !path_is_plain(m->source))
        return BAD("volume %s", m->source);
    if (m->kind == MOUNT_HOME && !str_eq(m->target, HOMES_PLACE))
        return BAD("planted files at %s", m->target);
    if (m->kind != MOUNT_MASK && m->kind != MOUNT_VOLUME && is_behind_link(s, index, m->target))
        return BAD("mount at %s lies behind a symbolic link", m->target);
    for (uint32_t i = 0; i < index; i++)
        if (s->mounts[i].kind == MOUNT_VOLUME &&
            (m->kind != MOUNT_VOLUME || path_is_within(m->target, s->mounts[i].target)) && m->kind != MOUNT_MASK)
            return BAD("mount at %s after the volume at %s", m->target, s->mounts[i].target);
    return 0;
}

/* Below a volume: what the sandbox has of its own needs none. */
static int check_guard(const struct shape *s, const char *guard, struct error *err)
{
    if (guard[0] != GUARD_READ_ONLY && guard[0] != GUARD_PIN && guard[0] != GUARD_HIDE)
        return BAD("guard «%s»", guard);
    if (!path_is_plain(guard + 1))
        return BAD("guard of «%s»", guard + 1);
    for (uint32_t i = 0; i < s->mount_count; i++)
        if (s->mounts[i].kind == MOUNT_VOLUME && path_is_within(guard + 1, s->mounts[i].target))
            return 0;
    return BAD("guard of %s, which is in no volume", guard + 1);
}

/* Only a directory that we make: what comes from the host (a bind, a volume, whatever lies behind a link) is not ours
 * to hand out. */
static bool is_own_directory(const struct shape *s, const char *path)
{
    bool is_made = false;
    if (!path_is_plain(path) || is_behind_link(s, s->mount_count, path))
        return false;
    for (uint32_t i = 0; i < s->mount_count; i++) {
        const struct plan_mount *m = &s->mounts[i];
        bool is_ours = m->kind == MOUNT_DIR || m->kind == MOUNT_TMPFS;
        if (str_eq(path, m->target) && is_ours)
            is_made = true;
        else if (path_is_within(path, m->target) && !is_ours)
            return false;
    }
    return is_made;
}

/* What an interpreter reads at its start must be the host's, at its own place: no text of the caller's there, and no
 * way to one. Volumes, tmpfs and files come with the job. */
static int check_template_mount(const struct plan_mount *m, struct error *err)
{
    static const char *const texts[] = { "/etc/hosts",  "/etc/nsswitch.conf", "/etc/resolv.conf",
                                         "/etc/passwd", "/etc/group",         NULL };
    bool is_good = true;
    if (m->kind == MOUNT_BIND)
        is_good = str_eq(m->source, m->target);
    else if (m->kind == MOUNT_LINK)
        is_good = !path_is_within(m->target, "/usr");
    else if (m->kind == MOUNT_TEXT)
        is_good = str_is_one_of(m->target, texts);
    return is_good ? 0 : BAD("a template that sees %s", m->target);
}

static bool is_module(const char *name)
{
    static const char letters[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789_.";
    return name[0] && name[0] != '.' && !name[strspn(name, letters)];
}

/* They become an expression of python's in the template: nothing but lists, strings without escapes, numbers, true,
 * false and null can be said with these letters, and there is no call, no attribute and no operator among them. */
static bool is_plain_rules(const char *text)
{
    static const char *const words[] = { "true", "false", "null" };
    static const char letters[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789_./-";
    unsigned depth = 0;
    if (strlen(text) >= TEMPLATE_RULES_MAX)
        return false;
    for (const char *p = text; *p;) {
        size_t word = 0;
        for (size_t i = 0; i < ARRAY_LEN(words) && !word; i++)
            word = str_starts(p, words[i]) ? strlen(words[i]) : 0;
        if (*p == '"' && p[word = 1 + strspn(p + 1, letters)] == '"')
            word++;
        else if (*p == '"')
            return false;
        if (!word && !strchr("{}[]:,0123456789", *p))
            return false;
        depth += (*p == '{' || *p == '[');
        if (depth > 100)
            return false;
        p += MAX_OF(word, (size_t)1);
    }
    return true;
}

/* It is executed with rights, and before the fence is closed: only an interpreter of the host's that reads nothing but
 * its own directories, and no file of the caller's. */
static int check_template(const struct shape *s, struct error *err)
{
    static const char *const flags[] = { "-I", "-B", "/code/.guard.py" };
    const char *word = strlist_first(&s->template_argv);
    if (!word)
        return 0;
    if (!str_starts(word, "/usr/bin/python3") || !path_is_plain(word))
        return BAD("%s as a template", word);
    if (!s->no_new_privs || s->keep_caps)
        return BAD("a template whose forks would keep rights%s", "");
    for (size_t i = 0; i < ARRAY_LEN(flags); i++) {
        word = word ? strlist_next(&s->template_argv, word) : NULL;
        if (!word || !str_eq(word, flags[i]))
            return BAD("a template with the argument %s", word ? word : "that is missing");
    }
    for (uint32_t i = 0; i < s->mount_count; i++)
        if (check_template_mount(&s->mounts[i], err) < 0)
            return err->code;
    STRLIST_FOREACH(pair, &s->template_env)
    {
        if (str_starts(pair, "LD_") || str_starts(pair, "GLIBC_") || str_starts(pair, "GCONV_") ||
            str_starts(pair, "MALLOC_"))
            return BAD("a template with the variable %s", pair);
    }
    STRLIST_FOREACH(name, &s->template_modules)
    {
        if (!is_module(name))
            return BAD("a template with the module %s", name);
    }
    if (s->template_rules && !is_plain_rules(s->template_rules))
        return BAD("a template with the rules %.40s", s->template_rules);
    return 0;
}

static int check_late(const struct shape *s, const struct job *j, struct error *err)
{
    uint32_t late = 0;
    for (uint32_t i = 0; j->park_fd && i < s->mount_count; i++)
        if (s->mounts[i].kind == MOUNT_VOLUME)
            return BAD("an instance that is opened early, with the volume %s", s->mounts[i].target);
    for (uint32_t i = 0; i < j->file_count; i++)
        late += j->files[i].is_late;
    if (late > (j->park_fd ? WORK_MAX_LATE : 0))
        return BAD("%u late files", late);
    return 0;
}

static int check_job(const struct shape *s, const struct job *j, struct error *err)
{
    if (!j->id || strlen(j->id) > 64)
        return BAD("execution id");
    if (!path_is_plain(j->program) || !path_is_plain(j->cwd) || j->argv.count == 0)
        return BAD("program «%s» in «%s»", j->program ? j->program : "", j->cwd ? j->cwd : "");
    if (j->timeout_ms == 0)
        return BAD("no deadline");
    if (j->artifact && !path_is_plain(j->artifact))
        return BAD("artifact %s", j->artifact);
    if (j->report_fd && j->report_fd < INIT_FD_ATTR)
        return BAD("the guard's descriptor %u", j->report_fd);
    if (j->park_fd && (j->park_fd <= INIT_FD_ATTR || (j->report_fd && j->park_fd >= j->report_fd)))
        return BAD("the descriptor %u for the work", j->park_fd);
    if (j->steward_fd && (j->steward_fd <= INIT_FD_ATTR || j->report_fd || j->park_fd || j->may_reuse))
        return BAD("the descriptor %u for a session's steward", j->steward_fd);
    if (j->workspace && !is_own_directory(s, j->workspace))
        return BAD("workspace %s", j->workspace);
    for (uint32_t i = 0; i < j->file_count; i++)
        if (!path_is_plain(j->files[i].path) || is_behind_link(s, s->mount_count, j->files[i].path))
            return BAD("file %s", j->files[i].path ? j->files[i].path : "");
    int r = check_template(s, err);
    return r < 0 ? r : check_late(s, j, err);
}

/* Who asks must be answered, by the plain filter's verdict; a network is asked for of a broker who can tell of it. */
static int check_watch(const struct shape *s, const struct job *j, struct error *err)
{
    bool asks = s->watch & NOTIFY_BY_FILTER;
    if (asks != (s->verdicts.size > 0))
        return BAD("watch %#x with verdicts of %u bytes", s->watch, s->verdicts.size);
    if (s->is_brokered != !!(s->watch & NOTIFY_BRIDGE) || (s->is_brokered && (!j->wants_events || !j->network.size)))
        return BAD("a brokered network without its rules or events");
    if (j->network.size > NETWORK_MAX_BYTES)
        return BAD("network rules of %u bytes", j->network.size);
    return asks ? seccomp_check(s->verdicts, err) : 0;
}

/* What plan/build.c grants. All they give is worth something inside the sandbox's user namespace only, but the kernel's
 * code behind SYS_ADMIN, NET_ADMIN and NET_RAW is where its holes are: who may not make user namespaces himself shall
 * not get them by us. */
#define CAPS_GRANTABLE                                                                                             \
    (UINT64_C(1) << CAP_CHOWN | UINT64_C(1) << CAP_DAC_OVERRIDE | UINT64_C(1) << CAP_FOWNER |                      \
     UINT64_C(1) << CAP_FSETID | UINT64_C(1) << CAP_KILL | UINT64_C(1) << CAP_SETGID | UINT64_C(1) << CAP_SETUID | \
     UINT64_C(1) << CAP_NET_BIND_SERVICE | UINT64_C(1) << CAP_IPC_LOCK)

/* «unconfined» is no fence, «:» leads into other namespaces, «&» stacks: aa_change_profile(2). */
static bool is_apparmor_profile(const char *name)
{
    static const char letters[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789_.-";
    size_t n = strspn(name, letters);
    return n > 0 && n <= 80 && name[n] == '\0' && !str_eq(name, "unconfined");
}

/* «unconfined_t» and its like are no fence; only the policy knows them all, and it decides about the change. */
static bool is_selinux_type(const char *name)
{
    static const char letters[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789_";
    size_t n = strspn(name, letters);
    return n > 0 && n <= 80 && name[n] == '\0' && !str_eq(name, "unconfined_t");
}

int plan_check(const struct shape *s, const struct job *j, struct error *err)
{
    if (s->uid == 0 || s->gid == 0)
        return BAD("the payload may not be uid or gid 0");
    if (!s->hostname || !*s->hostname || strlen(s->hostname) > 63)
        return BAD("host name");
    if (s->pids == 0 || s->nofile_hard < 8 || s->root_bytes == 0)
        return BAD("limits: pids %u, nofile %u, root %llu", s->pids, s->nofile_hard, (unsigned long long)s->root_bytes);
    if (s->room_max && (!j->steward_fd || j->may_reuse))
        return BAD("room for %u tasks of a run that is no session", s->room_max);
    if (s->apparmor && !is_apparmor_profile(s->apparmor))
        return BAD("AppArmor profile name «%s»", s->apparmor);
    if (s->selinux && !is_selinux_type(s->selinux))
        return BAD("SELinux type «%s»", s->selinux);
    if (s->keep_caps & ~CAPS_GRANTABLE)
        return BAD("capabilities %#llx", (unsigned long long)s->keep_caps);
    for (uint32_t i = 0; i < s->mount_count; i++) {
        int r = check_mount(s, i, err);
        if (r < 0)
            return r;
    }
    STRLIST_FOREACH(guard, &s->guards)
    {
        int r = check_guard(s, guard, err);
        if (r < 0)
            return r;
    }
    for (uint32_t i = 0; i < s->access_count; i++)
        if (!path_is_plain(s->access[i].path))
            return BAD("access rule for %s", s->access[i].path ? s->access[i].path : "");
    int r = seccomp_check(s->filter, err);
    if (r == 0)
        r = check_watch(s, j, err);
    return r < 0 ? r : check_job(s, j, err);
}
