/* The options of a profile, laid over any spec. Each only takes away. */
#include "filter/internal.h"

#include <fcntl.h>
#include <sys/socket.h>

#define SET_ID_BITS 06000u
#define CREATES (O_CREAT | 020000000u) /* __O_TMPFILE, which glibc hides in O_TMPFILE */

static const struct arg_rule unix_only[] = {
    { NR_socket, FILTER_ERRNO(EAFNOSUPPORT), { ARG_IS_NOT(0, AF_UNIX) } },
};

/* The ids of the payload stay what they are, and no set-id file comes into being. (With
 * no_new_privs and nosuid mounts such a file would have no effect inside; this is about
 * what it could mean to whoever finds it in /workspace afterwards.) mkdir and mkdirat are
 * not here: vfs_mkdir() masks these bits off. umode_t is 16 bits, so the low half serves. */
static const int16_t id_calls[] = {
    NR_setuid,    NR_setgid,    NR_setreuid, NR_setregid, NR_setgroups,
    NR_setresuid, NR_setresgid, NR_setfsuid, NR_setfsgid,
};
static const struct arg_rule set_id_rules[] = {
    { NR_chmod, FILTER_ERRNO(EPERM), { ARG_HAS(1, SET_ID_BITS) } },
    { NR_fchmod, FILTER_ERRNO(EPERM), { ARG_HAS(1, SET_ID_BITS) } },
    { NR_fchmodat, FILTER_ERRNO(EPERM), { ARG_HAS(2, SET_ID_BITS) } },
    { NR_fchmodat2, FILTER_ERRNO(EPERM), { ARG_HAS(2, SET_ID_BITS) } },
    { NR_mknod, FILTER_ERRNO(EPERM), { ARG_HAS(1, SET_ID_BITS) } },
    { NR_mknodat, FILTER_ERRNO(EPERM), { ARG_HAS(2, SET_ID_BITS) } },
    { NR_creat, FILTER_ERRNO(EPERM), { ARG_HAS(1, SET_ID_BITS) } },
    /* Without O_CREAT the mode register holds whatever was there before. */
    { NR_open, FILTER_ERRNO(EPERM), { ARG_HAS(2, SET_ID_BITS), ARG_HAS(1, CREATES) } },
    { NR_openat, FILTER_ERRNO(EPERM), { ARG_HAS(3, SET_ID_BITS), ARG_HAS(2, CREATES) } },
};

static int refuse_set_id(struct filter_spec *spec)
{
    for (size_t i = 0; i < ARRAY_LEN(id_calls); i++)
        if (spec_permits(spec, id_calls[i]))
            filter_set(spec, id_calls[i], FILTER_ERRNO(EPERM));
    /* openat2 keeps its mode in memory, where a filter cannot look. Its users (systemd,
     * cap-std, runc) fall back to openat when the kernel is too old to have it. */
    if (spec_permits(spec, NR_openat2))
        filter_set(spec, NR_openat2, FILTER_ERRNO(ENOSYS));
    return arg_rules_prepend(spec, set_id_rules, ARRAY_LEN(set_id_rules));
}

static void permit_to_notify(uint32_t *action)
{
    if (filter_action_permits(*action))
        *action = SECCOMP_RET_USER_NOTIF;
}

static void notify_call(struct filter_spec *spec, int nr)
{
    if (nr < 0)
        return;
    permit_to_notify(&spec->calls[nr].action);
    for (uint16_t r = spec->calls[nr].rules; r; r = spec->rules[r - 1].next)
        permit_to_notify(&spec->rules[r - 1].action);
}

/* clone: what was allowed stays so for threads. The arguments are in registers, so the
 * supervisor may answer CONTINUE: nothing can change between its look and the call. */
static int notify_clone(struct filter_spec *spec)
{
    static const struct filter_cond is_thread = ARG_HAS(0, 0x00010000 /* CLONE_THREAD */);
    struct filter_entry *call = &spec->calls[NR_clone];
    uint16_t old[FILTER_MAX_RULES];
    size_t count = 0;
    for (uint16_t r = call->rules; r; r = spec->rules[r - 1].next)
        old[count++] = (uint16_t)(r - 1);
    uint32_t otherwise = call->action;
    filter_set(spec, NR_clone, otherwise);
    for (size_t i = 0; i < count; i++) {
        const struct filter_rule *r = &spec->rules[old[i]];
        struct filter_cond conds[FILTER_RULE_CONDS + 1];
        size_t n = r->cond_count;
        memcpy(conds, spec->conds + r->first_cond, n * sizeof(conds[0]));
        uint32_t action = r->action;
        conds[n] = is_thread;
        if (filter_action_permits(action)) {
            int ret = filter_rule_append(spec, NR_clone, conds, n + 1, action);
            if (ret < 0)
                return ret;
            permit_to_notify(&action);
        }
        int ret = filter_rule_append(spec, NR_clone, conds, n, action);
        if (ret < 0)
            return ret;
    }
    if (!filter_action_permits(otherwise))
        return 0;
    spec->calls[NR_clone].action = SECCOMP_RET_USER_NOTIF;
    return filter_rule_append(spec, NR_clone, &is_thread, 1, otherwise);
}

static int notify_forks(struct filter_spec *spec)
{
    notify_call(spec, NR_fork);
    notify_call(spec, NR_vfork);
    return notify_clone(spec);
}

static void errno_to_kill(uint32_t *action)
{
    if (FILTER_ACTION(*action) == SECCOMP_RET_ERRNO)
        *action = SECCOMP_RET_KILL_PROCESS;
}

static void kill_by_rules(struct filter_spec *spec, int nr)
{
    for (uint16_t r = nr < 0 ? 0 : spec->calls[nr].rules; r; r = spec->rules[r - 1].next)
        errno_to_kill(&spec->rules[r - 1].action);
}

/* Socket families, set-id bits and the ENOSYS calls stay errors: getaddrinfo() tries
 * AF_NETLINK, libuv io_uring, glibc clone3, and none of them means harm. */
static void kill_dangerous(struct filter_spec *spec)
{
    for (size_t i = 0; i < always_refused_count; i++) {
        const struct refusal *r = &always_refused[i];
        if (r->error == EPERM && r->nr >= 0)
            errno_to_kill(&spec->calls[r->nr].action);
    }
    kill_by_rules(spec, NR_clone); /* new namespaces */
    kill_by_rules(spec, NR_ioctl); /* TIOCSTI and its like */
    spec->foreign = SECCOMP_RET_KILL_PROCESS;
}

int filter_narrow(struct filter_spec *spec, const struct filter_options *opt)
{
    int r = 0;
    if (!opt->allow_inet)
        r = arg_rules_prepend(spec, unix_only, ARRAY_LEN(unix_only));
    if (r == 0 && opt->refuse_setuid_bits)
        r = refuse_set_id(spec);
    if (r == 0 && opt->notify_fork)
        r = notify_forks(spec);
    if (r == 0 && opt->kill_on_violation)
        kill_dangerous(spec);
    return r;
}
