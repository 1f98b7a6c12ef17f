/* calls.c - privilege_escalation_attempt and suspicious_syscalls: what is asked of the kernel that no program here
 * needs.
 *
 * One table says what asking for a call means. What is not in it, and clone3, is what libraries probe and the filter
 * answers with ENOSYS or EPERM; it counts only where much is refused (table: COUNTED) or never (PROBE). What
 * interpreters and tools ask for at their start was looked at with strace -f: python3, node 18 to 22, bash, dash, perl,
 * git, tar, go, gcc, cargo, curl, ps, id: clone3, and io_uring_setup by libuv; nothing else of this table.
 */
#include "watch/detect.h"

#include "base/lever.h"
#include "filter/syscalls.h"

#include <sched.h>
#include <stdio.h>
#include <sys/ioctl.h>
#include <sys/stat.h>

enum meaning { PROBE, COUNTED, GAINS, DEVICE, SUSPECT, IDS, GROUPS, NAMESPACES, TRACE, RING, KILL, TERMINAL };

static const struct {
    int nr;
    uint8_t meaning;
} table[] = {
    { NR_clone3, PROBE },
    { NR_uretprobe, PROBE },
    { NR_uprobe, PROBE },
    { NR_statmount, PROBE },
    { NR_listmount, PROBE },
    { NR_listns, PROBE },
    { NR_kcmp, PROBE },

    { NR_setuid, IDS },
    { NR_setreuid, IDS },
    { NR_setresuid, IDS },
    { NR_setfsuid, IDS },
    { NR_setgid, IDS },
    { NR_setregid, IDS },
    { NR_setresgid, IDS },
    { NR_setfsgid, IDS },
    { NR_setgroups, GROUPS },
    { NR_unshare, NAMESPACES },
    { NR_clone, NAMESPACES },
    { NR_ptrace, TRACE },
    { NR_setns, GAINS },
    { NR_capset, GAINS },
    { NR_chroot, GAINS },
    { NR_pivot_root, GAINS },
    { NR_mount, GAINS },
    { NR_umount2, GAINS },
    { NR_open_tree, GAINS },
    { NR_open_tree_attr, GAINS },
    { NR_move_mount, GAINS },
    { NR_fsopen, GAINS },
    { NR_fsconfig, GAINS },
    { NR_fsmount, GAINS },
    { NR_fspick, GAINS },
    { NR_mount_setattr, GAINS },
    { NR_mknod, DEVICE }, /* of these only what is refused is told */
    { NR_mknodat, DEVICE },
    { NR_iopl, GAINS },
    { NR_ioperm, GAINS },

    { NR_bpf, SUSPECT },
    { NR_userfaultfd, SUSPECT },
    { NR_perf_event_open, SUSPECT },
    { NR_keyctl, SUSPECT },
    { NR_add_key, SUSPECT },
    { NR_request_key, SUSPECT },
    { NR_init_module, SUSPECT },
    { NR_finit_module, SUSPECT },
    { NR_delete_module, SUSPECT },
    { NR_create_module, SUSPECT },
    { NR_kexec_load, SUSPECT },
    { NR_kexec_file_load, SUSPECT },
    { NR_reboot, SUSPECT },
    { NR_pidfd_getfd, SUSPECT },
    { NR_process_vm_readv, SUSPECT },
    { NR_process_vm_writev, SUSPECT },
    { NR_process_madvise, SUSPECT },
    { NR_open_by_handle_at, SUSPECT },
    { NR_io_uring_enter, SUSPECT },
    { NR_io_uring_register, SUSPECT },
    { NR_fanotify_init, SUSPECT },
    { NR_swapon, SUSPECT },
    { NR_swapoff, SUSPECT },
    { NR_acct, SUSPECT },
    { NR_io_uring_setup, RING },
    { NR_kill, KILL },
    { NR_tkill, KILL },
    { NR_tgkill, KILL },
    { NR_ioctl, TERMINAL }, /* of ioctl(2) only what is always refused is told: characters into a terminal, the console,
                               line disciplines */
};

static enum meaning meaning_of(const struct watch_event *e)
{
    for (size_t i = 0; i < ARRAY_LEN(table); i++)
        if (table[i].nr >= 0 && (uint32_t)table[i].nr == e->nr)
            return (enum meaning)table[i].meaning;
    return COUNTED;
}

static struct shown call_name(uint32_t nr)
{
    struct shown s;
    const char *name = nr <= INT32_MAX ? syscall_name((int)nr) : NULL;
    if (name)
        (void)snprintf(s.text, sizeof s.text, "%s", name);
    else
        (void)snprintf(s.text, sizeof s.text, "system call %u", nr);
    return s;
}

/* «setuid(0)»: with as many arguments as say something; pointers do not. */
static struct shown call_text(const struct watch_event *e, size_t arguments)
{
    struct shown s = call_name(e->nr);
    size_t n = strlen(s.text);
    n += (size_t)snprintf(s.text + n, sizeof s.text - n, "(");
    for (size_t i = 0; i < arguments; i++)
        n += (size_t)snprintf(s.text + n, sizeof s.text - n, e->args[i] > 9999 ? "%s%#llx" : "%s%lld", i ? ", " : "",
                              (int32_t)e->args[i] == -1 ? -1LL : (long long)e->args[i]);
    (void)snprintf(s.text + n, sizeof s.text - n, ")");
    return s;
}

static bool asked(struct evidence *ret, const struct watch_event *e, size_t arguments)
{
    return decided(ret, "process %u asked for %s at %s: %s", e->pid, call_text(e, arguments).text,
                   shown_time(e->at_us).text, e->error ? strerror((int)e->error) : "let through");
}

/* ---- privileges ---- */

static size_t id_count(int nr)
{
    return nr == NR_setresuid || nr == NR_setresgid ? 3 : nr == NR_setreuid || nr == NR_setregid ? 2 : 1;
}

/* Every id that is asked for has to be the own one, or «unchanged»: setuid(getuid()). */
static bool asks_for_other_ids(const struct watch_event *e, const struct profile *p)
{
    const int nr = (int)e->nr;
    const bool is_group = nr == NR_setgid || nr == NR_setregid || nr == NR_setresgid || nr == NR_setfsgid;
    const uint32_t own = is_group ? p->security.user.gid : p->security.user.uid;
    for (size_t i = 0; i < id_count(nr); i++)
        if ((uint32_t)e->args[i] != own && (uint32_t)e->args[i] != UINT32_MAX)
            return true;
    return false;
}

#ifndef CLONE_NEWTIME
#define CLONE_NEWTIME 0x80
#endif
static bool asks_for_namespaces(const struct watch_event *e)
{
    uint64_t flags = CLONE_NEWNS | CLONE_NEWCGROUP | CLONE_NEWUTS | CLONE_NEWIPC | CLONE_NEWUSER | CLONE_NEWPID |
                     CLONE_NEWNET;
    if ((int)e->nr == NR_unshare)
        flags |= CLONE_NEWTIME; /* clone(2): part of the signal */
    return e->args[0] & flags;
}

static bool makes_device(const struct watch_event *e)
{
    const uint64_t mode = (int)e->nr == NR_mknod ? e->args[1] : e->args[2];
    return S_ISBLK((mode_t)mode) || S_ISCHR((mode_t)mode);
}

static bool gains_privileges(const struct watch_event *e, const struct profile *p)
{
    switch (meaning_of(e)) {
    case GAINS:
        return true;
    case DEVICE:
        return makes_device(e);
    case IDS:
        return asks_for_other_ids(e, p);
    case GROUPS:
        return (uint32_t)e->args[0] > 0; /* setgroups(0, NULL): gives up */
    case NAMESPACES:
        return asks_for_namespaces(e);
    case TRACE:
        return e->args[0] != 0; /* PTRACE_TRACEME: asks to be looked at, harms no process */
    default:
        return false;
    }
}

bool detect_privilege(struct hunting *s, const struct watch_event *e, const struct profile *p, struct evidence *ret)
{
    if (hunting_feed(s, e, ret))
        return true;
    if (e->kind == WATCH_EXEC && (e->flags & WATCH_SETUID_FILE))
        return decided(ret, "process %u started %s, a file with a set-id bit, at %s", e->pid, shown(e->text).text,
                       shown_time(e->at_us).text);
    if (e->kind == WATCH_FILE && (e->flags & WATCH_FOR_WRITING) && e->text && is_lever(e->text))
        return decided(ret, "process %u opened %s for writing, at %s", e->pid, shown(e->text).text,
                       shown_time(e->at_us).text);
    if (e->kind != WATCH_CALL || !gains_privileges(e, p))
        return false;
    const enum meaning m = meaning_of(e);
    return asked(ret, e, m == IDS ? id_count((int)e->nr) : m == TRACE ? 2 : m == GAINS || m == DEVICE ? 0 : 1);
}

/* ---- suspicious calls ---- */

/* libuv asks for a ring of 64 entries and one of 256 for each of its loops, once; some libraries ask with nothing at
 * all whether there are rings. */
#define RINGS_TOLERATED 32u
static bool is_ring_probe(struct calls *s, const struct watch_event *e)
{
    const uint32_t entries = (uint32_t)e->args[0];
    return e->error == ENOSYS && (entries == 0 || entries == 64 || entries == 256) && s->rings++ < RINGS_TOLERATED;
}

/* kill(2) outward: 1 is the sandbox's init, -1 is all of them. Signal 0 only asks. */
static bool is_kill_outward(const struct watch_event *e)
{
    const int32_t pid = (int32_t)e->args[0];
    const uint64_t sig = (int)e->nr == NR_tgkill ? e->args[2] : e->args[1];
    return (pid == 1 || pid == -1) && (uint32_t)sig != 0;
}

#ifndef SIOCETHTOOL
#define SIOCETHTOOL 0x8946 /* linux/sockios.h, which musl's headers lack */
#endif
/* Libraries ask for the interfaces of this machine (libuuid for an address to count from), and go on without. Whether
 * SIOCETHTOOL asks or sets is said behind a pointer; psutil asks by it. */
static bool asks_for_interfaces(const struct watch_event *e)
{
    static const uint32_t questions[] = {
        SIOCGIFNAME,    SIOCGIFCONF,   SIOCGIFFLAGS, SIOCGIFADDR,   SIOCGIFDSTADDR, SIOCGIFBRDADDR,
        SIOCGIFNETMASK, SIOCGIFMETRIC, SIOCGIFMTU,   SIOCGIFHWADDR, SIOCGIFINDEX,   SIOCGIFPFLAGS,
        SIOCGIFCOUNT,   SIOCGIFTXQLEN, SIOCGIFMAP,   SIOCETHTOOL,
    };
    for (size_t i = 0; i < ARRAY_LEN(questions); i++)
        if (questions[i] == (uint32_t)e->args[1])
            return true;
    return false;
}

/* Where only privilege_escalation_detection is on (low), single calls tell, and a stream of refusals does not: a level
 * that runs every tool leaves them room to try. */
static bool counts_refusals(const struct profile *p)
{
    return p->monitoring.syscall_monitoring || profile_kills(p, detector_names[DETECT_SYSCALLS]);
}

bool detect_calls(struct calls *s, const struct watch_event *e, const struct profile *p, struct evidence *ret)
{
    if (e->kind != WATCH_CALL)
        return false;
    const enum meaning m = meaning_of(e);
    if (m == PROBE || (m == RING && is_ring_probe(s, e)))
        return false;
    if (m == SUSPECT || m == RING || (m == KILL && is_kill_outward(e)) ||
        (m == TERMINAL && e->error == EPERM && !asks_for_interfaces(e)))
        return asked(ret, e, m == SUSPECT ? 0 : m == RING ? 1 : 2);
    if (!e->error || e->error == EAGAIN || !counts_refusals(p)) /* EAGAIN: max_processes, see fork_bomb_detection */
        return false;
    uint64_t n = rate_add(&s->refused, e->at_us, p->detectors.suspicious_syscalls.window, 1);
    if (n < p->detectors.suspicious_syscalls.refused)
        return false;
    return decided(ret, "%llu calls were refused within %s, until %s; the last was %s by process %u: %s",
                   (unsigned long long)n, shown_time(p->detectors.suspicious_syscalls.window * 1000).text,
                   shown_time(e->at_us).text, call_name(e->nr).text, e->pid, strerror((int)e->error));
}
