/* watch.c - what the supervisor wants to hear of: permitted calls that ask before they are performed, refused ones that
 * tell.
 *
 * Hot calls stay out of it: a call whose answer does not depend on arguments never even runs the program (compile.c),
 * and asking costs 5 to 10 us. So of openat(2) only what opens for writing asks, of kill(2) only what goes to all
 * or to init, of sendto(2) only what has an address (of sendmsg(2) and sendmmsg(2) the address lies in memory, so all
 * ask); clone3, which glibc probes with each thread, is refused without a
 * word.
 */
#include "filter/internal.h"

#include "base/message.h"
#include "base/watch_bits.h"

#include <fcntl.h>
#include <sys/socket.h>

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

int filter_notify_forks(struct filter_spec *spec)
{
    notify_call(spec, NR_fork);
    notify_call(spec, NR_vfork);
    return notify_clone(spec);
}

/* ---- refused ones ---- */

static void refusal_to_notify(uint32_t *action)
{
    if (FILTER_ACTION(*action) == SECCOMP_RET_ERRNO)
        *action = SECCOMP_RET_USER_NOTIF;
}

static void notify_rule_refusals(struct filter_spec *spec, int nr)
{
    for (uint16_t r = nr < 0 ? 0 : spec->calls[nr].rules; r; r = spec->rules[r - 1].next)
        refusal_to_notify(&spec->rules[r - 1].action);
}

static bool is_probed_all_the_time(const struct refusal *r)
{
    bool is_io_uring = r->nr == NR_io_uring_setup || r->nr == NR_io_uring_enter || r->nr == NR_io_uring_register;
    return r->error == ENOSYS && !is_io_uring;
}

/* Where other ids than the own are refused by rules, what is left is a call that changes nothing: make starts every
 * command with one, and need not ask. */
static void notify_ids(struct filter_spec *spec, int nr)
{
    if (nr < 0)
        return;
    bool has_rules = spec->calls[nr].rules;
    notify_rule_refusals(spec, nr);
    refusal_to_notify(&spec->calls[nr].action);
    if (!has_rules)
        notify_call(spec, nr);
}

static int notify_surface(struct filter_spec *spec)
{
    static const struct arg_rule kills[] = {
        { NR_kill, SECCOMP_RET_USER_NOTIF, { ARG_IS(0, 1) } },
        { NR_kill, SECCOMP_RET_USER_NOTIF, { ARG_IS(0, UINT32_MAX) } }, /* -1: all */
    };
    for (size_t i = 0; i < always_refused_count; i++)
        if (always_refused[i].nr >= 0 && !is_probed_all_the_time(&always_refused[i]))
            refusal_to_notify(&spec->calls[always_refused[i].nr].action);
    for (size_t i = 0; i < filter_id_call_count; i++)
        notify_ids(spec, filter_id_calls[i]);
    notify_call(spec, NR_capset);
    refusal_to_notify(&spec->calls[NR_capset].action);
    notify_rule_refusals(spec, NR_clone);
    notify_rule_refusals(spec, NR_ioctl);
    notify_rule_refusals(spec, NR_socket);
    notify_rule_refusals(spec, NR_mknod);
    notify_rule_refusals(spec, NR_mknodat);
    return arg_rules_prepend(spec, kills, ARRAY_LEN(kills));
}

/* ---- permitted ones ---- */

static int notify_sockets(struct filter_spec *spec)
{
    static const struct arg_rule beyond_unix[] = { { NR_socket, SECCOMP_RET_USER_NOTIF, { ARG_IS_NOT(0, AF_UNIX) } } };
    return arg_rules_prepend(spec, beyond_unix, ARRAY_LEN(beyond_unix));
}

/* Most files that are written are new and made by O_EXCL (tar, cp, git, mktemp, compilers): what gives privileges is
 * there already. What else is opened for writing asks, and is told of only when it is such a file. */
static int notify_levers(struct filter_spec *spec)
{
    static const struct arg_rule writers[] = {
        { NR_open, SECCOMP_RET_USER_NOTIF, { ARG_HAS(1, O_WRONLY | O_RDWR), ARG_LACKS(1, O_EXCL) } },
        { NR_openat, SECCOMP_RET_USER_NOTIF, { ARG_HAS(2, O_WRONLY | O_RDWR), ARG_LACKS(2, O_EXCL) } },
    };
    notify_call(spec, NR_creat);
    return arg_rules_prepend(spec, writers, ARRAY_LEN(writers));
}

static int notify_writers(struct filter_spec *spec)
{
    static const struct arg_rule writers[] = {
        { NR_open, SECCOMP_RET_USER_NOTIF, { ARG_HAS(1, O_WRONLY | O_RDWR) } },
        { NR_openat, SECCOMP_RET_USER_NOTIF, { ARG_HAS(2, O_WRONLY | O_RDWR) } },
    };
    notify_call(spec, NR_creat);
    return arg_rules_prepend(spec, writers, ARRAY_LEN(writers));
}

/* Of setsockopt only what has a bound: buffers, and for how long the host keeps what no process takes. */
static int notify_network(struct filter_spec *spec)
{
    static const struct arg_rule rules[] = {
        { NR_setsockopt, SECCOMP_RET_USER_NOTIF, { ARG_IS(1, 1), ARG_IS(2, 7) } },  /* SO_SNDBUF */
        { NR_setsockopt, SECCOMP_RET_USER_NOTIF, { ARG_IS(1, 1), ARG_IS(2, 8) } },  /* SO_RCVBUF */
        { NR_setsockopt, SECCOMP_RET_USER_NOTIF, { ARG_IS(1, 6), ARG_IS(2, 18) } }, /* TCP_USER_TIMEOUT */
    };
    static const struct filter_cond has_address = { .arg = 4, .op = FILTER_NE, .value = 0 };
    static const struct filter_cond is_not_ours = ARG_IS_NOT(2, MESSAGE_FLAGS);
    static const int16_t calls[] = { NR_connect, NR_bind, NR_listen, NR_sendmmsg };
    for (size_t i = 0; i < ARRAY_LEN(calls); i++)
        notify_call(spec, calls[i]);
    int r = arg_rules_prepend(spec, rules, ARRAY_LEN(rules));
    if (r == 0 && spec_permits(spec, NR_sendto))
        r = filter_rule_append(spec, NR_sendto, &has_address, 1, SECCOMP_RET_USER_NOTIF);
    if (r == 0 && spec_permits(spec, NR_sendmsg))
        r = filter_rule_append(spec, NR_sendmsg, &is_not_ours, 1, SECCOMP_RET_USER_NOTIF);
    return r;
}

/* An AF_UNIX socket in a volume has a server of the host behind it, and connecting needs no right that a read-only
 * mount or landlock (as of ABI 8) could withhold. So a process that connects asks, and the launcher connects for it
 * (launch/connector.c). A datagram socket names its peer in memory with each message, where no filter can look and
 * no process could judge in time: there are none. SOCK_DGRAM and SOCK_RAW, which is the same for AF_UNIX, have this
 * bit, STREAM and SEQPACKET have not. */
#define DATAGRAM_TYPES 2u
static int notify_volumes(struct filter_spec *spec)
{
    static const struct arg_rule no_datagrams[] = {
        { NR_socket, FILTER_ERRNO(EACCES), { ARG_IS(0, AF_UNIX), ARG_HAS(1, DATAGRAM_TYPES) } },
        { NR_socketpair, FILTER_ERRNO(EACCES), { ARG_IS(0, AF_UNIX), ARG_HAS(1, DATAGRAM_TYPES) } },
    };
    notify_call(spec, NR_connect);
    return arg_rules_prepend(spec, no_datagrams, ARRAY_LEN(no_datagrams));
}

int filter_watch(struct filter_spec *spec, uint32_t watch)
{
    static const struct arg_rule last[] = {
        { NR_exit_group, SECCOMP_RET_USER_NOTIF, { ARG_IS(0, EXIT_LAST) } },
        { NR_kill, SECCOMP_RET_USER_NOTIF, { ARG_IS(0, EXIT_LAST) } },
    };
    int r = watch ? arg_rules_prepend(spec, last, ARRAY_LEN(last)) : 0;
    if (r == 0 && watch & NOTIFY_FORKS)
        r = filter_notify_forks(spec);
    if (r == 0 && watch & NOTIFY_CALLS)
        r = notify_surface(spec);
    if (r == 0 && watch & NOTIFY_SOCKETS)
        r = notify_sockets(spec);
    if (r == 0 && watch & NOTIFY_FILES)
        r = notify_writers(spec);
    else if (r == 0 && watch & NOTIFY_LEVERS)
        r = notify_levers(spec);
    if (r == 0 && watch & NOTIFY_BRIDGE)
        r = notify_network(spec);
    if (r == 0 && watch & NOTIFY_VOLUMES)
        r = notify_volumes(spec);
    if (r == 0 && watch & NOTIFY_EXEC) {
        notify_call(spec, NR_execve);
        notify_call(spec, NR_execveat);
    }
    return r;
}

void filter_leave_to_listener(struct filter_spec *spec)
{
    for (int nr = 0; nr < FILTER_NRS; nr++)
        filter_set(spec, nr, spec_permits(spec, nr) ? SECCOMP_RET_ALLOW : spec->calls[nr].action);
    spec->foreign = SECCOMP_RET_ALLOW;
}
