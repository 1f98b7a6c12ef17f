/* doctor_filter.c - what stands between a program and the kernel: calls, seccomp, landlock, LSMs. */
#include "tool/doctor.h"

#include "base/kernel.h"
#include "base/parse.h"

#include <dirent.h>
#include <fcntl.h>
#include <linux/seccomp.h>
#include <stdio.h>

/* ---- calls the launcher cannot do without ---- */

/* Calls that an enclosing filter may answer by killing are made in children (systemd's
 * SystemCallFilter= does so by default). A question is asked with arguments that can do nothing. */
enum { KILLED = -1 };

struct question {
    const char *name;
    long number;
    long args[4];
};

struct answer {
    struct question question;
    long value;
    int error; /* 0: value is the answer; KILLED */
};

static void ask_child(void *shared)
{
    struct answer *a = shared;
    const long *v = a->question.args;
    a->value = syscall(a->question.number, v[0], v[1], v[2], v[3]);
    a->error = a->value < 0 ? errno : 0;
}

static struct answer ask(struct doctor *d, const struct question *q)
{
    struct answer result = { .question = *q, .value = -1, .error = KILLED };
    struct answer *a = shared_new(sizeof *a);
    if (a) {
        *a = result;
        if (child_try(d, ask_child, a, true) >= 0)
            result = *a;
        shared_free(a, sizeof *a);
    }
    return result;
}

void probe_syscalls(struct doctor *d, struct check *c)
{
    /* any answer but ENOSYS means that the kernel has the call */
    static const struct question calls[] = {
        { "clone3", SYS_CLONE3, { 0, 0 } },                              /* size 0: EINVAL */
        { "close_range", SYS_CLOSE_RANGE, { 1, 0, 0 } },                 /* last < first: EINVAL */
        { "openat2", SYS_OPENAT2, { AT_FDCWD, 0, 0, 0 } },               /* size 0: EINVAL */
        { "open_tree", SYS_OPEN_TREE, { -1, 0, -1 } },                   /* unknown flags: EINVAL */
        { "move_mount", SYS_MOVE_MOUNT, { -1, 0, -1, 0 } },              /* EPERM or EFAULT */
        { "mount_setattr", SYS_MOUNT_SETATTR, { -1, 0, -1, 0 } },        /* unknown flags: EINVAL */
        { "pidfd_send_signal", SYS_PIDFD_SEND_SIGNAL, { -1, 0, 0, 0 } }, /* EBADF */
        { "seccomp", SYS_seccomp, { -1, 0, 0 } },                        /* unknown operation: EINVAL */
    };
    cleanup(buf_done) struct buf missing;
    buf_init(&missing, 512);
    for (size_t i = 0; i < ARRAY_LEN(calls); i++) {
        int error = ask(d, &calls[i]).error;
        fact_bool(c, calls[i].name, error != ENOSYS && error != KILLED);
        if (error == ENOSYS || error == KILLED)
            (void)buf_addf(&missing, "%s%s", missing.size ? ", " : "", calls[i].name);
    }
    if (missing.size == 0) {
        check_say(c, CHECK_OK, "every call the launcher needs is there");
        return;
    }
    check_say(c, CHECK_FAIL, "refused: %s", missing.data);
    if (d->restrictions.seccomp_filters > 0)
        check_remedy(c, "docker run --security-opt seccomp=unconfined …");
    else
        check_remedy(c, "install kernel 6.1 or newer");
}

/* ---- seccomp ---- */

static bool action_available(struct doctor *d, uint32_t action)
{
    /* the child sees our stack: it is a copy of us */
    return ask(d, &(struct question){ "", SYS_seccomp, { SECCOMP_GET_ACTION_AVAIL, 0, (long)&action } }).error == 0;
}

/* A known flag lets the kernel go on to read the program at NULL (EFAULT); an unknown one is EINVAL. */
static bool filter_flags_known(struct doctor *d, unsigned long flags)
{
    return ask(d, &(struct question){ "", SYS_seccomp, { SECCOMP_SET_MODE_FILTER, (long)flags, 0 } }).error == EFAULT;
}

void probe_seccomp(struct doctor *d, struct check *c)
{
    enum { USER_NOTIF = 2 };
    static const struct {
        const char *name;
        uint32_t action;
    } actions[] = {
        { "kill_process", SECCOMP_RET_KILL_PROCESS },
        { "errno", SECCOMP_RET_ERRNO },
        [USER_NOTIF] = { "user_notif", SECCOMP_RET_USER_NOTIF },
        { "log", SECCOMP_RET_LOG },
    };
    const unsigned long wait_killable = 1ul << 5; /* linux/seccomp.h of 5.19 */
    bool has[ARRAY_LEN(actions)], has_filters = filter_flags_known(d, 0);
    int64_t over_us = d->restrictions.seccomp_filters;
    fact_bool(c, "available", has_filters);
    for (size_t i = 0; i < ARRAY_LEN(actions); i++)
        fact_bool(c, actions[i].name, has[i] = action_available(d, actions[i].action));
    fact_bool(c, "wait_killable", filter_flags_known(d, SECCOMP_FILTER_FLAG_NEW_LISTENER | wait_killable));
    fact_take(c, "filters_over_us", over_us < 0 ? text_json(NULL) : json_integer(over_us));
    if (!has_filters) {
        check_say(c, CHECK_FAIL, "system calls cannot be filtered");
        check_remedy(c, over_us > 0 ? "docker run --security-opt seccomp=unconfined …"
                                    : "use a kernel with CONFIG_SECCOMP_FILTER (every distribution's has it)");
        return;
    }
    check_say(c, has[USER_NOTIF] ? CHECK_OK : CHECK_WARN, "filters%s; %lld over us already",
              has[USER_NOTIF] ? " and user notification" : " without user notification", (long long)MAX_OF(over_us, 0));
    if (!has[USER_NOTIF])
        check_remedy(c, "install kernel 6.1 or newer");
}

/* ---- landlock ---- */

/* The kernel's own list is the safest start for a new lsm= parameter; «capability» is implied. */
static void lsm_list(const struct doctor *d, char *ret, size_t size)
{
    cleanup(buf_done) struct buf b;
    buf_init(&b, 1024);
    const char *list = "lockdown,yama,integrity,apparmor";
    if (doctor_read(d, &b, "/sys/kernel/security/lsm") == 0 && b.size > 0)
        list = text_clean(b.data);
    if (str_starts(list, "capability"))
        list += strlen("capability") + (list[strlen("capability")] == ',');
    (void)snprintf(ret, size, "landlock%s%s", *list ? "," : "", list);
}

static void landlock_absent(const struct doctor *d, struct check *c, int error)
{
    char list[256];
    check_say(c, CHECK_FAIL, "not available");
    if (error == EOPNOTSUPP) { /* landlock_create_ruleset(2) */
        lsm_list(d, list, sizeof list);
        check_add(c, CHECK_FAIL, "built into this kernel, but not in its lsm= list");
        check_remedy(c, "add lsm=%s to GRUB_CMDLINE_LINUX in /etc/default/grub, then update-grub && reboot", list);
    } else if (d->restrictions.seccomp_filters > 0) {
        check_add(c, CHECK_FAIL, "not built into this kernel, or hidden by a seccomp filter over us");
        check_remedy(c, "docker run --security-opt seccomp=unconfined …");
    } else {
        check_add(c, CHECK_FAIL, "not built into this kernel (CONFIG_SECURITY_LANDLOCK)");
        check_remedy(c, "install the distribution's standard kernel, 6.1 or newer");
    }
}

void probe_landlock(struct doctor *d, struct check *c)
{
    const struct question version = { "", SYS_LANDLOCK_CREATE, { 0, 0, KLANDLOCK_CREATE_VERSION } };
    struct answer a = ask(d, &version);
    int error = a.error;
    long abi = MAX_OF(a.value, 0);
    fact_number(c, "abi", abi);
    fact_text(c, "errno", error == KILLED ? "SIGNAL" : error ? strerrorname_np(error) : NULL);
    fact_bool(c, "truncate", abi >= 3);
    fact_bool(c, "network", abi >= 4);
    fact_bool(c, "ioctl", abi >= 5);
    fact_bool(c, "scope", abi >= 6);
    if (abi < 1) {
        landlock_absent(d, c, error);
        return;
    }
    check_say(c, CHECK_OK, "ABI %ld%s", abi,
              abi >= 6 ? ", scopes abstract sockets and signals" : ", without scopes (kernel 6.12 has them)");
}

/* ---- AppArmor and SELinux ---- */

static const char *const our_profiles[] = { "sandbox-agent-default", "sandbox-agent-confined" };

/* «name (mode)» lines for root; other users find directories called name.number */
static int profile_loaded(const struct doctor *d, const char *name)
{
    cleanup(buf_done) struct buf list;
    char path[4096];
    buf_init(&list, DOCTOR_FILE_MAX);
    if (doctor_read(d, &list, "/sys/kernel/security/apparmor/profiles") == 0) {
        char mode[32];
        return text_field(list.data, name, ' ', mode, sizeof mode);
    }
    if (doctor_path(d, path, "/sys/kernel/security/apparmor/policy/profiles") < 0)
        return -ENAMETOOLONG;
    DIR *dir = opendir(path);
    if (!dir)
        return -errno;
    int found = 0;
    size_t n = strlen(name);
    for (struct dirent *e; !found && (e = readdir(dir));)
        found = str_starts(e->d_name, name) && e->d_name[n] == '.';
    (void)closedir(dir);
    return found;
}

static void apparmor_absent(const struct doctor *d, struct check *c)
{
    bool is_built = doctor_has(d, "/sys/module/apparmor");
    check_say(c, CHECK_WARN, "%s", is_built ? "in this kernel, but switched off" : "not in this kernel");
    check_add(c, CHECK_WARN, "no level requires it: seccomp, landlock and mounts hold without it");
    if (is_built)
        check_remedy(c, "add apparmor=1 security=apparmor to GRUB_CMDLINE_LINUX in /etc/default/grub, "
                        "then update-grub && reboot");
    else
        check_remedy(c, "install the distribution's standard kernel");
}

void probe_apparmor(struct doctor *d, struct check *c)
{
    cleanup(buf_done) struct buf on, missing;
    char dir[4096];
    buf_init(&on, 16);
    buf_init(&missing, 256);
    bool is_on = doctor_read(d, &on, "/sys/module/apparmor/parameters/enabled") == 0 && str_eq(on.data, "Y");
    bool is_known = is_on;
    json_t *loaded = json_array();
    for (size_t i = 0; is_on && i < ARRAY_LEN(our_profiles); i++) {
        int r = profile_loaded(d, our_profiles[i]);
        if (r > 0)
            (void)json_array_append_new(loaded, text_json(our_profiles[i]));
        else if (r == 0)
            (void)buf_addf(&missing, "%s%s", missing.size ? ", " : "", our_profiles[i]);
        else
            is_known = false;
    }
    fact_bool(c, "enabled", is_on);
    fact_take(c, "profiles_loaded", loaded);
    fact_text(c, "confined_by", d->restrictions.is_confined ? d->restrictions.confinement : NULL);
    if (!is_on) {
        apparmor_absent(d, c);
        return;
    }
    check_say(c, CHECK_OK, "on, our profiles are loaded%s%s",
              d->restrictions.is_confined ? ", we are confined by " : "", d->restrictions.confinement);
    if (missing.size > 0) {
        check_say(c, CHECK_WARN, "on, but our profiles are not loaded: %s", missing.data);
        if (apparmor_dir_find(d, our_profiles[0], dir))
            check_remedy(c, "apparmor_parser -r %s/%s %s/%s", dir, our_profiles[0], dir, our_profiles[1]);
        check_remedy(c, "load profiles of these names with apparmor_parser -r   (this installation brings none)");
    } else if (!is_known) {
        check_say(c, CHECK_INFO, "on; whether our profiles are loaded only root can see");
    }
}

/* The kernel says of a label written here whether its policy has it: 1, 0, or -errno where we may not ask. */
static int type_loaded(const struct doctor *d, const char *type)
{
    char path[4096], label[256];
    const char *own = d->restrictions.confinement;
    const char *role = strchr(own, ':') ? strchr(strchr(own, ':') + 1, ':') : NULL;
    if (!role || doctor_path(d, path, "/sys/fs/selinux/context") < 0)
        return -EINVAL;
    const char *range = strchr(role + 1, ':');
    cleanup(closep) int fd = open(path, O_RDWR | O_CLOEXEC);
    int n = snprintf(label, sizeof label, "%.*s:%s%s", (int)(role - own), own, type, range ? range : "");
    if (fd < 0 || n < 0 || (size_t)n >= sizeof label)
        return -EINVAL;
    return write(fd, label, (size_t)n + 1) > 0 ? 1 : errno == EINVAL ? 0 : -errno;
}

void probe_selinux(struct doctor *d, struct check *c)
{
    int64_t enforce = doctor_number(d, "/sys/fs/selinux/enforce", -1);
    const char *mode = enforce < 0 ? "off" : enforce > 0 ? "enforcing" : "permissive";
    fact_text(c, "mode", mode);
    fact_text(c, "label", enforce >= 0 && d->restrictions.is_confined ? d->restrictions.confinement : NULL);
    check_say(c, CHECK_INFO, "%s%s%s", mode, enforce >= 0 ? ", label " : "",
              enforce >= 0 ? d->restrictions.confinement : "");
    if (enforce > 0 && (type_loaded(d, "sandbox_agent_t") == 0 || type_loaded(d, "sandbox_agent_confined_t") == 0)) {
        check_say(c, CHECK_WARN, "enforcing, but our policy module is not loaded: programs keep our label %s",
                  d->restrictions.confinement);
        check_remedy(c, "build and load the policy module: docs/installation.md, SELinux");
    }
}
