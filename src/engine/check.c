#include "engine/check.h"

#include <stdio.h>
#include <sys/stat.h>
#include <sys/utsname.h>
#include "base/watch_bits.h"
#include "engine/mounts.h"
#include "engine/spec.h"

/* --- the host ------------------------------------------------------------------------------------------- */

static const char *const ns_names[ENTRY_NS_COUNT] = {
    [ENTRY_NS_USER] = "user", [ENTRY_NS_PID] = "pid", [ENTRY_NS_MOUNT] = "mnt",    [ENTRY_NS_NET] = "net",
    [ENTRY_NS_IPC] = "ipc",   [ENTRY_NS_UTS] = "uts", [ENTRY_NS_CGROUP] = "cgroup"
};

/* Where people and services keep what others shall not see: sockets, terminals, secrets. A place that is none of its
 * own is not there twice, or does no harm. */
static void read_devs(struct host_facts *ret)
{
    static const char *const places[] = { "/run", "/run/lock", "/run/user", "/tmp",        "/var/tmp",
                                          "/dev", "/dev/shm",  "/dev/pts",  "/dev/mqueue", "/proc" };
    char own[64];
    struct stat st;
    (void)snprintf(own, sizeof own, "/run/user/%u", (unsigned)getuid());
    _Static_assert(ARRAY_LEN(places) + 1 <= HOST_MAX_DEVS, "one for each");
    for (size_t i = 0; i <= ARRAY_LEN(places); i++)
        if (stat(i < ARRAY_LEN(places) ? places[i] : own, &st) == 0)
            ret->devs[ret->dev_count++] = st.st_dev;
    if (stat("/", &st) == 0) {
        ret->root_dev = st.st_dev;
        ret->root_ino = st.st_ino;
    }
}

void host_facts_read(struct host_facts *ret)
{
    struct utsname u;
    *ret = (struct host_facts){ 0 };
    for (size_t i = 0; i < ENTRY_NS_COUNT; i++) {
        char path[48];
        struct stat st;
        (void)snprintf(path, sizeof path, "/proc/self/ns/%s", ns_names[i]);
        ret->ns[i] = stat(path, &st) == 0 ? st.st_ino : 0;
    }
    read_devs(ret);
    if (uname(&u) == 0)
        (void)snprintf(ret->kernel, sizeof ret->kernel, "%s %s %s", u.sysname, u.release, u.version);
}

bool check_is_other_kernel(const struct container *c)
{
    return c->runtime && (strstr(c->runtime, "runsc") || strstr(c->runtime, "gvisor") || strstr(c->runtime, "kata"));
}

static bool has(uint32_t set, enum feature f)
{
    return set >> f & 1;
}
static void add(uint32_t *set, enum feature f)
{
    *set |= UINT32_C(1) << f;
}

bool check_needs_landlock(const struct request *q)
{
    return (q->shape.access_count || q->shape.deny_tcp) &&
           has(q->shape.require & ~q->container.accept_missing, FEATURE_LANDLOCK) &&
           !check_is_other_kernel(&q->container);
}

bool check_may_lack_apparmor(const struct request *q)
{
    return q->shape.apparmor && !has(q->shape.require & ~q->container.accept_missing, FEATURE_APPARMOR);
}

/* --- probes --------------------------------------------------------------------------------------------- */

enum { PROBE_NULL, PROBE_SHM, PROBE_MASKED, PROBE_MOUNTS = PROBE_MASKED + 2 };
/* Of those that spec.c masks always: the kernel has them everywhere. */
static const char *const masked[] = { "/proc/kcore", "/proc/interrupts" };

int check_probes(const struct shape *s, struct strlist *ret, struct error *err)
{
    int r = strlist_add(ret, "/dev/null");
    r = r < 0 ? r : strlist_add(ret, "/dev/shm");
    for (size_t i = 0; r == 0 && i < ARRAY_LEN(masked); i++)
        r = strlist_add(ret, masked[i]);
    if (s->mount_count > ENTRY_MAX_PROBES - PROBE_MOUNTS)
        return err_set(err, -E2BIG, BLAME_CALLER, "CHECK", "%u mounts: at most %u can be looked at in a container",
                       s->mount_count, ENTRY_MAX_PROBES - PROBE_MOUNTS);
    for (uint32_t i = 0; r == 0 && i < s->mount_count; i++)
        r = strlist_add(ret, s->mounts[i].target);
    return r < 0 ? err_set(err, r, BLAME_HOST, "CHECK", "list the mounts: %s", strerror(-r)) : 0;
}

const struct entry_probe *check_probe_of(const struct check_input *in, uint32_t mount)
{
    return &in->facts->probes[PROBE_MOUNTS + mount]; /* their number was compared */
}

/* --- what must be as asked ------------------------------------------------------------------------------ */

#define WRONG(...) err_set(err, -ENOTSUP, BLAME_HOST, "FACTS", __VA_ARGS__)

static int check_identity(const struct check_input *in, struct error *err)
{
    const struct shape *s = &in->request->shape;
    const struct entry_facts *f = in->facts;
    if (f->uid != s->uid || f->gid != s->gid)
        return WRONG("in the container: uid %u:%u, not the %u:%u that were asked for", f->uid, f->gid, s->uid, s->gid);
    if (f->group_count) {
        (void)WRONG("in the container: %u supplementary groups", f->group_count);
        return err_remedy(
            err, "the image's /etc/group puts uid %u into groups: take another sandbox user, or another image", s->uid);
    }
    if (f->pid != 1)
        return WRONG("in the container: our program is pid %u, not 1", f->pid);
    if (!in->request->container.network && f->interfaces)
        return WRONG("in the container: %u network interfaces, and none was asked for", f->interfaces);
    return 0;
}

static int check_kernel(const struct check_input *in, struct error *err)
{
    const struct container *c = &in->request->container;
    const char *inside = in->facts->kernel ? in->facts->kernel : "";
    if (!check_is_other_kernel(c) || (*inside && !str_eq(inside, in->host->kernel)))
        return 0;
    (void)WRONG("runtime %s was asked for, and the kernel in the container is the host's (%.80s)", c->runtime, inside);
    return err_remedy(err, "the engine does not use it: see `runtimes` in its configuration");
}

static int check_rlimits(const struct check_input *in, struct error *err)
{
    const struct shape *s = &in->request->shape;
    const struct entry_facts *f = in->facts;
    if (f->nofile_hard > MAX_OF(s->nofile_hard, (uint32_t)ENTRY_LEAST_NOFILE) ||
        f->nofile_soft > MAX_OF(s->nofile_soft, (uint32_t)ENTRY_LEAST_NOFILE))
        return WRONG("in the container: nofile %llu, asked %u", (unsigned long long)f->nofile_hard, s->nofile_hard);
    if (s->fsize_bytes && f->fsize > s->fsize_bytes)
        return WRONG("in the container: fsize %llu, asked %llu", (unsigned long long)f->fsize,
                     (unsigned long long)s->fsize_bytes);
    if (f->core)
        return WRONG("in the container: core %llu, asked 0", (unsigned long long)f->core);
    return 0;
}

static int check_volume(const struct plan_mount *m, const struct entry_probe *p, bool is_other_kernel,
                        struct error *err)
{
    if (p->error)
        return WRONG("volume %s is not at %s in the container: %s", m->source, m->target,
                     strerror((int)MIN_OF(p->error, 4095u)));
    if (!is_other_kernel && (p->dev != m->dev || p->ino != m->ino)) { /* gVisor has numbers of its own */
        (void)WRONG("volume %s is another directory than the one that was judged", m->source);
        return err_remedy(
            err,
            "it was exchanged meanwhile; or the engine runs in another root than we (a container, a virtual machine)");
    }
    if (m->flags & MOUNT_RO && !p->is_readonly &&
        !is_other_kernel) /* gVisor's statfs tells no flags; its table of mounts does */
        return WRONG("volume %s can be written at %s", m->source, m->target);
    return 0;
}

static int check_volumes(const struct check_input *in, struct error *err)
{
    const struct shape *s = &in->request->shape;
    int r = 0;
    for (uint32_t i = 0; r == 0 && i < s->mount_count; i++)
        if (s->mounts[i].kind == MOUNT_VOLUME)
            r = check_volume(&s->mounts[i], check_probe_of(in, i), check_is_other_kernel(&in->request->container), err);
    return r;
}

static int check_hidden(const struct check_input *in, struct error *err)
{
    if (check_is_other_kernel(&in->request->container)) /* which has neither devices nor such files of the host */
        return 0;
    for (size_t i = 0; i < ARRAY_LEN(masked); i++)
        if (!check_is_masked(in, &in->facts->probes[PROBE_MASKED + i]))
            return WRONG("in the container: %s is not hidden, as it was to be", masked[i]);
    if (in->facts->devices)
        return WRONG("in the container: %u devices in /dev that were not asked for", in->facts->devices);
    return 0;
}

static int check_musts(const struct check_input *in, struct error *err)
{
    if (in->facts->probe_count != in->request->shape.mount_count + PROBE_MOUNTS)
        return err_set(err, -EBADMSG, BLAME_US, "FACTS", "%u answers to %u probes", in->facts->probe_count,
                       in->request->shape.mount_count + PROBE_MOUNTS);
    int r = check_identity(in, err);
    r = r < 0 ? r : check_kernel(in, err);
    r = r < 0 ? r : check_rlimits(in, err);
    r = r < 0 ? r : check_volumes(in, err);
    r = r < 0 ? r : check_hidden(in, err);
    return r < 0 ? r : mounts_check(in, err);
}

/* --- features ------------------------------------------------------------------------------------------- */

struct finding {
    uint32_t features;
    char why[FEATURE_COUNT][200];
};

#define MISSING(f, ...) (void)snprintf(n->why[f], sizeof n->why[f], __VA_ARGS__)

static void find_namespaces(const struct check_input *in, struct finding *n)
{
    static const struct {
        enum feature feature;
        unsigned ns;
    } pairs[] = {
        { FEATURE_USER_NS, ENTRY_NS_USER },     { FEATURE_PID_NS, ENTRY_NS_PID }, { FEATURE_MOUNT_NS, ENTRY_NS_MOUNT },
        { FEATURE_NET_NS, ENTRY_NS_NET },       { FEATURE_IPC_NS, ENTRY_NS_IPC }, { FEATURE_UTS_NS, ENTRY_NS_UTS },
        { FEATURE_CGROUP_NS, ENTRY_NS_CGROUP },
    };
    bool is_other_kernel = check_is_other_kernel(
        &in->request->container); /* whose processes and mounts are all its own */
    for (size_t i = 0; i < ARRAY_LEN(pairs); i++) {
        uint64_t inside = in->facts->ns[pairs[i].ns], host = in->host->ns[pairs[i].ns];
        if (is_other_kernel || (inside && host && inside != host))
            add(&n->features, pairs[i].feature);
        else
            MISSING(pairs[i].feature, inside ? "the container is in ours" : "cannot be told in the container");
    }
    if (!has(n->features, FEATURE_CGROUP_NS) && in->facts->ns[ENTRY_NS_CGROUP])
        MISSING(FEATURE_CGROUP_NS, "the container is in the host's, and its program reads the names of control groups "
                                   "there (Podman makes none where the host has cgroup v1)");
    if (!has(n->features, FEATURE_USER_NS))
        MISSING(
            FEATURE_USER_NS,
            "the engine maps no ids: root in a container would be root here (Docker: userns-remap; Podman: rootless)");
}

static void find_filter(const struct check_input *in, struct finding *n)
{
    const struct entry_facts *f = in->facts;
    bool is_other_kernel = check_is_other_kernel(&in->request->container);
    static const char *const calls[ENTRY_CALL_COUNT] = { [ENTRY_CALL_PTRACE] = "ptrace",
                                                         [ENTRY_CALL_READV] = "process_vm_readv",
                                                         [ENTRY_CALL_WRITEV] = "process_vm_writev",
                                                         [ENTRY_CALL_URING] = "io_uring_setup" };
    const uint32_t open = in->request->container.seccomp.size && !is_other_kernel
                              ? f->open_calls & ((UINT32_C(1) << ENTRY_CALL_COUNT) - 1)
                              : 0;
    if (f->seccomp == 2 && !open)
        add(&n->features, FEATURE_SECCOMP);
    else if (f->seccomp == 2)
        MISSING(FEATURE_SECCOMP, "the container's filter is another one than was asked for: it permits %s",
                calls[__builtin_ctz(open)]);
    else
        MISSING(FEATURE_SECCOMP, is_other_kernel
                                     ? "the runtime's own kernel answers the calls, and loads no filter into it"
                                     : "the container's processes have no filter");
    if (in->request->shape.access_count && f->landlock_abi)
        add(&n->features, FEATURE_LANDLOCK);
    else
        MISSING(FEATURE_LANDLOCK, !in->request->shape.access_count ? "no rules were asked for"
                                  : is_other_kernel
                                      ? "the runtime's own kernel has none"
                                      : "it cannot be had in the container (kernel, or the engine's seccomp profile)");
}

static void find_rights(const struct check_input *in, struct finding *n)
{
    const struct entry_facts *f = in->facts;
    uint64_t keep = in->request->shape.keep_caps;
    uint64_t all = f->cap_inheritable | f->cap_permitted | f->cap_effective | f->cap_bounding | f->cap_ambient;
    if (f->no_new_privs)
        add(&n->features, FEATURE_NO_NEW_PRIVS);
    else
        MISSING(FEATURE_NO_NEW_PRIVS, "not set in the container");
    if (!(all & ~keep))
        add(&n->features, FEATURE_CAPS);
    else
        MISSING(FEATURE_CAPS, "%#llx in the container, %#llx asked for", (unsigned long long)all,
                (unsigned long long)keep);
    const char *wanted = in->request->shape.apparmor, *now = f->apparmor ? f->apparmor : "";
    size_t size = wanted ? strlen(wanted) : 0;
    if (size && strncmp(now, wanted, size) == 0 && (str_starts(now + size, " (enforce)") || now[size] == '\0'))
        add(&n->features, FEATURE_APPARMOR);
    else if (*now && !str_starts(now, "unconfined"))
        MISSING(FEATURE_APPARMOR,
                "%.60s is not loaded where the engine runs, or does not enforce: the container is under %.60s",
                wanted ? wanted : "nothing", now);
    else
        MISSING(FEATURE_APPARMOR, "the engine's host has not enabled it");
}

#define ROUNDED 65536u /* sizes are rounded up to pages, of at most 64 KiB */

bool check_is_masked(const struct check_input *in, const struct entry_probe *p)
{
    const struct entry_probe *null =
        &in->facts->probes[PROBE_NULL]; /* runc hides with the container's own, crun with the host's */
    return p->error || p->is_null || (p->dev == null->dev && p->ino == null->ino) ||
           (p->is_readonly && (p->size_bytes == 0 || p->is_empty));
}

/* -> what is not as it should be, or NULL */
static const char *find_loose_mount(const struct check_input *in)
{
    const struct shape *s = &in->request->shape;
    for (uint32_t i = 0; i < s->mount_count; i++) {
        const struct plan_mount *m = &s->mounts[i];
        const struct entry_probe *p = check_probe_of(in, i);
        if (m->kind == MOUNT_TMPFS &&
            (p->error || p->size_bytes > m->size_bytes + ROUNDED || (m->flags & MOUNT_NOEXEC && !p->is_noexec)))
            return m->target;
    }
    const struct entry_probe *shm = &in->facts->probes[PROBE_SHM];
    uint64_t room = MAX_OF(in->request->container.shm_bytes, (uint64_t)SPEC_SHM_LEAST) + ROUNDED;
    return !shm->error && !shm->is_readonly && shm->size_bytes > room ? "/dev/shm" : NULL;
}

static void find_storage(const struct check_input *in, struct finding *n)
{
    const char *loose = find_loose_mount(in);
    if (in->request->shape.readonly_root && !in->facts->is_root_readonly)
        MISSING(FEATURE_STORAGE, "the root of the container can be written, without a bound");
    else if (!in->request->shape.readonly_root)
        MISSING(FEATURE_STORAGE, "the profile leaves the root writable, and the engine sets it no bound");
    else if (loose)
        MISSING(FEATURE_STORAGE, "%.80s is larger than asked for, may be executed from, or is not there", loose);
    else
        add(&n->features, FEATURE_STORAGE);
}

/* Docker without root on cgroup v1 repeats in its answers limits that it never sets (20.10), and so does Podman with
 * cgroups=disabled (4.3). */
static void find_told_limits(const struct check_input *in, struct finding *n)
{
    for (enum feature f = 0; f < FEATURE_COUNT; f++)
        if (has(CHECK_LIMITS & in->told, f) && !in->is_shared)
            add(&n->features, f);
        else if (has(CHECK_LIMITS, f))
            MISSING(f,
                    in->is_shared
                        ? "nothing limits it: the engine gives the container no control group of its own"
                        : "the engine says that it cannot limit it, and its control groups cannot be seen from here");
    MISSING(FEATURE_CGROUP, in->is_shared ? "the container has none of its own"
                                          : "read from the engine only: its control groups cannot be seen from here");
}

static void find_limits(const struct check_input *in, struct finding *n)
{
    const struct shape *s = &in->request->shape;
    const struct group_limits *l = in->limits;
    if (in->group_kind == CGROUP_NONE) {
        find_told_limits(in, n);
        return;
    }
    if (s->memory_bytes && l->memory_bytes && l->memory_bytes <= s->memory_bytes &&
        (l->swap_bytes == 0 || l->swap_bytes == UINT64_MAX))
        add(&n->features, FEATURE_MEMORY);
    else
        MISSING(FEATURE_MEMORY,
                !l->memory_bytes ? "no limit in the control group"
                                 : "memory %llu with swap %llu in the control group, asked %llu and 0",
                (unsigned long long)l->memory_bytes, (unsigned long long)l->swap_bytes,
                (unsigned long long)s->memory_bytes);
    if (s->cpu_milli && l->cpu_milli && l->cpu_milli <= s->cpu_milli)
        add(&n->features, FEATURE_CPU);
    else
        MISSING(FEATURE_CPU,
                !l->cpu_milli ? "no limit in the control group"
                              : "%u thousandths of a core in the control group, asked %u",
                l->cpu_milli, s->cpu_milli);
    bool is_counted = !check_is_other_kernel(&in->request->container) ||
                      in->facts->nproc <= (uint64_t)s->pids + SPEC_EXTRA_TASKS;
    if (l->pids && l->pids <= spec_pids_max(in->request) && is_counted)
        add(&n->features, FEATURE_PIDS);
    else if (!is_counted)
        MISSING(FEATURE_PIDS, "the runtime's own kernel lets it have %llu processes, asked %u",
                (unsigned long long)in->facts->nproc, s->pids);
    else
        MISSING(FEATURE_PIDS, !l->pids ? "no limit in the control group" : "%llu in the control group, asked %llu",
                (unsigned long long)l->pids, (unsigned long long)spec_pids_max(in->request));
    if (has(n->features, FEATURE_MEMORY) && has(n->features, FEATURE_CPU) && has(n->features, FEATURE_PIDS))
        add(&n->features, FEATURE_CGROUP);
    else
        MISSING(FEATURE_CGROUP, "not all limits are in force there");
}

/* Samples come from the control group, all else from the filter that asks sandbox-entry. */
static void find_watch(const struct check_input *in, struct finding *n)
{
    const uint32_t watch = in->request->shape.watch;
    const bool is_sampled = !(watch & NOTIFY_SAMPLES) ||
                            (in->request->job.wants_events && in->group_kind != CGROUP_NONE);
    const bool is_seen = !(watch & NOTIFY_BY_FILTER) || in->is_watched;
    if (watch && is_sampled && is_seen) {
        add(&n->features, FEATURE_MONITORING);
        add(&n->features, FEATURE_KILL_SWITCHES);
        return;
    }
    char why[sizeof n->why[0]];
    if (!watch)
        (void)snprintf(why, sizeof why, "the profile asks for nothing that is watched");
    else if (is_seen)
        (void)snprintf(why, sizeof why,
                       "CPU, memory and processes are not: the control group cannot be seen from here");
    else
        (void)snprintf(why, sizeof why, "no system call is watched%s%s",
                       in->watch_error ? ", since the filter that asks "
                                         "cannot be had in the container: "
                       : check_is_other_kernel(&in->request->container)
                           ? ": the runtime's own kernel answers them"
                           : ": the engine's words do not suffice for this profile's filter",
                       in->watch_error ? strerror((int)in->watch_error) : "");
    MISSING(FEATURE_MONITORING, "%s", why);
    MISSING(FEATURE_KILL_SWITCHES, "%s", why);
}

static void find_rest(struct finding *n)
{
    MISSING(FEATURE_NETWORK, "a container's network is the engine's bridge: rules by name are the native backend's");
    MISSING(FEATURE_TIME_NS, "engines make none");
    MISSING(FEATURE_SELINUX, "an engine labels containers itself");
    MISSING(FEATURE_IO, "an engine limits disks by their names on its own host, which are not known here");
    MISSING(FEATURE_RATE_LIMITS, "kept by the command line for known agents, not by the backend");
}

int check_limits_remedy(struct error *err)
{
    return err_remedy(err, "give the engine control groups (without root: on cgroup v2 alone, delegated to its user; "
                           "docs/docker.md, Modes), or take a rootful engine, "
                           "or the native backend; docker.container.accept_missing: [memory, cpu, pids] runs without");
}

static uint32_t limits_asked(const struct shape *s)
{
    return (s->memory_bytes ? UINT32_C(1) << FEATURE_MEMORY : 0) | (s->cpu_milli ? UINT32_C(1) << FEATURE_CPU : 0) |
           UINT32_C(1) << FEATURE_PIDS;
}

/* The setting replaces what it was, so all of it is said, and all at once: a caller is not refused for each in turn.
 */
static int accept_remedy(uint32_t accepted, uint32_t lacking, struct error *err)
{
    char all[300] = "";
    size_t used = 0;
    for (enum feature f = 0; f < FEATURE_COUNT; f++)
        if (has(accepted | lacking, f) && used < sizeof all)
            used += (size_t)snprintf(all + used, sizeof all - used, "%s%s", used ? ", " : "", feature_name(f));
    return err_remedy(
        err,
        "docker.container.accept_missing: [%s] runs without; or take another level or profile, or the native backend",
        all);
}

static int refuse(const struct check_input *in, const struct finding *n, struct error *err)
{
    uint32_t lacking = (in->request->shape.require | limits_asked(&in->request->shape)) &
                       ~in->request->container.accept_missing & ~n->features;
    if (!lacking)
        return 0;
    enum feature f = (enum feature)__builtin_ctz(lacking);
    (void)err_set(err, -ENOTSUP, BLAME_POLICY, "REQUIRE", "the profile %s %s: %s",
                  has(in->request->shape.require, f) ? "requires" : "limits", feature_name(f), n->why[f]);
    if (has(CHECK_LIMITS, f) && in->group_kind == CGROUP_NONE)
        return check_limits_remedy(err);
    return accept_remedy(in->request->container.accept_missing, lacking, err);
}

/* What is worth a line although nothing required it. */
static uint32_t worth_telling(const struct shape *s)
{
    uint32_t set = s->require;
    static const enum feature always[] = { FEATURE_USER_NS,  FEATURE_PID_NS,  FEATURE_MOUNT_NS,     FEATURE_NET_NS,
                                           FEATURE_IPC_NS,   FEATURE_UTS_NS,  FEATURE_CGROUP_NS,    FEATURE_SECCOMP,
                                           FEATURE_LANDLOCK, FEATURE_CGROUP,  FEATURE_MEMORY,       FEATURE_CPU,
                                           FEATURE_PIDS,     FEATURE_STORAGE, FEATURE_NO_NEW_PRIVS, FEATURE_CAPS };
    for (size_t i = 0; i < ARRAY_LEN(always); i++)
        add(&set, always[i]);
    if (s->apparmor)
        add(&set, FEATURE_APPARMOR);
    if (s->selinux && !s->selinux_is_auto)
        add(&set, FEATURE_SELINUX);
    if (s->watch) {
        add(&set, FEATURE_KILL_SWITCHES);
        add(&set, FEATURE_MONITORING);
    }
    if (s->is_brokered)
        add(&set, FEATURE_NETWORK);
    if (s->io_rbps || s->io_wbps || s->io_riops || s->io_wiops)
        add(&set, FEATURE_IO);
    return set;
}

static void list_missing(const struct check_input *in, const struct finding *n, struct strlist *ret)
{
    const struct shape *s = &in->request->shape;
    uint32_t wanted = worth_telling(s) & ~n->features;
    for (enum feature f = 0; f < FEATURE_COUNT; f++)
        if (has(wanted, f))
            (void)strlist_addf(ret, "%s: %s", feature_name(f), n->why[f]);
    if (in->group_kind != CGROUP_NONE && has(n->features, FEATURE_MEMORY) && in->limits->swap_bytes == UINT64_MAX)
        (void)strlist_add(ret, "swap: this kernel does not count it for the container: where the host has swap, the "
                               "program may use it beside its memory");
    const bool has_host_sockets = !check_is_other_kernel(&in->request->container) && !s->deny_tcp;
    if (in->group_kind == CGROUP_V1 && has(n->features, FEATURE_MEMORY) && has_host_sockets) /* no limit of engines' */
        (void)strlist_add(ret, "sockets: cgroup v1 does not count what waits in TCP and UDP sockets as memory");
    if (s->watch & NOTIFY_VOLUMES && !in->is_watched && !check_is_other_kernel(&in->request->container))
        (void)strlist_add(ret, "volumes: a program may connect to UNIX sockets of this host that lie in a volume, also "
                               "in a read-only one: the filter that asks cannot be had in the container");
    if (s->watch & NOTIFY_FORKS && !in->is_watched)
        (void)strlist_addf(ret,
                           "max_processes: the filter that asks cannot be had in the container, and an engine counts "
                           "tasks (resources.pids: %u), not processes",
                           s->pids);
    if (check_is_other_kernel(&in->request->container))
        (void)strlist_add(ret, "mount_ns: the runtime's own kernel tells where something is mounted, and not what: "
                               "that is the engine's word");
    if (check_is_other_kernel(&in->request->container))
        (void)strlist_add(
            ret,
            "limits: of memlock, msgqueue, sigpending and stack the runtime's own kernel keeps those that it knows");
    for (uint32_t i = 0; i < s->mount_count; i++) {
        const struct plan_mount *m = &s->mounts[i];
        const struct entry_probe *p = check_probe_of(in, i);
        if (m->kind == MOUNT_MASK && !check_is_masked(in, p))
            (void)strlist_addf(ret, "mount_ns: the engine does not hide %s", m->target);
        if (m->kind == MOUNT_VOLUME && m->flags & MOUNT_NOEXEC && !p->is_noexec && !has(n->features, FEATURE_LANDLOCK))
            (void)strlist_addf(ret, "storage: an engine mounts no volume noexec: programs in %s may be started",
                               m->target);
    }
    if (check_is_other_kernel(&in->request->container) && has(n->features, FEATURE_PIDS))
        (void)strlist_addf(ret,
                           "pids: %u are kept by the runtime's own kernel, which fails a fork and reports nothing; "
                           "here its threads have %llu",
                           s->pids, (unsigned long long)spec_pids_max(in->request));
    mounts_list_accepted(in, ret);
}

int check_run(const struct check_input *in, struct check_result *ret, struct error *err)
{
    struct finding n = { 0 };
    int r = check_musts(in, err);
    if (r < 0 && !err->remedy[0])
        return err_remedy(err, "this engine does not do as it is told: take another one, or change what the profile or "
                               "docker.* asks of it");
    if (r < 0)
        return r;
    find_namespaces(in, &n);
    find_filter(in, &n);
    find_rights(in, &n);
    find_storage(in, &n);
    find_limits(in, &n);
    find_watch(in, &n);
    find_rest(&n);
    ret->features = n.features;
    ret->landlock_abi = has(n.features, FEATURE_LANDLOCK) ? in->facts->landlock_abi : 0;
    list_missing(in, &n, &ret->missing);
    return refuse(in, &n, err);
}
