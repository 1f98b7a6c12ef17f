/* The pure parts of sandbox-engine: references, archives, what is asked and what is found, reasons, whose a container
 * is, control groups' files. */
#include "base/watch_bits.h"
#include "engine/archive.h"
#include "engine/check.h"
#include "engine/image.h"
#include "engine/pathfile.h"
#include "engine/owner.h"
#include "engine/readback.h"
#include "engine/reason.h"
#include "engine/spec.h"
#include "engine/sweep.h"
#include "engine/turn.h"
#include "engine/usage.h"
#include "fake_engine.h"
#include "test.h"

#include <signal.h>
#include <sys/stat.h>
#include <sys/wait.h>

#define HEX64 "0123456789abcdef0123456789abcdef0123456789abcdef0123456789abcdef"

TEST(engine_image_references_are_taken_apart)
{
    struct arena a = { 0 };
    struct image_ref r;
    CHECK_EQ(image_parse(&a, "python", &r), 0);
    CHECK_STR(r.registry, "docker.io");
    CHECK_STR(r.name, "python:latest");
    CHECK_EQ(image_parse(&a, "reg.example:5000/team/py:3.11", &r), 0);
    CHECK_STR(r.registry, "reg.example:5000");
    CHECK_STR(r.repository, "team/py");
    CHECK_STR(r.tag, "3.11");
    CHECK_STR(r.name, "reg.example:5000/team/py:3.11");
    CHECK_EQ(image_parse(&a, "team/py@sha256:" HEX64, &r), 0);
    CHECK_STR(r.registry, "docker.io");
    CHECK_STR(r.digest, "sha256:" HEX64);
    CHECK_EQ(image_parse(&a, "sha256:" HEX64, &r), 0);
    CHECK(!r.repository);
    CHECK_EQ(image_parse(&a, "a__b/c.d-e:1", &r), 0);
    static const char *const bad[] = { "",    "a b", "../x", "X/y",  "a:", "a@sha256:12", "a?x=1", "a/",
                                       "-:é", "-x",  "a/-b", "a-/b", "a_", ".x/y",        "a//b",  "a..b" };
    for (size_t i = 0; i < ARRAY_LEN(bad); i++)
        CHECK_EQ(image_parse(&a, bad[i], &r), -EINVAL);
    arena_done(&a);
}

TEST(engine_images_are_pulled_from_allowed_registries_only)
{
    struct arena a = { 0 };
    struct image_ref r;
    struct container c = { .auto_pull = true, .pull_policy = PULL_MISSING };
    CHECK_EQ(image_parse(&a, "reg.example/x", &r), 0);
    CHECK(strstr(image_pull_refusal(&a, &c, &r), "allowed_registries"));
    CHECK_EQ(strlist_add(&c.registries, "reg.example"), 0);
    CHECK(!image_pull_refusal(&a, &c, &r));
    c.pull_policy = PULL_NEVER;
    CHECK(strstr(image_pull_refusal(&a, &c, &r), "never"));
    c.auto_pull = false;
    CHECK(strstr(image_pull_refusal(&a, &c, &r), "auto_pull"));
    strlist_done(&c.registries);
    arena_done(&a);
}

TEST(engine_archives_are_tar_that_tar_reads)
{
    char path[] = "/tmp/engine-tar-XXXXXX", command[200], out[600] = "", long_name[160];
    struct buf b;
    memset(long_name, 'n', 150);
    long_name[150] = '\0';
    buf_init(&b, MIB);
    CHECK_EQ(archive_dir(&b, ".", 0555), 0);
    CHECK_EQ(archive_file(&b, ".entry", 0555, "x", 1), 0);
    CHECK_EQ(archive_file(&b, long_name, 0444, NULL, 0), 0);
    CHECK_EQ(archive_end(&b), 0);
    CHECK_EQ(b.size % 512, 0);
    int fd = mkstemp(path);
    CHECK(fd >= 0 && write(fd, b.data, b.size) == (ssize_t)b.size);
    (void)close(fd);
    (void)snprintf(command, sizeof command, "tar --numeric-owner -tvf %s", path);
    FILE *f = popen(command, "r");
    CHECK(f);
    size_t n = fread(out, 1, sizeof out - 1, f);
    out[n] = '\0';
    int status = pclose(f);
    (void)unlink(path);
    buf_done(&b);
    CHECK_EQ(status, 0);
    CHECK(strstr(out, "dr-xr-xr-x 0/0"));
    CHECK(strstr(out, "-r-xr-xr-x 0/0") && strstr(out, " .entry\n"));
    CHECK(strstr(out, long_name));
}

/* --- what is asked, what is found ----------------------------------------------------------------- */

static struct request request_like(void)
{
    struct request q = { 0 };
    q.container.image = "x";
    q.container.socket = "/run/x.sock";
    q.shape = (struct shape){ .uid = 65534,
                              .gid = 65534,
                              .memory_bytes = 64 * MIB,
                              .cpu_milli = 500,
                              .pids = 10,
                              .nofile_soft = 32,
                              .nofile_hard = 32,
                              .fsize_bytes = MIB,
                              .readonly_root = true,
                              .no_new_privs = true,
                              .hostname = "sandbox",
                              .mount_count = 2 };
    q.shape.mounts[0] = (struct plan_mount){
        .kind = MOUNT_TMPFS, .target = "/tmp", .size_bytes = MIB, .flags = MOUNT_NOEXEC, .mode = 0700
    };
    q.shape.mounts[1] = (struct plan_mount){
        .kind = MOUNT_VOLUME, .source = "/srv", .target = "/data", .flags = MOUNT_RO, .dev = 1, .ino = 2
    };
    return q;
}

static json_t *body_like(const struct request *q)
{
    json_t *labels = json_pack("{s:s}", "a", "b");
    struct spec_input in = { .request = q,
                             .image = HEX64,
                             .volume = "v",
                             .seccomp = "{}",
                             .labels = labels,
                             .nofile_max = UINT64_MAX,
                             .fsize_max = UINT64_MAX,
                             .nproc_max = UINT64_MAX };
    json_t *body = spec_body(&in);
    json_decref(labels);
    return body;
}

/* As an engine would tell it that did all it was asked. */
static json_t *found_like(const json_t *body)
{
    json_t *found = json_pack("{s:s, s:s, s:[], s:O, s:O, s:[{s:s, s:b}, {s:s, s:b}]}", "Image", "sha256:" HEX64,
                              "Path", "/code/.entry", "Args", "Config", (json_t *)(uintptr_t)body, "HostConfig",
                              json_object_get(body, "HostConfig"), "Mounts", "Destination", "/code", "RW", 0,
                              "Destination", "/data", "RW", 0);
    json_t *copy = json_deep_copy(found);
    json_decref(found);
    return copy;
}

TEST(engine_spec_says_limits_rights_and_places)
{
    struct request q = request_like();
    json_t *body = body_like(&q), *h = json_object_get(body, "HostConfig");
    CHECK_STR(json_string_value(json_object_get(body, "User")), "65534:65534");
    CHECK_EQ(json_integer_value(json_object_get(h, "Memory")), 64 * MIB);
    CHECK_EQ(json_integer_value(json_object_get(h, "MemorySwap")), 64 * MIB);
    CHECK_EQ(json_integer_value(json_object_get(h, "CpuQuota")), 50000);
    CHECK_EQ(json_integer_value(json_object_get(h, "PidsLimit")), 11);
    CHECK(json_is_true(json_object_get(h, "ReadonlyRootfs")));
    CHECK_STR(json_string_value(json_object_get(h, "NetworkMode")), "none");
    CHECK_STR(json_string_value(json_object_get(h, "IpcMode")), "none");
    CHECK_STR(json_string_value(json_object_get(json_object_get(h, "Tmpfs"), "/tmp")),
              "rw,nosuid,nodev,noexec,size=1048576,mode=700,uid=65534,gid=65534");
    CHECK_EQ(json_array_size(json_object_get(h, "Mounts")), 2);
    json_decref(body);
}

TEST(engine_read_back_refuses_every_difference)
{
    struct request q = request_like();
    q.container.runtime = "runsc";
    json_t *body = body_like(&q), *found = found_like(body), *h = json_object_get(found, "HostConfig");
    struct error err = { 0 };
    CHECK_EQ(readback_compare(body, found, false, 0, &err), 0);
    (void)json_object_set_new(h, "PidsLimit", json_integer(0));
    CHECK(readback_compare(body, found, false, 0, &err) < 0);
    CHECK_STR(err.text, "engine: HostConfig.PidsLimit: asked 512, in force 0"); /* of gVisor, whose own threads count */
    CHECK_STR(err.step, "CREATE");
    (void)json_object_set_new(h, "PidsLimit", json_integer(512));
    (void)json_object_set_new(h, "Runtime", json_string("runc"));
    CHECK(readback_compare(body, found, false, 0, &err) < 0 && strstr(err.text, "Runtime"));
    (void)json_object_set_new(h, "Runtime", json_string("oci"));
    (void)json_object_set_new(found, "OCIRuntime", json_string("crun"));
    CHECK(readback_compare(body, found, true, 0, &err) < 0 && strstr(err.remedy, "--runtime runsc"));
    (void)json_object_set_new(found, "OCIRuntime", json_string("runsc"));
    CHECK_EQ(readback_compare(body, found, true, 0, &err), 0);
    (void)json_array_append_new(json_object_get(found, "Mounts"),
                                json_pack("{s:s, s:b}", "Destination", "/var/lib/x", "RW", 1));
    CHECK(readback_compare(body, found, true, 0, &err) < 0 && strstr(err.text, "/var/lib/x"));
    json_decref(found);
    json_decref(body);
}

TEST(engine_read_back_lets_limits_differ_where_they_may_be_missing)
{
    struct request q = request_like();
    json_t *body = body_like(&q), *found = found_like(body), *h = json_object_get(found, "HostConfig");
    struct error err = { 0 };
    CHECK_EQ(readback_limits(body, found, true), CHECK_LIMITS);
    (void)json_object_set_new(h, "Memory", json_integer(0)); /* Podman without root on cgroup v1 */
    CHECK(readback_compare(body, found, true, UINT32_C(1) << FEATURE_CPU, &err) < 0);
    CHECK(strstr(err.text, "HostConfig.Memory: asked 67108864, in force 0") &&
          strstr(err.remedy, "accept_missing: [memory, cpu, pids]"));
    CHECK_EQ(readback_compare(body, found, true, UINT32_C(1) << FEATURE_MEMORY, &err), 0);
    CHECK_EQ(readback_limits(body, found, true), CHECK_LIMITS & ~(UINT32_C(1) << FEATURE_MEMORY));
    (void)json_object_set_new(h, "Ulimits", json_array()); /* nor does it take those: entry lowers its own */
    CHECK_EQ(readback_compare(body, found, true, CHECK_LIMITS, &err), 0);
    CHECK(readback_compare(body, found, false, CHECK_LIMITS, &err) < 0 && strstr(err.text, "Ulimits"));
    json_decref(found);
    json_decref(body);
}

/* --- facts ------------------------------------------------------------------------------------------ */

static struct entry_facts facts_like(void)
{
    struct entry_facts f = { .pid = 1,
                             .uid = 65534,
                             .gid = 65534,
                             .seccomp = 2,
                             .no_new_privs = true,
                             .is_root_readonly = true,
                             .nofile_soft = 32,
                             .nofile_hard = 32,
                             .fsize = MIB,
                             .kernel = "Linux other",
                             .probe_count = 6,
                             .are_mounts_whole = true };
    for (size_t i = 0; i < ENTRY_NS_COUNT; i++)
        f.ns[i] = 100 + i;
    f.probes[1].error = ENOENT;                       /* no /dev/shm */
    f.probes[2].is_null = f.probes[3].is_null = true; /* masked */
    f.probes[4] = (struct entry_probe){ .is_noexec = true, .size_bytes = MIB };
    f.probes[5] = (struct entry_probe){ .dev = 1, .ino = 2, .is_readonly = true };
    f.mounts[f.mount_count++] = (struct entry_mount){ "/data", "ext4", "/srv", 1, 2, true };
    return f;
}

static int check_like(const struct request *q, const struct entry_facts *f, const struct group_limits *l,
                      struct check_result *ret, struct error *err)
{
    struct host_facts host = { .kernel = "Linux host" };
    for (size_t i = 0; i < ENTRY_NS_COUNT; i++)
        host.ns[i] = 200 + i;
    host.ns[ENTRY_NS_USER] = 100 + ENTRY_NS_USER; /* not another one */
    struct check_input in = { .request = q,
                              .host = &host,
                              .facts = f,
                              .group_kind = CGROUP_V1,
                              .limits = l,
                              .container = HEX64,
                              .volume = "code-volume" };
    *ret = (struct check_result){ 0 };
    *err = (struct error){ 0 };
    int r = check_run(&in, ret, err);
    strlist_done(&ret->missing);
    return r;
}

/* As of an engine's own kernel, with control groups of version 2; what is missing stays in *ret, for the caller to
 * free. */
static void check_fine(const struct request *q, const struct entry_facts *f, uint64_t swap_bytes,
                       struct check_result *ret)
{
    struct host_facts host = { .kernel = "Linux host" };
    struct group_limits l = { .memory_bytes = 64 * MIB, .swap_bytes = swap_bytes, .cpu_milli = 500, .pids = 11 };
    struct error err = { 0 };
    *ret = (struct check_result){ 0 };
    CHECK_EQ(check_run(&(struct check_input){ .request = q,
                                              .host = &host,
                                              .facts = f,
                                              .group_kind = CGROUP_V2,
                                              .limits = &l,
                                              .container = HEX64,
                                              .volume = "code-volume" },
                       ret, &err),
             0);
}

/* Is there a line about this that says why? */
static bool tells(const struct strlist *missing, const char *what, const char *why)
{
    STRLIST_FOREACH(line, missing)
    if (str_starts(line, what) && strstr(line, why))
        return true;
    return false;
}

TEST(engine_check_refuses_what_is_not_as_asked)
{
    struct request q = request_like();
    struct entry_facts f = facts_like();
    struct group_limits l = { .memory_bytes = 64 * MIB, .cpu_milli = 500, .pids = 11 };
    struct check_result got;
    struct error err;
    CHECK_EQ(check_like(&q, &f, &l, &got, &err), 0);
    CHECK(got.features >> FEATURE_CGROUP & 1 && got.features >> FEATURE_SECCOMP & 1 &&
          got.features >> FEATURE_STORAGE & 1);
    CHECK(!(got.features >> FEATURE_USER_NS & 1));
    f.probes[5].ino = 3;
    CHECK(check_like(&q, &f, &l, &got, &err) < 0 && strstr(err.text, "/srv"));
    f = facts_like();
    f.group_count = 1;
    CHECK(check_like(&q, &f, &l, &got, &err) < 0);
    f = facts_like();
    f.probes[3] = (struct entry_probe){ .dev = 9 };
    CHECK(check_like(&q, &f, &l, &got, &err) < 0 && strstr(err.text, "/proc/interrupts is not hidden"));
    f = facts_like();
    f.devices = 1;
    CHECK(check_like(&q, &f, &l, &got, &err) < 0 && strstr(err.text, "1 devices"));
    f = facts_like();
    f.open_calls = UINT32_C(1) << ENTRY_CALL_PTRACE;
    q.container.seccomp = (struct bytes){ "{}", 2 };
    q.shape.require = UINT32_C(1) << FEATURE_SECCOMP;
    CHECK(check_like(&q, &f, &l, &got, &err) < 0 &&
          strstr(err.text, "another one than was asked for: it permits ptrace"));
    q = request_like();
    f = facts_like();
    q.container.runtime = "runsc";
    f.kernel = "Linux host";
    CHECK(check_like(&q, &f, &l, &got, &err) < 0 && strstr(err.text, "kernel"));
}

/* --- mounts ----------------------------------------------------------------------------------------- */

#define OWN   "/var/lib/docker/containers/" HEX64
#define USUAL 15
static const struct entry_mount usual[USUAL] = {
    /* of Docker, Podman, cgroups of both kinds; numbers: 1, 2 the volume's, 9 the image's root */
    { "/", "overlay", "/", 9, 9, true },
    { "/proc", "proc", "/", 10, 1, false },
    { "/proc/bus", "proc", "/bus", 10, 5, true },
    { "/dev", "tmpfs", "/", 11, 1, false },
    { "/dev/pts", "devpts", "/", 12, 1, false },
    { "/dev/shm", "tmpfs", "/", 13, 1, false },
    { "/dev/mqueue", "mqueue", "/", 14, 1, false },
    { "/sys", "sysfs", "/", 15, 1, true },
    { "/sys/fs/cgroup", "cgroup2", "/", 16, 1, true },
    { "/sys/fs/cgroup/cpu", "cgroup", "/docker/x", 17, 1, true },
    { "/code", "ext4", "/var/lib/docker/volumes/code-volume/_data", 2, 7, true },
    { "/data", "ext4", "/srv", 1, 2, true },
    { "/tmp", "tmpfs", "/", 18, 1, false },
    { "/run/systemd/resolve/stub-resolv.conf", "ext4", OWN "/resolv.conf", 2, 8, false },
    { "/etc/passwd", "tmpfs", "/containers/overlay-containers/" HEX64 "/userdata/passwd", 3, 9, true },
};

/* The usual ones and this, in a container of this runtime; accepted: a place, or NULL. The host: 40 is its /run, 50 and
 * 1 its root. */
static int check_accepting(const struct entry_mount *m, const char *runtime, const char *accepted,
                           struct strlist *ret_missing, struct error *err)
{
    struct request q = request_like();
    struct entry_facts f = facts_like();
    struct group_limits l = { .memory_bytes = 64 * MIB, .cpu_milli = 500, .pids = 11 };
    struct host_facts host = { .kernel = "Linux same", .root_dev = 50, .root_ino = 1, .dev_count = 1, .devs = { 40 } };
    struct check_result got = { 0 };
    CHECK_EQ(strlist_add(&q.container.masks, "/usr/sbin/sh"), 0);
    q.container.runtime = runtime;
    f.kernel = runtime ? "Linux other" : "Linux same";
    if (runtime) { /* whose are 9p but for some */
        f.probes[5].is_readonly = false;
        memcpy(f.mounts + f.mount_count, usual, 6 * sizeof usual[0]);
        f.mount_count += 6;
    } else {
        memcpy(f.mounts, usual, sizeof usual);
        f.mount_count = USUAL;
    }
    f.mounts[f.mount_count++] = *m;
    *err = (struct error){ 0 };
    if (accepted)
        CHECK_EQ(strlist_add(&q.container.accept_mounts, accepted), 0);
    int r = check_run(&(struct check_input){ .request = &q,
                                             .host = &host,
                                             .facts = &f,
                                             .group_kind = CGROUP_V2,
                                             .limits = &l,
                                             .container = HEX64,
                                             .volume = "code-volume" },
                      &got, err);
    strlist_done(&q.container.accept_mounts);
    strlist_done(&q.container.masks);
    *ret_missing = got.missing;
    return r;
}

static int check_with(const struct entry_mount *m, const char *runtime, struct error *err)
{
    struct strlist missing;
    int r = check_accepting(m, runtime, NULL, &missing, err);
    strlist_done(&missing);
    return r;
}

TEST(engine_check_knows_the_mounts_that_were_asked_for_and_those_that_engines_make)
{
    static const struct entry_mount others[] = {
        { "/dev/zero", "devtmpfs", "/zero", 40, 6, false }, /* the host's, without root */
        { "/usr/sbin/sh", "tmpfs", "/null", 0, 0, false },  /* hidden where we may not look */
        { "/run", "tmpfs", "/", 21, 1, false },             /* Podman's */
        { "/mnt/link", "ext4", "/srv", 1, 2, true },        /* where a link of the image at /data leads to */
        { "/", "btrfs", "/@/var/lib/docker/x", 22, 1, true },
    };
    struct error err;
    for (size_t i = 0; i < ARRAY_LEN(others); i++) {
        (void)check_with(&others[i], NULL, &err);
        CHECK_STR(err.text, "");
    }
}

TEST(engine_check_refuses_a_mount_that_nobody_asked_for)
{
    static const struct {
        struct entry_mount m;
        const char *why;
    } bad[] = {
        { { "/mnt", "ext4", "/home/someone", 5, 5, true },
          "at /mnt there is a mount that was not asked for (ext4, /home/someone of its file system, read-only)" },
        { { "/run/docker.sock", "tmpfs", "/docker.sock", 40, 5, false }, "/run/docker.sock" },
        { { "/run/secrets", "tmpfs", "/containers/overlay-containers/" HEX64 "/userdata/run/secrets", 3, 5, true },
          "/run/secrets" },
        { { "/etc/hosts", "ext4", "/etc/shadow", 5, 5, true }, "/etc/shadow" },
        { { "/etc/hosts", "ext4", OWN "0/hosts", 5, 5, true }, "/etc/hosts" },
        { { "/etc/shadow", "ext4", OWN "/../x", 5, 5, true }, "/etc/shadow" },
        { { "/code", "ext4", "/var/lib/docker/volumes/other/_data", 5, 5, true }, "/code" },
        { { "/code", "ext4", "/var/lib/docker/volumes/code-volume/_data", 5, 5, false }, "/code" },
        { { "/code/x", "ext4", "/", 5, 5, true }, "/code/x" },
        { { "/data/below", "ext4", "/", 5, 5, true }, "/data/below" }, /* the host's /srv/below is none */
        { { "/mnt/link", "ext4", "/srv", 1, 2, false }, "can be written, and volume /srv was asked for read-only" },
        { { "/proc/sys", "proc", "/sys", 41, 5, true }, "/proc/sys" }, /* another's /proc */
        { { "/proc/sys", "proc", "/1/root", 10, 5, true }, "/proc/sys" },
        { { "/sys/fs/cgroup", "cgroup2", "/", 16, 1, false }, "/sys/fs/cgroup" },
        { { "/sys/fs/cgroupx", "cgroup", "/", 16, 1, true }, "/sys/fs/cgroupx" },
        { { "/usr/sbin/bash", "tmpfs", "/null", 0, 0, false }, "/usr/sbin/bash" },
        { { "/usr/sbin/sh", "ext4", "/bin/sh", 0, 0, false }, "/usr/sbin/sh" },
        { { "/dev", "devtmpfs", "/", 11, 1, false }, "/dev" },
        { { "/dev/sda", "devtmpfs", "/sda", 20, 6, false }, "/dev/sda" },
        { { "/dev/shm", "tmpfs", "/lock", 13, 4, false }, "/lock" },
        { { "/tmp", "tmpfs", "/", 40, 1, false }, "what is mounted at /tmp (tmpfs) is the host's own" },
        { { "/dev/pts", "devpts", "/", 40, 1, false }, "the host's own" },
        { { "/", "ext4", "/", 50, 1, true }, "the host's own" },
    };
    struct error err;
    for (size_t i = 0; i < ARRAY_LEN(bad); i++) {
        CHECK_EQ(check_with(&bad[i].m, NULL, &err), -ENOTSUP);
        if (!strstr(err.text, bad[i].why))
            CHECK_STR(err.text, bad[i].why);
        CHECK(err.remedy[0]);
        CHECK_STR(err.step, "FACTS");
    }
}

TEST(engine_check_lets_in_and_tells_of_mounts_that_the_configuration_accepts)
{
    static const struct {
        const char *point, *accepted, *runtime;
        bool is_fine;
    } cases[] = { { "/run/secrets", "/run/secrets", NULL, true },
                  { "/run/secrets/rhsm", "/run/secrets", NULL, true },
                  { "/run/secrets", "/run/secrets", "runsc", true },
                  { "/run/secretsx", "/run/secrets", NULL, false },
                  { "/run", "/run/secrets", "runsc", false } };
    for (size_t i = 0; i < ARRAY_LEN(cases); i++) {
        const struct entry_mount m = { cases[i].point, "ext4", "/usr/share/rhel/secrets", 5, 5, true };
        struct strlist missing;
        struct error err;
        CHECK_EQ(check_accepting(&m, cases[i].runtime, cases[i].accepted, &missing, &err),
                 cases[i].is_fine ? 0 : -ENOTSUP);
        char what[64];
        (void)snprintf(what, sizeof what, "mount_ns: what is mounted at %s ", cases[i].point);
        CHECK_EQ(tells(&missing, what, "accept_mounts"), cases[i].is_fine);
        strlist_done(&missing);
    }
}

/* The volume is our own root, so that what lies below it is known: /proc, at least. */
TEST(engine_check_lets_in_what_lies_below_a_volume_as_it_is_on_the_host)
{
    struct request q = request_like();
    struct entry_facts f = facts_like();
    struct group_limits l = { .memory_bytes = 64 * MIB, .cpu_milli = 500, .pids = 11 };
    struct check_result got;
    struct error err;
    struct stat st;
    CHECK(lstat("/proc", &st) == 0);
    q.shape.mounts[1].source = "/";
    f.mounts[f.mount_count++] = (struct entry_mount){ "/data/proc", "proc", "/", st.st_dev, st.st_ino, true };
    CHECK_EQ(check_like(&q, &f, &l, &got, &err), 0);
    f.mounts[1].is_readonly = false; /* Docker before 25, Podman: read-only is the volume's own mount alone */
    CHECK(check_like(&q, &f, &l, &got, &err) < 0 && strstr(err.text, "/data/proc can be written"));
    q.shape.mounts[1].flags = 0;
    CHECK_EQ(check_like(&q, &f, &l, &got, &err), 0);
    f.mounts[1].ino++;
    CHECK(check_like(&q, &f, &l, &got, &err) < 0 &&
          strstr(err.text, "at /data/proc there is a mount that was not asked for"));
}

TEST(engine_check_of_another_kernel_knows_places_only)
{
    static const struct entry_mount good[] = { { "/etc/hosts", "9p", "/", 40, 1, true },
                                               { "/dev/shm", "9p", "/", 41, 1, false },
                                               { "/code", "9p", "/", 42, 1, true } };
    static const struct entry_mount bad[] = { { "/mnt", "9p", "/", 40, 1, true },
                                              { "/tmp", "9p", "/", 41, 1, false },
                                              { "/data", "9p", "/", 1, 2, false } };
    struct error err;
    for (size_t i = 0; i < ARRAY_LEN(good); i++) {
        CHECK_EQ(check_with(&good[i], "runsc", &err), 0);
        CHECK(check_with(&bad[i], "runsc", &err) < 0 && strstr(err.text, bad[i].point));
    }
}

TEST(engine_check_refuses_mounts_that_are_not_there_or_not_told_to_the_end)
{
    struct request q = request_like();
    struct entry_facts f = facts_like();
    struct group_limits l = { .memory_bytes = 64 * MIB, .cpu_milli = 500, .pids = 11 };
    struct check_result got;
    struct error err;
    f.mount_count = 0;
    CHECK(check_like(&q, &f, &l, &got, &err) < 0 && strstr(err.text, "/srv is not mounted at /data"));
    f.are_mounts_whole = false;
    CHECK(check_like(&q, &f, &l, &got, &err) < 0 && strstr(err.text, "not all known"));
}

TEST(engine_check_keeps_to_require_and_accept_missing)
{
    struct request q = request_like();
    struct entry_facts f = facts_like();
    struct group_limits l = { .memory_bytes = 64 * MIB, .cpu_milli = 500, .pids = 12 };
    struct check_result got;
    struct error err;
    CHECK(check_like(&q, &f, &l, &got, &err) < 0); /* a limit, whether required or not */
    CHECK_STR(err.step, "REQUIRE");
    CHECK(strstr(err.text, "limits pids: 12 in the control group, asked 11") &&
          str_starts(err.remedy, "docker.container.accept_missing: [pids] runs without"));
    q.container.accept_missing = UINT32_C(1) << FEATURE_PIDS;
    CHECK_EQ(check_like(&q, &f, &l, &got, &err), 0);
    CHECK(!(got.features >> FEATURE_PIDS & 1));
    f.no_new_privs = false;
    CHECK_EQ(check_like(&q, &f, &l, &got, &err), 0);
    q.shape.require = UINT32_C(1) << FEATURE_NO_NEW_PRIVS;
    CHECK(check_like(&q, &f, &l, &got, &err) < 0 &&
          str_starts(
              err.remedy,
              "docker.container.accept_missing: [no_new_privs, pids] runs without")); /* all that is lacking, and what
                                                                                         was accepted before */
}

TEST(engine_check_tells_of_a_control_group_namespace_that_is_the_hosts)
{
    struct request q = request_like();
    struct entry_facts f = facts_like();
    struct check_result got;
    check_fine(&q, &f, 0, &got); /* whose host has no namespaces that the container's could differ from */
    bool is_told = false;
    STRLIST_FOREACH(line, &got.missing)
    is_told = is_told || (str_starts(line, "cgroup_ns: ") && strstr(line, "Podman"));
    CHECK(is_told);
    strlist_done(&got.missing);
}

/* Without root an engine may have no control group for a container: what it says of limits is then believed only where
 * it cannot be looked after. */
static int check_unseen(bool is_shared, uint32_t told, uint32_t accepted, struct check_result *ret, struct error *err)
{
    struct request q = request_like();
    struct entry_facts f = facts_like();
    struct host_facts host = { .kernel = "Linux host" };
    q.container.accept_missing = accepted;
    *ret = (struct check_result){ 0 };
    *err = (struct error){ 0 };
    int r = check_run(&(struct check_input){ .request = &q,
                                             .host = &host,
                                             .facts = &f,
                                             .group_kind = CGROUP_NONE,
                                             .told = told,
                                             .is_shared = is_shared },
                      ret, err);
    strlist_done(&ret->missing);
    return r;
}

TEST(engine_check_believes_no_limit_of_a_container_without_a_group)
{
    struct check_result got;
    struct error err;
    CHECK_EQ(check_unseen(false, CHECK_LIMITS, 0, &got, &err), 0);
    CHECK_EQ(got.features & CHECK_LIMITS, CHECK_LIMITS);
    CHECK(!(got.features >> FEATURE_CGROUP & 1));
    CHECK(check_unseen(true, CHECK_LIMITS, 0, &got, &err) < 0);
    CHECK(strstr(err.text, "limits memory: nothing limits it") &&
          strstr(err.remedy, "accept_missing: [memory, cpu, pids]"));
    CHECK(check_unseen(false, CHECK_LIMITS & ~(UINT32_C(1) << FEATURE_CPU), 0, &got, &err) < 0 &&
          strstr(err.text, "cpu: the engine says that it cannot"));
    CHECK_EQ(check_unseen(true, CHECK_LIMITS, CHECK_LIMITS, &got, &err), 0);
    CHECK_EQ(got.features & CHECK_LIMITS, 0);
}

TEST(engine_check_takes_the_null_device_of_any_file_system_for_a_mask)
{
    for (int is_null = 0; is_null < 2;
         is_null++) { /* crun hides a file with the host's, which is another inode than the container's */
        struct request q = request_like();
        struct entry_facts f = facts_like();
        struct check_result got;
        q.shape.mounts[0] = (struct plan_mount){ .kind = MOUNT_MASK, .target = "/proc/kallsyms" };
        f.probes[4] = (struct entry_probe){ .dev = 5, .ino = 6, .is_null = is_null };
        check_fine(&q, &f, 0, &got);
        CHECK_EQ(tells(&got.missing, "mount_ns: ", "does not hide /proc/kallsyms"), !is_null);
        strlist_done(&got.missing);
    }
}

TEST(engine_check_tells_that_cgroup_v1_does_not_count_sockets)
{
    const struct host_facts host = { .kernel = "Linux host" };
    const struct group_limits l = { .memory_bytes = 64 * MIB, .cpu_milli = 500, .pids = 11 };
    for (int v2 = 0; v2 < 2; v2++)
        for (int no_tcp = 0; no_tcp < 2; no_tcp++) {
            struct request q = request_like();
            struct entry_facts f = facts_like();
            struct check_result got = { 0 };
            struct error err = { 0 };
            q.shape.deny_tcp = no_tcp;
            q.container.accept_missing = UINT32_MAX;
            CHECK_EQ(check_run(&(struct check_input){ .request = &q,
                                                      .host = &host,
                                                      .facts = &f,
                                                      .group_kind = v2 ? CGROUP_V2 : CGROUP_V1,
                                                      .limits = &l,
                                                      .container = HEX64,
                                                      .volume = "code-volume" },
                               &got, &err),
                     0);
            CHECK_EQ(tells(&got.missing, "sockets: ", "cgroup v1"), !v2 && !no_tcp);
            strlist_done(&got.missing);
        }
}

/* As runc does with /proc/bus: bound to itself, then hidden, so that the lower mount is told with the device of the
 * upper one. */
TEST(engine_check_lets_in_a_part_of_proc_below_a_mask_that_was_asked_for)
{
    for (int is_empty = 0; is_empty < 2; is_empty++) {
        struct request q = request_like();
        struct entry_facts f = facts_like();
        const struct group_limits l = { .memory_bytes = 64 * MIB, .cpu_milli = 500, .pids = 11 };
        struct check_result got;
        struct error err;
        q.shape.mounts[0] = (struct plan_mount){ .kind = MOUNT_MASK, .target = "/proc/bus" };
        f.probes[4] = (struct entry_probe){ .ino = 9, .is_readonly = true, .size_bytes = MIB, .is_empty = is_empty };
        f.mounts[f.mount_count++] = (struct entry_mount){ "/proc", "proc", "/", 8, 1, false };
        f.mounts[f.mount_count++] = (struct entry_mount){ "/proc/bus", "proc", "/bus", 9, 1, true };
        CHECK_EQ(check_like(&q, &f, &l, &got, &err), is_empty ? 0 : -ENOTSUP);
        f.mounts[f.mount_count - 1].root = "/other";
        CHECK(check_like(&q, &f, &l, &got, &err) < 0 && strstr(err.text, "/proc/bus"));
    }
}

TEST(engine_lends_a_users_engine_a_file_that_it_can_read_and_takes_it_back)
{
    struct pathfile l;
    struct stat st;
    struct bytes profile = { "{}", 2 };
    char first[64], dir[64];
    pathfile_init(&l);
    mode_t mask = umask(077);
    CHECK_EQ(pathfile_make(&l, "/nonexistent/socket", profile, NULL), 0); /* not root's */
    (void)umask(mask);
    CHECK(l.is_file && stat(l.path, &st) == 0 && (st.st_mode & 07777) == 0444);
    (void)snprintf(first, sizeof first, "%s", l.path);
    (void)snprintf(dir, sizeof dir, "%.*s", (int)(strrchr(first, '/') - first), first);
    CHECK(stat(dir, &st) == 0 && (st.st_mode & 07777) == 0711);
    CHECK_EQ(pathfile_make(&l, "/nonexistent/socket", profile, NULL), 0); /* a second start */
    CHECK(!str_eq(l.path, first) && access(dir, F_OK) < 0 && access(l.path, F_OK) == 0);
    (void)snprintf(first, sizeof first, "%s", l.path);
    pathfile_done(&l);
    pathfile_done(&l);
    CHECK(access(first, F_OK) < 0);
}

TEST(engine_group_reads_whose_process_it_is)
{
    CHECK_EQ(group_uid("Name:\tx\nUmask:\t0022\nUid:\t165533\t165533\t165533\t165533\nGid:\t0\n"), 165533);
    CHECK_EQ(group_uid("Name:\tUid:\t7\n"), UINT32_MAX);
    CHECK_EQ(group_uid(""), UINT32_MAX);
}

static void check_apparmor(const char *now, bool is_in_force, const char *why)
{
    struct request q = request_like();
    struct entry_facts f = facts_like();
    struct check_result got;
    q.shape.apparmor = "sandbox-agent-confined";
    f.apparmor = now;
    check_fine(&q, &f, 0, &got);
    CHECK_EQ(got.features >> FEATURE_APPARMOR & 1, is_in_force);
    CHECK_EQ(tells(&got.missing, "apparmor: ", why ? why : ""), why != NULL);
    strlist_done(&got.missing);
}

TEST(engine_check_tells_of_swap_that_nobody_counts)
{
    for (int is_counted = 0; is_counted < 2; is_counted++) {
        struct request q = request_like();
        struct entry_facts f = facts_like();
        struct check_result got;
        check_fine(&q, &f, is_counted ? 0 : UINT64_MAX, &got);
        CHECK_EQ(tells(&got.missing, "swap: ", ""), !is_counted);
        strlist_done(&got.missing);
    }
}

TEST(engine_check_tells_which_apparmor_profile_holds)
{
    check_apparmor("sandbox-agent-confined (enforce)", true, NULL);
    check_apparmor("sandbox-agent-confined (complain)", false, "under sandbox-agent-confined (complain)");
    check_apparmor("docker-default (enforce)", false, "under docker-default (enforce)");
    check_apparmor("sandbox-agent-confined2 (enforce)", false, "not loaded");
    check_apparmor("unconfined", false, "not enabled");
    check_apparmor(NULL, false, "not enabled");
}

TEST(engine_check_goes_without_apparmor_only_where_nothing_requires_it)
{
    struct request q = request_like();
    CHECK(!check_may_lack_apparmor(&q)); /* none is asked for: an error is about another thing */
    q.shape.apparmor = "sandbox-agent-confined";
    CHECK(check_may_lack_apparmor(&q));
    q.shape.require = UINT32_C(1) << FEATURE_APPARMOR;
    CHECK(!check_may_lack_apparmor(&q));
    q.container.accept_missing = q.shape.require;
    CHECK(check_may_lack_apparmor(&q));
}

/* --- ends -------------------------------------------------------------------------------------------- */

TEST(engine_starts_take_turns_that_end_with_their_process)
{
    struct turn turns[TURNS_MAX], other = { -1 };
    char place[] = "/tmp/sandbox-turn-XXXXXX";
    CHECK(mkdtemp(place));
    char path[108], second[108];
    (void)snprintf(path, sizeof path, "%s/engine", place);
    (void)snprintf(second, sizeof second, "%s/second", place);
    int a = fake_listen(path, SOCK_STREAM), b = fake_listen(second, SOCK_STREAM), pair[2];
    for (unsigned i = 0; i < TURNS_MAX; i++) {
        turns[i] = (struct turn){ -1 };
        CHECK(turn_take(&turns[i], path) && turns[i].fd >= 0);
    }
    CHECK(!turn_take(&other, path) && other.fd < 0);
    CHECK(turn_take(&other, second) && other.fd >= 0); /* another engine has its own */
    turn_end(&other);
    turn_end(&turns[1]);
    CHECK(pipe(pair) == 0);
    const pid_t pid = fork();
    if (pid == 0) {
        (void)turn_take(&other, path);
        (void)!write(pair[1], "", 1);
        (void)pause();
    }
    char byte;
    CHECK(read(pair[0], &byte, 1) == 1 && !turn_take(&other, path));
    CHECK(kill(pid, SIGKILL) == 0 && waitpid(pid, NULL, 0) == pid);
    CHECK(turn_take(&other, path) && other.fd >= 0);
    turn_end(&other);
    for (unsigned i = 0; i < TURNS_MAX; i++)
        turn_end(&turns[i]);
    CHECK(turn_take(&other, "/absent") && other.fd < 0); /* the next step tells of it */
    (void)close(a);
    (void)close(b);
    CHECK(unlink(path) == 0 && unlink(second) == 0 && rmdir(place) == 0);
}

TEST(engine_reasons_have_the_native_order)
{
    struct reason_facts f = { .forced = REASON_COMPLETED,
                              .has_started = true,
                              .has_ended = true,
                              .end = { .has_exit = true },
                              .oom_kills = 1,
                              .pids_hits = 1 };
    CHECK_EQ(reason_decide(&f), REASON_COMPLETED);
    f.end.exit_code = 1;
    CHECK_EQ(reason_decide(&f), REASON_OOM);
    f.oom_kills = 0;
    CHECK_EQ(reason_decide(&f), REASON_PIDS_LIMIT);
    f.pids_hits = 0;
    CHECK_EQ(reason_decide(&f), REASON_ERROR);
    f.end = (struct entry_end){ .has_signal = true, .signal = 9 };
    CHECK_EQ(reason_decide(&f), REASON_SIGNAL);
    f.has_ended = false;
    CHECK_EQ(reason_decide(&f), REASON_SANDBOX_ERROR);
    f.forced = REASON_TIMEOUT;
    CHECK_EQ(reason_decide(&f), REASON_TIMEOUT);
}

static enum process_state only_42_since_7_lives(uint64_t pid, uint64_t start)
{
    return pid == 42 && start == 7 ? PROCESS_LIVES : PROCESS_GONE;
}

TEST(engine_sweep_takes_only_what_dead_owners_left)
{
    struct owner self = { .boot = "b-1", .machine = "m", .pid_ns = 4, .pid = 1, .start = 1 };
    static const struct {
        const char *owner, *machine;
        bool is_taken;
    } cases[] = { { "b-1:4:42:7", "m", false },   { "b-1:4:42:8", "m", true }, { "b-1:4:43:7", "m", true },
                  { "b-1:5:43:7", "m", false }, /* another pid namespace */
                  { "b-0:4:42:7", "m", true },  /* an earlier boot */
                  { "b-0:4:42:7", "n", false },   { "b-0:4:42:7", "", false }, { "b-1:4:43", "m", false },
                  { "b-1:4:43:7:9", "m", false }, { "b-1:4:x:7", "m", false }, { "", "m", false } };
    for (size_t i = 0; i < ARRAY_LEN(cases); i++) {
        json_t *labels = json_pack("{s:s, s:s}", LABEL_OWNER, cases[i].owner, LABEL_MACHINE, cases[i].machine);
        CHECK_EQ(sweep_takes(&self, labels, SWEEP_LIVE, only_42_since_7_lives), cases[i].is_taken);
        (void)json_object_set_new(labels, LABEL_KEPT, json_string("true"));
        CHECK(!sweep_takes(&self, labels, SWEEP_STOPPED, only_42_since_7_lives));
        json_decref(labels);
    }
    json_t *other = json_pack("{s:s}", "maintainer", "somebody");
    CHECK(!sweep_takes(&self, other, SWEEP_LIVE, only_42_since_7_lives));
    CHECK(!sweep_takes(&self, NULL, SWEEP_LIVE, only_42_since_7_lives));
    json_decref(other);
}

TEST(engine_groups_are_found_by_the_containers_id_only)
{
    static const char v1[] = "9:pids:/docker/" HEX64 "\n4:cpu,cpuacct:/docker/" HEX64 "\n3:memory:/user.slice\n0::/\n";
    static const char v2[] = "0::/system.slice/docker-" HEX64 ".scope\n";
    char path[256];
    CHECK(group_path(v1, "pids", HEX64, path, sizeof path));
    CHECK_STR(path, "/docker/" HEX64);
    CHECK(group_path(v1, "cpu", HEX64, path, sizeof path));
    CHECK(!group_path(v1, "memory", HEX64, path, sizeof path)); /* somebody else's */
    CHECK(!group_path(v1, "cp", HEX64, path, sizeof path));
    CHECK(group_path(v2, "", HEX64, path, sizeof path));
    CHECK(!group_path("0::/../docker/" HEX64 "\n", "", HEX64, path, sizeof path));
    CHECK(!group_path(v2, "", "a", path, sizeof path));
    CHECK_EQ(group_number("low 0\noom_kill 3\n", "oom_kill", 9), 3);
    CHECK_EQ(group_number("max\n", NULL, 0), 0);
    CHECK_EQ(group_number("oom_kill_disable 0\n", "oom_kill", 9), 9);
}
