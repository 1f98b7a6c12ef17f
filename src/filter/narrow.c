/* The options of a profile, laid over any spec. Each only takes away. */
#include "filter/internal.h"

#include <fcntl.h>
#include <sys/socket.h>

#define SET_ID_BITS 06000u
#define CREATES     (O_CREAT | 020000000u) /* __O_TMPFILE, which glibc hides in O_TMPFILE */

static const struct arg_rule unix_only[] = {
    { NR_socket, FILTER_ERRNO(EAFNOSUPPORT), { ARG_IS_NOT(0, AF_UNIX) } },
};

/* The ids of the payload stay what they are, and no set-id file comes into being. (With
 * no_new_privs and nosuid mounts such a file would have no effect inside; this is about
 * what it could mean to a process that finds it in /workspace afterwards.) mkdir and mkdirat are
 * not here: vfs_mkdir() masks these bits off. umode_t is 16 bits, so the low half serves.
 *
 * Asking for the own id succeeds, as everywhere: posix_spawn(3) with POSIX_SPAWN_RESETIDS does so, and with it make
 * starts every command. */
const int16_t filter_id_calls[] = { NR_setuid,    NR_setgid,    NR_setreuid, NR_setregid, NR_setgroups,
                                    NR_setresuid, NR_setresgid, NR_setfsuid, NR_setfsgid };
const size_t filter_id_call_count = ARRAY_LEN(filter_id_calls);

static const struct id_call {
    int16_t nr;
    bool is_group;
    uint8_t ids; /* how many arguments are ids */
} id_calls[] = {
    { NR_setuid, false, 1 },  { NR_setgid, true, 1 },     { NR_setreuid, false, 2 },
    { NR_setregid, true, 2 }, { NR_setresuid, false, 3 }, { NR_setresgid, true, 3 },
};

/* One refusal for each argument: neither the own id nor -1, which is «unchanged», or an error of the kernel's. */
static int refuse_other_ids(struct filter_spec *spec, const struct id_call *c, const struct filter_options *opt)
{
    const uint32_t own = c->is_group ? opt->gid : opt->uid;
    for (uint8_t i = 0; i < c->ids; i++) {
        const struct arg_rule r = { c->nr, FILTER_ERRNO(EPERM), { ARG_IS_NOT(i, own), ARG_IS_NOT(i, UINT32_MAX) } };
        int e = arg_rules_prepend(spec, &r, 1);
        if (e < 0)
            return e;
    }
    return 0;
}

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

static int refuse_set_id(struct filter_spec *spec, const struct filter_options *opt)
{
    static const int16_t no_ids[] = { NR_setgroups, NR_setfsuid, NR_setfsgid };
    for (size_t i = 0; i < ARRAY_LEN(no_ids); i++)
        if (spec_permits(spec, no_ids[i]))
            filter_set(spec, no_ids[i], FILTER_ERRNO(EPERM));
    for (size_t i = 0; i < ARRAY_LEN(id_calls) && !opt->kernel_judges_ids; i++) {
        int r = refuse_other_ids(spec, &id_calls[i], opt);
        if (r < 0)
            return r;
    }
    /* openat2 keeps its mode in memory, where a filter cannot look. Its users (systemd,
     * cap-std, runc) fall back to openat when the kernel is too old to have it. */
    if (spec_permits(spec, NR_openat2))
        filter_set(spec, NR_openat2, FILTER_ERRNO(ENOSYS));
    return arg_rules_prepend(spec, set_id_rules, ARRAY_LEN(set_id_rules));
}

/* A connected TCP socket of the host is given to the sandbox, which must not be able to turn it elsewhere: neither by
 * connecting while sending (TCP_FASTOPEN), nor by an option (sockopts.c), nor by descriptors that change under a thread
 * whose call was judged for another (CLONE_FILES between processes; between threads the broker takes the very file).
 * The SIOC* ioctls of such a socket would list the host's interfaces. */
#define KMSG_FASTOPEN 0x20000000u
static const struct arg_rule brokered_rules[] = {
    { NR_sendto, FILTER_ERRNO(EOPNOTSUPP), { ARG_HAS(3, KMSG_FASTOPEN) } },
    { NR_sendmsg, FILTER_ERRNO(EOPNOTSUPP), { ARG_HAS(2, KMSG_FASTOPEN) } },
    { NR_sendmmsg, FILTER_ERRNO(EOPNOTSUPP), { ARG_HAS(3, KMSG_FASTOPEN) } },
    { NR_ioctl,
      FILTER_ERRNO(EPERM),
      { { .arg = 1, .op = FILTER_MASKED_EQ, .low32 = true, .mask = 0xfffffd00u, .value = 0x8900u } } }, /* and 0x8b00:
                                                                                                           wireless */
    { NR_clone,
      FILTER_ERRNO(EPERM),
      { ARG_HAS(0, 0x400 /* CLONE_FILES */), ARG_LACKS(0, 0x10000 /* CLONE_THREAD */) } },
};

/* Other errnos than EPERM answer honest questions. */
static void errno_to_kill(uint32_t *action)
{
    if (*action == FILTER_ERRNO(EPERM))
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
        r = refuse_set_id(spec, opt);
    if (r == 0 && opt->is_brokered)
        r = arg_rules_prepend(spec, brokered_rules, ARRAY_LEN(brokered_rules));
    if (r == 0 && opt->notify_fork)
        r = filter_notify_forks(spec);
    if (r == 0 && opt->kill_on_violation)
        kill_dangerous(spec);
    return r;
}
