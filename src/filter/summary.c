#include "filter/internal.h"

const char *filter_action_name(uint32_t action, char out[static 24])
{
    static const struct {
        uint16_t error;
        const char *name;
    } errors[] = {
        { EPERM, "EPERM" },
        { ENOENT, "ENOENT" },
        { EACCES, "EACCES" },
        { EINVAL, "EINVAL" },
        { ENOSYS, "ENOSYS" },
        { ENOTTY, "ENOTTY" },
        { EPROTONOSUPPORT, "EPROTONOSUPPORT" },
        { EOPNOTSUPP, "EOPNOTSUPP" },
        { EAFNOSUPPORT, "EAFNOSUPPORT" },
    };
    switch (FILTER_ACTION(action)) {
    case SECCOMP_RET_ALLOW:
        return "allow";
    case SECCOMP_RET_LOG:
        return "log";
    case SECCOMP_RET_USER_NOTIF:
        return "notify";
    case SECCOMP_RET_TRAP:
        return "trap";
    case SECCOMP_RET_ERRNO:
        break;
    default:
        return "kill";
    }
    for (size_t i = 0; i < ARRAY_LEN(errors); i++)
        if (errors[i].error == (action & SECCOMP_RET_DATA))
            return errors[i].name;
    (void)snprintf(out, 24, "errno %u", action & SECCOMP_RET_DATA);
    return out;
}

/* «300 allow, 12 by their arguments, 60 EPERM ...»: an action's calls are counted when
 * its first one comes by. */
static void add_counts(const struct filter_spec *spec, struct buf *out)
{
    unsigned total = 0, by_arguments = 0;
    for (int nr = 0; nr < FILTER_NRS; nr++) {
        total += syscall_name(nr) != NULL;
        by_arguments += spec->calls[nr].rules != 0;
    }
    (void)buf_addf(out, "%u calls known: %u by their arguments", total, by_arguments);
    for (int nr = 0; nr < FILTER_NRS; nr++) {
        unsigned count = 0;
        bool is_first = true;
        for (int i = 0; i < FILTER_NRS; i++) {
            if (!syscall_name(i) || spec->calls[i].rules || spec->calls[i].action != spec->calls[nr].action)
                continue;
            is_first &= count > 0 || i == nr;
            count++;
        }
        char name[24];
        if (count && is_first)
            (void)buf_addf(out, ", %u %s", count, filter_action_name(spec->calls[nr].action, name));
    }
    char unknown[24], foreign[24];
    (void)buf_addf(out, "; other numbers %s, other architectures %s\n", filter_action_name(spec->unknown, unknown),
                   filter_action_name(spec->foreign, foreign));
}

int filter_summary(const struct filter_spec *spec, struct buf *out)
{
    static const int16_t notable[] = { NR_ptrace,          NR_bpf,    NR_io_uring_setup, NR_userfaultfd,
                                       NR_perf_event_open, NR_keyctl, NR_mount,          NR_setns,
                                       NR_unshare,         NR_clone3, NR_init_module,    NR_memfd_create,
                                       NR_setuid,          NR_fork,   NR_shmget };
    char name[24];
    add_counts(spec, out);
    (void)buf_adds(out, "by their arguments:");
    for (int nr = 0; nr < FILTER_NRS; nr++)
        if (spec->calls[nr].rules)
            (void)buf_addf(out, " %s", syscall_name(nr));
    (void)buf_adds(out, "\nnot permitted, among others:");
    for (size_t i = 0; i < ARRAY_LEN(notable); i++) {
        if (notable[i] < 0 || spec->calls[notable[i]].action == SECCOMP_RET_ALLOW)
            continue;
        (void)buf_addf(out, " %s (%s)", syscall_name(notable[i]),
                       filter_action_name(spec->calls[notable[i]].action, name));
    }
    (void)buf_adds(out, "\n");
    return out->failed ? -EMSGSIZE : 0;
}
