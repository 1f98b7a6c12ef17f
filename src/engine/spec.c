#include "engine/spec.h"

#include <stdio.h>
#include "engine/check.h"
#include "engine/volume.h"
#include "entry/frame.h"

#define CPU_PERIOD_US            100000
#define OTHER_KERNEL_TASKS       64u
#define OTHER_KERNEL_TASKS_EACH  16u
#define OTHER_KERNEL_TASKS_LEAST 512u

static void set(json_t *o, const char *key, json_t *value)
{
    (void)json_object_set_new(o, key, value); /* without memory: value is NULL, and the read back finds it missing */
}

static json_t *strings(const char *const *list, size_t n)
{
    json_t *a = json_array();
    for (size_t i = 0; i < n; i++)
        (void)json_array_append_new(a, json_string(list[i]));
    return a;
}

/* --- limits --------------------------------------------------------------------------------------------- */

/* gVisor's own threads are the container's to the host: about nine for each process of the guest's, and dozens to start
 * at all. */
uint64_t spec_pids_max(const struct request *q)
{
    const uint64_t asked = q->shape.pids;
    return check_is_other_kernel(&q->container)
               ? MAX_OF(OTHER_KERNEL_TASKS + OTHER_KERNEL_TASKS_EACH * asked, (uint64_t)OTHER_KERNEL_TASKS_LEAST)
               : asked + SPEC_EXTRA_TASKS;
}

static bool leaves_out(const struct spec_input *in, enum feature f)
{
    return in->leaves_out >> f & 1;
}

static void set_limits(json_t *h, const struct spec_input *in)
{
    const struct shape *s = &in->request->shape;
    if (s->memory_bytes && !leaves_out(in, FEATURE_MEMORY)) {
        set(h, "Memory", json_integer((json_int_t)s->memory_bytes));
        set(h, "MemorySwap", json_integer((json_int_t)s->memory_bytes)); /* of both together: no swap */
    }
    if (s->cpu_milli && !leaves_out(in, FEATURE_CPU)) { /* NanoCpus would refuse more than the machine has */
        set(h, "CpuPeriod", json_integer(CPU_PERIOD_US));
        set(h, "CpuQuota", json_integer((json_int_t)s->cpu_milli * CPU_PERIOD_US / 1000));
    }
    set(h, "PidsLimit",
        json_integer(leaves_out(in, FEATURE_PIDS)
                         ? 0
                         : (json_int_t)spec_pids_max(in->request))); /* 0: none; absent, Podman has a default */
    set(h, "OomKillDisable", json_false());
}

static json_t *ulimit(const char *name, uint64_t soft, uint64_t hard, uint64_t max)
{
    soft = MIN_OF(soft, max);
    hard = MIN_OF(hard, max);
    return json_pack("{s:s, s:I, s:I}", "Name", name, "Soft", soft > INT64_MAX ? (json_int_t)-1 : (json_int_t)soft,
                     "Hard", hard > INT64_MAX ? (json_int_t)-1 : (json_int_t)hard);
}

static json_t *ulimits(const struct spec_input *in)
{
    const struct shape *s = &in->request->shape;
    const uint32_t least = ENTRY_LEAST_NOFILE; /* sandbox-entry's, which gives the payload what was asked for */
    json_t *a = json_array();
    (void)json_array_append_new(
        a, ulimit("nofile", MAX_OF(s->nofile_soft, least), MAX_OF(s->nofile_hard, least), in->nofile_max));
    (void)json_array_append_new(a, ulimit("core", 0, 0, 0));
    if (s->fsize_bytes)
        (void)json_array_append_new(a, ulimit("fsize", s->fsize_bytes, s->fsize_bytes, in->fsize_max));
    if (check_is_other_kernel(
            &in->request->container)) /* which counts its own processes; the control group counts its threads here */
        (void)json_array_append_new(
            a, ulimit("nproc", s->pids + SPEC_EXTRA_TASKS, s->pids + SPEC_EXTRA_TASKS, in->nproc_max));
    else if (in->is_podman) /* which else raises it to a default that it may not be allowed to set. The group's pids
                               limit is the one that holds */
        (void)json_array_append_new(a, ulimit("nproc", in->nproc_max, in->nproc_max, UINT64_MAX));
    return a;
}

/* --- file systems --------------------------------------------------------------------------------------- */

/* Podman knows no owner and no number of inodes, so the payload may write there only by the mode; and it would copy
 * what the image has there. */
static void add_tmpfs(json_t *o, const struct spec_input *in, const struct plan_mount *m)
{
    const struct shape *s = &in->request->shape;
    char text[200], inodes[40] = "";
    const char *exec = m->flags & MOUNT_NOEXEC ? "noexec" : "exec";
    if (m->inodes)
        (void)snprintf(inodes, sizeof inodes, ",nr_inodes=%u", m->inodes);
    if (in->is_podman)
        (void)snprintf(text, sizeof text, "rw,nosuid,nodev,%s,size=%llu,mode=1777,notmpcopyup", exec,
                       (unsigned long long)m->size_bytes);
    else
        (void)snprintf(text, sizeof text, "rw,nosuid,nodev,%s,size=%llu,mode=%o,uid=%u,gid=%u%s", exec,
                       (unsigned long long)m->size_bytes, m->mode ? m->mode & 07777u : 01777u, s->uid, s->gid, inodes);
    set(o, m->target, json_string(text));
}

/* Podman puts tmpfs without a bound on these where the root is read-only (4.3): ours are root's and all but empty. */
static void add_podman_places(json_t *o)
{
    static const char *const places[] = { "/run", "/tmp", "/var/tmp" };
    for (size_t i = 0; i < ARRAY_LEN(places); i++)
        if (!json_object_get(o, places[i]))
            set(o, places[i], json_string("rw,nosuid,nodev,noexec,size=4096,mode=0755,notmpcopyup"));
}

/* Docker's own has a size, and as many inodes as one likes to make. */
static void add_shm(json_t *o, const struct spec_input *in)
{
    const uint64_t bytes = MAX_OF(in->request->container.shm_bytes, (uint64_t)SPEC_SHM_LEAST);
    const struct plan_mount m = { .target = "/dev/shm",
                                  .size_bytes = bytes,
                                  .mode = 01777,
                                  .flags = MOUNT_NOEXEC,
                                  .inodes = (uint32_t)MIN_OF(MAX_OF(bytes / 8192, (uint64_t)256), (uint64_t)65536) };
    add_tmpfs(o, in, &m);
}

static json_t *tmpfs(const struct spec_input *in)
{
    const struct shape *s = &in->request->shape;
    json_t *o = json_object();
    for (uint32_t i = 0; i < s->mount_count; i++)
        if (s->mounts[i].kind == MOUNT_TMPFS)
            add_tmpfs(o, in, &s->mounts[i]);
    if (in->is_podman && s->readonly_root)
        add_podman_places(o);
    /* gVisor has a /dev/shm whatever it is told, without a bound if none is mounted */
    if (check_is_other_kernel(&in->request->container) || (!in->is_podman && in->request->container.shm_bytes))
        add_shm(o, in);
    return o;
}

static json_t *mounts(const struct spec_input *in)
{
    const struct shape *s = &in->request->shape;
    json_t *a = json_array();
    (void)json_array_append_new(a, json_pack("{s:s, s:s, s:s, s:b, s:{s:b, s:O*}}", "Type", "volume", "Source",
                                             in->volume, "Target", CODE_DIR, "ReadOnly", 1, "VolumeOptions", "NoCopy",
                                             1, "Labels", in->labels));
    for (uint32_t i = 0; i < s->mount_count; i++)
        if (s->mounts[i].kind == MOUNT_VOLUME)
            (void)json_array_append_new(a, json_pack("{s:s, s:s, s:s, s:b, s:{s:s}}", "Type", "bind", "Source",
                                                     s->mounts[i].source, "Target", s->mounts[i].target, "ReadOnly",
                                                     s->mounts[i].flags & MOUNT_RO ? 1 : 0, "BindOptions",
                                                     "Propagation", "rprivate"));
    return a;
}

/* The engines' own defaults, which a list of ours replaces; and all of /sys, which the native sandbox has not: it tells
 * which machine this is. */
static const char *const masked[] = { "/proc/asound",
                                      "/proc/acpi",
                                      "/proc/kcore",
                                      "/proc/keys",
                                      "/proc/latency_stats",
                                      "/proc/timer_list",
                                      "/proc/timer_stats",
                                      "/proc/sched_debug",
                                      "/proc/scsi",
                                      "/proc/interrupts",
                                      "/sys" };
static const char *const readonly[] = { "/proc/bus", "/proc/fs", "/proc/irq", "/proc/sys", "/proc/sysrq-trigger" };

static json_t *masks(const struct request *q)
{
    json_t *a = strings(masked, ARRAY_LEN(masked));
    for (uint32_t i = 0; i < q->shape.mount_count; i++)
        if (q->shape.mounts[i].kind == MOUNT_MASK)
            (void)json_array_append_new(a, json_string(q->shape.mounts[i].target));
    STRLIST_FOREACH(path, &q->container.masks)
    (void)json_array_append_new(a, json_string(path));
    return a;
}

/* Podman reads no MaskedPaths, but what its command line calls --security-opt mask. */
static json_t *mask_option(const struct request *q)
{
    json_t *all = masks(q), *one;
    size_t i, n = 0;
    char text[16384] = "mask=";
    json_array_foreach(all, i, one)
    {
        n = strlen(text);
        (void)snprintf(text + n, sizeof text - n, "%s%s", i ? ":" : "", json_string_value(one));
    }
    json_decref(all);
    return json_string(text);
}

static void set_places(json_t *h, const struct spec_input *in)
{
    const struct request *q = in->request;
    set(h, "MaskedPaths", masks(q));
    set(h, "ReadonlyPaths", strings(readonly, ARRAY_LEN(readonly)));
    set(h, "ReadonlyRootfs", json_boolean(q->shape.readonly_root));
    set(h, "Tmpfs", tmpfs(in));
    set(h, "Mounts", mounts(in));
    set(h, "IpcMode",
        json_string(in->is_podman ? "private" : "none")); /* none: a namespace of its own, and no /dev/shm but ours */
    if (in->is_podman)
        set(h, "ShmSize", json_integer((json_int_t)MAX_OF(q->container.shm_bytes, (uint64_t)SPEC_SHM_LEAST)));
}

/* --- rights --------------------------------------------------------------------------------------------- */

static json_t *added_caps(uint64_t keep)
{
    static const char *const names[] = {
        /* capabilities(7), in the order of the numbers that request.c lets through */
        [0] = "CHOWN",  [1] = "DAC_OVERRIDE",      [3] = "FOWNER",   [4] = "FSETID", [5] = "KILL", [6] = "SETGID",
        [7] = "SETUID", [10] = "NET_BIND_SERVICE", [14] = "IPC_LOCK"
    };
    json_t *a = json_array();
    for (size_t i = 0; i < ARRAY_LEN(names); i++)
        if (names[i] && keep >> i & 1)
            (void)json_array_append_new(a, json_string(names[i]));
    return a;
}

static json_t *security(const struct spec_input *in)
{
    const struct shape *s = &in->request->shape;
    json_t *a = json_array();
    if (s->no_new_privs)
        (void)json_array_append_new(a, json_string("no-new-privileges"));
    if (in->seccomp)
        (void)json_array_append_new(a, json_sprintf("seccomp=%s", in->seccomp));
    if (in->is_podman)
        (void)json_array_append_new(a, mask_option(in->request));
    if (s->apparmor && in->has_apparmor)
        (void)json_array_append_new(a, json_sprintf("apparmor=%s", s->apparmor));
    return a;
}

static json_t *host_config(const struct spec_input *in)
{
    const struct request *q = in->request;
    json_t *h = json_object();
    set_limits(h, in);
    set(h, "Ulimits", ulimits(in));
    set_places(h, in);
    set(h, "CapDrop", json_pack("[s]", "ALL"));
    set(h, "CapAdd", added_caps(q->shape.keep_caps));
    set(h, "SecurityOpt", security(in));
    set(h, "Devices", json_array());
    set(h, "DeviceRequests", json_array());
    set(h, "DeviceCgroupRules", json_array());
    set(h, "Privileged", json_false());
    set(h, "NetworkMode", json_string(q->container.network ? q->container.network : "none"));
    set(h, "PublishAllPorts", json_false());
    set(h, "CgroupnsMode", json_string("private"));
    set(h, "PidMode", json_string(""));
    set(h, "UTSMode", json_string(""));
    set(h, "LogConfig", json_pack("{s:s}", "Type", "none"));
    set(h, "RestartPolicy", json_pack("{s:s}", "Name", "no"));
    set(h, "AutoRemove", json_false());
    set(h, "Init", json_false());
    if (q->container.runtime)
        set(h, "Runtime", json_string(q->container.runtime));
    return h;
}

json_t *spec_body(const struct spec_input *in)
{
    const struct shape *s = &in->request->shape;
    static const char *const yes[] = { "OpenStdin", "StdinOnce", "AttachStdin", "AttachStdout", "AttachStderr" };
    json_t *b = json_object();
    set(b, "Image", json_string(in->image));
    set(b, "User", json_sprintf("%u:%u", s->uid, s->gid));
    set(b, "WorkingDir", json_string("/")); /* entry goes to the job's: an engine would make one that is missing */
    set(b, "Entrypoint", json_pack("[s]", CODE_DIR "/" ENTRY_NAME));
    set(b, "Cmd", json_array());
    set(b, "Tty", json_false());
    for (size_t i = 0; i < ARRAY_LEN(yes); i++)
        set(b, yes[i], json_true());
    set(b, "Labels", json_incref(in->labels));
    set(b, "Hostname", json_string(s->hostname));
    set(b, "NetworkDisabled", json_boolean(!in->request->container.network));
    set(b, "Healthcheck", json_pack("{s:[s]}", "Test", "NONE"));
    set(b, "StopSignal", json_string("SIGKILL"));
    set(b, "HostConfig", host_config(in));
    return b;
}
