/* What no payload of ours may do, whatever the profile says.
 *
 * Of the 110 Linux bugs on gVisor's list (2016 to 2026) about 80% need one of three
 * things: capabilities through a nested user namespace, an unusual socket family,
 * io_uring. The rest of the list is the
 * host's property (mounts, modules, clock, keys) or a way into other processes. Most of
 * it also needs a capability no process inside holds: this is the second lock.
 */
#include "filter/internal.h"

#include <sys/socket.h>

const struct refusal always_refused[] = {
    /* Another process's memory, registers, descriptors. ptrace of a child would be
     * harmless by itself, but a tracer can skip the child's own filters (before 4.8) and
     * bring SECCOMP_RET_TRACE to life; no job of ours debugs. */
    { NR_ptrace, EPERM },
    { NR_process_vm_readv, EPERM },
    { NR_process_vm_writev, EPERM },
    { NR_process_madvise, EPERM },
    { NR_pidfd_getfd, EPERM },
    { NR_kcmp, EPERM }, /* compares kernel pointers: an oracle for heap layout */
    /* Programs for the kernel, its events, its page faults (the exploit writer's pause
     * button: CVE-2016-6187 and most use-after-frees since). */
    { NR_bpf, EPERM },
    { NR_perf_event_open, EPERM },
    { NR_userfaultfd, EPERM },
    { NR_uretprobe, ENOSYS }, /* made by the kernel's own trampoline; not filtered since 6.14 */
    { NR_uprobe, ENOSYS },
    /* Keyrings are not covered by any namespace (CVE-2016-0728). */
    { NR_keyctl, EPERM },
    { NR_add_key, EPERM },
    { NR_request_key, EPERM },
    { NR_init_module, EPERM },
    { NR_finit_module, EPERM },
    { NR_delete_module, EPERM },
    { NR_create_module, EPERM },
    { NR_kexec_load, EPERM },
    { NR_kexec_file_load, EPERM },
    { NR_reboot, EPERM },
    /* Mounts, and leaving the root. The newer calls say ENOSYS: util-linux then falls
     * back to mount(2), whose EPERM is a sentence that people understand. */
    { NR_mount, EPERM },
    { NR_umount2, EPERM },
    { NR_pivot_root, EPERM },
    { NR_chroot, EPERM },
    { NR_open_by_handle_at, EPERM }, /* walks out of a bind mount: «shocker», 2014 */
    { NR_open_tree, ENOSYS },
    { NR_move_mount, ENOSYS },
    { NR_fsopen, ENOSYS },
    { NR_fsconfig, ENOSYS }, /* CVE-2022-0185 */
    { NR_fsmount, ENOSYS },
    { NR_fspick, ENOSYS },
    { NR_mount_setattr, ENOSYS },
    { NR_open_tree_attr, ENOSYS },
    { NR_statmount, ENOSYS }, /* shows host paths */
    { NR_listmount, ENOSYS },
    { NR_listns, ENOSYS },
    { NR_quotactl, EPERM },
    { NR_quotactl_fd, ENOSYS },
    { NR_swapon, EPERM },
    { NR_swapoff, EPERM },
    { NR_fanotify_init, EPERM },
    /* New namespaces: clone's flags are looked at below, clone3 keeps its flags in
     * memory where a filter cannot look. ENOSYS makes glibc and Go fall back to clone. */
    { NR_unshare, EPERM },
    { NR_setns, EPERM },
    { NR_clone3, ENOSYS },
    /* Makes sockets and opens files without the calls a filter sees; more holes than any
     * other interface of its age (CVE-2022-29582, CVE-2023-2598 ...). libuv probes it. */
    { NR_io_uring_setup, ENOSYS },
    { NR_io_uring_enter, ENOSYS },
    { NR_io_uring_register, ENOSYS },
    /* What belongs to the whole host. Linux AIO: one program can take all of fs.aio-max-nr, and databases on the host
     * stand still; they and fio fall back to threads. syncfs on /usr writes out the host's disk; sync(2) is refused by
     * both lists. */
    { NR_io_setup, ENOSYS },
    { NR_io_destroy, ENOSYS },
    { NR_io_submit, ENOSYS },
    { NR_io_cancel, ENOSYS },
    { NR_io_getevents, ENOSYS },
    { NR_io_pgetevents, ENOSYS },
    { NR_syncfs, ENOSYS },
    /* The host's clock, name, accounting, log, ports. */
    { NR_settimeofday, EPERM },
    { NR_clock_settime, EPERM },
    { NR_sethostname, EPERM },
    { NR_setdomainname, EPERM },
    { NR_acct, EPERM },
    { NR_syslog, EPERM },
    { NR_iopl, EPERM },
    { NR_ioperm, EPERM },
};
const size_t always_refused_count = ARRAY_LEN(always_refused);

/* All CLONE_NEW* that clone(2) knows: NEWNS, NEWCGROUP, NEWUTS, NEWIPC, NEWUSER, NEWPID,
 * NEWNET. CLONE_NEWTIME (0x80) lies within CSIGNAL, which clone(2) cuts off: only clone3
 * and unshare know it. The kernel takes the low half only (lower_32_bits() in kernel/fork.c;
 * before 5.3 the upper half meant nothing). */
#define CLONE_NEW_ANY 0x7e020000u

/* Types other than STREAM, DGRAM and RAW, which needs a capability: SEQPACKET and DCCP
 * reach SCTP and DCCP even with protocol 0. SOCK_NONBLOCK and SOCK_CLOEXEC lie higher. */
#define ODD_SOCKET_TYPES 0xcu

#define ERRNO(e) FILTER_ERRNO(e)

static const struct arg_rule hard_rules[] = {
    { NR_clone, ERRNO(EPERM), { ARG_HAS(0, CLONE_NEW_ANY) } },

    /* Characters into the terminal of a process that started us (CVE-2017-5226; setsid is the
     * first lock), the console's selection buffer, and line disciplines, which are loaded
     * on demand (CVE-2017-2636). TIOCCONS asks for a capability. The kernel takes the
     * command as unsigned int. */
    { NR_ioctl, ERRNO(EPERM), { ARG_IS(1, 0x5412) } }, /* TIOCSTI */
    { NR_ioctl, ERRNO(EPERM), { ARG_IS(1, 0x541c) } }, /* TIOCLINUX */
    { NR_ioctl, ERRNO(EPERM), { ARG_IS(1, 0x5423) } }, /* TIOCSETD */

    /* Device nodes: the kernel refuses them for want of a capability; here they are told, too. Fifos stay. */
    { NR_mknod, ERRNO(EPERM), { ARG_IS_DEVICE(1) } },
    { NR_mknodat, ERRNO(EPERM), { ARG_IS_DEVICE(2) } },

    /* POSIX_FADV_DONTNEED takes the pages of /usr from the host's cache, for all its programs. Pipes beyond the default
     * count against their user on the host (fs.pipe-user-pages-soft), who then gets small ones. */
    { NR_fadvise64, ERRNO(EPERM), { ARG_IS(3, 4) } },
    { NR_fcntl, ERRNO(EPERM), { ARG_IS(1, 1031 /* F_SETPIPE_SZ */), ARG_ABOVE(2, 65536) } },

    /* The UUID of the disk that /usr lies on names the machine. ENOTTY is what other file systems say. */
    { NR_ioctl, ERRNO(ENOTTY), { ARG_IS(1, 0x80111500) } }, /* FS_IOC_GETFSUUID */
    { NR_ioctl, ERRNO(ENOTTY), { ARG_IS(1, 0x80811501) } }, /* FS_IOC_GETFSSYSFSPATH, which has it, too */
    { NR_ioctl, ERRNO(ENOTTY), { ARG_IS(1, 0x8008662c) } }, /* EXT4_IOC_GETFSUUID */

    /* AF_VSOCK talks to the hypervisor through every namespace, AF_ALG, AF_PACKET,
     * AF_NETLINK and forty others are drivers reached by loading them. The protocols:
     * TCP, UDP and their default; not SCTP, MPTCP, L2TP, ping sockets (CVE-2015-3636). */
    { NR_socket, ERRNO(EAFNOSUPPORT), { ARG_IS_NOT(0, AF_UNIX), ARG_IS_NOT(0, AF_INET), ARG_IS_NOT(0, AF_INET6) } },
    { NR_socket, ERRNO(EPROTONOSUPPORT), { ARG_IS_NOT(0, AF_UNIX), ARG_HAS(1, ODD_SOCKET_TYPES) } },
    { NR_socket,
      ERRNO(EPROTONOSUPPORT),
      { ARG_IS_NOT(0, AF_UNIX), ARG_IS_NOT(2, 0), ARG_IS_NOT(2, 6), ARG_IS_NOT(2, 17) } },
    { NR_socketpair, ERRNO(EAFNOSUPPORT), { ARG_IS_NOT(0, AF_UNIX) } },
    /* SECCOMP_FILTER_FLAG_NEW_LISTENER: of two filters that both ask a listener, the newer
     * one is heard (linux/seccomp.h), so the payload could answer its own questions once
     * the kernel allows several listeners. Plain filters only ever tighten: permitted.
     * Flag 8 means nothing to the other operations. */
    { NR_seccomp, ERRNO(EPERM), { ARG_HAS(1, 8) } },
};

size_t arg_rule_conds(const struct arg_rule *r)
{
    size_t n = 0;
    while (n < ARRAY_LEN(r->conds) && r->conds[n].low32)
        n++;
    return n;
}

int arg_rules_prepend(struct filter_spec *spec, const struct arg_rule *rules, size_t count)
{
    for (size_t i = count; i-- > 0;) {
        const struct arg_rule *r = &rules[i];
        if (!spec_permits(spec, r->nr))
            continue; /* refused altogether already */
        int ret = filter_rule_prepend(spec, r->nr, r->conds, arg_rule_conds(r), r->action);
        if (ret < 0)
            return ret;
    }
    return 0;
}

bool spec_permits(const struct filter_spec *spec, int nr)
{
    if (nr < 0)
        return false;
    const struct filter_entry *call = &spec->calls[nr];
    for (uint16_t r = call->rules; r; r = spec->rules[r - 1].next)
        if (filter_action_permits(spec->rules[r - 1].action))
            return true;
    return filter_action_permits(call->action);
}

int filter_harden(struct filter_spec *spec)
{
    for (size_t i = 0; i < always_refused_count; i++) {
        const struct refusal *r = &always_refused[i];
        /* A profile's own EPERM on a call that libraries probe would break them: glibc
         * makes no thread when clone3 says EPERM. Its kills stay. */
        bool is_kill = r->nr >= 0 && FILTER_ACTION(spec->calls[r->nr].action) != SECCOMP_RET_ERRNO;
        if (spec_permits(spec, r->nr) || (r->error == ENOSYS && !is_kill))
            filter_set(spec, r->nr, FILTER_ERRNO(r->error));
    }
    for (int nr = 0; nr < FILTER_NRS; nr++)
        if (!syscall_name(nr) && spec_permits(spec, nr))
            filter_set(spec, nr, FILTER_ERRNO(ENOSYS));
    if (filter_action_permits(spec->unknown))
        spec->unknown = FILTER_ERRNO(ENOSYS);
    if (filter_action_permits(spec->foreign))
        spec->foreign = FILTER_ERRNO(ENOSYS);
    int r = sockopts_refuse(spec);
    return r < 0 ? r : arg_rules_prepend(spec, hard_rules, ARRAY_LEN(hard_rules));
}

/* ---- The same questions, asked of a finished program ---- */

static bool gets_through(const struct sock_filter *prog, size_t n, struct seccomp_data d)
{
    return filter_action_permits(filter_eval(prog, n, &d));
}

/* A few argument patterns: a program made by our compiler looks at arguments only where
 * its rules say so, and for these calls there are none. */
static bool nr_gets_through(const struct sock_filter *prog, size_t n, uint32_t arch, int nr)
{
    static const uint64_t patterns[] = { 0, 1, UINT32_MAX, UINT64_MAX };
    for (size_t i = 0; i < ARRAY_LEN(patterns); i++) {
        struct seccomp_data d = { .nr = nr, .arch = arch };
        for (size_t a = 0; a < ARRAY_LEN(d.args); a++)
            d.args[a] = patterns[i];
        if (gets_through(prog, n, d))
            return true;
    }
    return false;
}

/* Arguments that satisfy exactly the conditions of a hard rule, with rubbish above. */
static bool rule_is_broken(const struct sock_filter *prog, size_t n, const struct arg_rule *r)
{
    static const uint64_t rubbish[] = { 0, UINT64_C(1) << 32, UINT64_C(0xffffffff) << 32 };
    for (size_t i = 0; i < ARRAY_LEN(rubbish); i++) {
        for (uint32_t bit = 1; bit; bit <<= 1) {
            struct seccomp_data d = { .nr = r->nr, .arch = FILTER_NATIVE_ARCH };
            bool applies = true;
            for (size_t c = 0; c < arg_rule_conds(r); c++) {
                const struct filter_cond *cond = &r->conds[c];
                __u64 *arg = &d.args[cond->arg];
                if (cond->op == FILTER_EQ)
                    *arg = cond->value;
                else if (cond->op == FILTER_MASKED_NE)
                    applies = (*arg = cond->mask & bit) != 0;
                else if (cond->op == FILTER_GT)
                    *arg = UINT32_MAX;
                else if (cond->op == FILTER_MASKED_EQ)
                    *arg = cond->value | (~cond->mask & bit);
                else /* NE: neither zero nor any small number a table names */
                    *arg = 40;
                *arg |= rubbish[i];
            }
            if (applies && gets_through(prog, n, d))
                return true;
        }
    }
    return false;
}

/* Levels that the kernel knows, and one that it does not. */
static bool some_option_gets_through(const struct sock_filter *prog, size_t n)
{
    static const uint32_t tried[] = { 0, 1, 2, 6, 17, 41, 58, 132, 136, 255, 270, 282, 284, UINT32_MAX };
    for (size_t l = 0; l < ARRAY_LEN(tried); l++)
        for (uint32_t option = 0; option < 300; option++) {
            struct seccomp_data d = { .nr = NR_setsockopt, .arch = FILTER_NATIVE_ARCH };
            d.args[1] = tried[l] | (uint64_t)option << 32; /* rubbish above */
            d.args[2] = option;
            if (!sockopt_is_permitted(tried[l], option) && gets_through(prog, n, d))
                return true;
        }
    return false;
}

bool filter_is_hardened(const struct sock_filter *prog, size_t n)
{
    for (size_t i = 0; i < always_refused_count; i++)
        if (always_refused[i].nr >= 0 && nr_gets_through(prog, n, FILTER_NATIVE_ARCH, always_refused[i].nr))
            return false;
    for (size_t i = 0; i < ARRAY_LEN(hard_rules); i++)
        if (rule_is_broken(prog, n, &hard_rules[i]))
            return false;
    if (some_option_gets_through(prog, n))
        return false;
    static const int strangers[] = { 337, 423,  SYSCALL_NEWEST + 1, 511,        512,        547,
                                     548, 4096, 0x40000000,         0x40000001, 0x400001ff, -1 };
    for (size_t i = 0; i < ARRAY_LEN(strangers); i++)
        if (!syscall_name(strangers[i]) && nr_gets_through(prog, n, FILTER_NATIVE_ARCH, strangers[i]))
            return false;
    for (int nr = 0; nr < 16; nr++)
        if (nr_gets_through(prog, n, FILTER_OTHER_ARCH, nr))
            return false;
    return true;
}
