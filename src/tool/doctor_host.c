/* doctor_host.c - the machine, and who we are on it. */
#include "tool/doctor.h"

#include "base/devices.h"
#include "base/parse.h"

#include <linux/capability.h>
#include <stdio.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/sysmacros.h>
#include <sys/utsname.h>

/* «6.18.44-fc» -> 6018; 0 when it is no version. */
static unsigned kernel_version(const char *release)
{
    char part[2][8] = { "", "" };
    uint64_t major, minor;
    for (int i = 0; i < 2; i++) {
        size_t n = strspn(release, "0123456789");
        if (n == 0 || n >= sizeof part[i])
            return 0;
        memcpy(part[i], release, n);
        release += n + (release[n] == '.');
    }
    if (parse_u64(part[0], &major) < 0 || parse_u64(part[1], &minor) < 0 || minor > 999)
        return 0;
    return (unsigned)(major * 1000 + minor);
}

void probe_host(struct doctor *d, struct check *c)
{
    struct utsname u;
    cleanup(buf_done) struct buf release;
    char name[128] = "", id[64] = "";
    buf_init(&release, 65536);
    (void)uname(&u);
    if (doctor_read(d, &release, "/etc/os-release") == 0 || doctor_read(d, &release, "/usr/lib/os-release") == 0) {
        (void)text_field(release.data, "PRETTY_NAME", '=', name, sizeof name);
        (void)text_field(release.data, "ID", '=', id, sizeof id);
    }
    fact_text(c, "kernel", u.release);
    fact_text(c, "architecture", u.machine);
    fact_text(c, "distribution", name[0] ? name : NULL);
    fact_text(c, "distribution_id", id[0] ? id : NULL);
    check_say(c, CHECK_OK, "Linux %s %s, %s", u.release, u.machine, name[0] ? name : "unknown distribution");
    if (kernel_version(u.release) < 6001) {
        check_add(c, CHECK_WARN, "kernel 6.1 or newer is what this program is tested with");
        check_remedy(c, "install a newer kernel of the distribution");
    }
}

/* ---- container and machine ---- */

/* Images leave a /.dockerenv behind that no engine starts (a VM's disk made from one): a container's root is
 * an overlay or a directory of something, never a whole block device. */
static bool root_is_disk(const struct doctor *d)
{
    cleanup(buf_done) struct buf text;
    struct mount_line m;
    bool is_disk = false;
    buf_init(&text, DOCTOR_FILE_MAX);
    if (doctor_read(d, &text, "/proc/self/mountinfo") < 0)
        return false;
    char *cursor = text.data;
    while (mount_next(&cursor, &m)) /* the last one on / is the one we see */
        if (str_eq(m.target, "/"))
            is_disk = str_eq(m.root, "/") && str_starts(m.source, "/dev/");
    return is_disk;
}

const char *container_kind(const struct doctor *d)
{
    static const struct {
        const char *word, *kind;
    } in_cgroup[] = { { "docker", "docker" }, { "kubepods", "kubernetes" }, { "libpod", "podman" }, { "/lxc", "lxc" } };
    cleanup(buf_done) struct buf b;
    buf_init(&b, 65536);
    if (getenv("KUBERNETES_SERVICE_HOST"))
        return "kubernetes";
    if (doctor_has(d, "/run/.containerenv"))
        return "podman";
    if (doctor_read(d, &b, "/run/systemd/container") == 0) /* written by systemd in nspawn, lxc ... */
        return str_eq(b.data, "lxc") ? "lxc" : "systemd";
    if (doctor_read(d, &b, "/proc/1/cgroup") == 0)
        for (size_t i = 0; i < ARRAY_LEN(in_cgroup); i++)
            if (strstr(b.data, in_cgroup[i].word))
                return in_cgroup[i].kind;
    return doctor_has(d, "/.dockerenv") && !root_is_disk(d) ? "docker" : NULL;
}

/* A user namespace that does not map everything is one more sign of a (rootless) container. */
static bool in_user_namespace(const struct doctor *d)
{
    cleanup(buf_done) struct buf b;
    buf_init(&b, 65536);
    return doctor_read(d, &b, "/proc/self/uid_map") == 0 && b.size > 0 &&
           !(word_in(b.data, " \n", "0") && word_in(b.data, " \n", "4294967295"));
}

static void machine_kind(const struct doctor *d, char *ret, size_t size)
{
    cleanup(buf_done) struct buf b;
    buf_init(&b, DOCTOR_FILE_MAX);
    ret[0] = '\0';
    if (doctor_read(d, &b, "/proc/version") == 0 && (strstr(b.data, "Microsoft") || strstr(b.data, "microsoft")))
        (void)snprintf(ret, size, "WSL");
    b.size = 0;
    if (!ret[0] && doctor_read(d, &b, "/sys/class/dmi/id/sys_vendor") == 0 &&
        (strstr(b.data, "QEMU") || strstr(b.data, "VMware") || strstr(b.data, "Amazon EC2") ||
         strstr(b.data, "innotek") || strstr(b.data, "Xen") || strstr(b.data, "Google") ||
         strstr(b.data, "DigitalOcean")))
        (void)snprintf(ret, size, "%s", text_clean(b.data));
    b.size = 0;
    /* cut short on machines with very many cores: the first core's flags come early */
    int r = ret[0] ? -ENODATA : doctor_read(d, &b, "/proc/cpuinfo");
    if ((r == 0 || r == -EMSGSIZE) && b.data && strstr(b.data, " hypervisor"))
        (void)snprintf(ret, size, "unknown kind");
}

void probe_environment(struct doctor *d, struct check *c)
{
    char machine[128];
    const char *container = container_kind(d);
    bool has_systemd = doctor_has(d, "/run/systemd/system"); /* sd_booted(3) */
    bool is_nested = in_user_namespace(d);
    machine_kind(d, machine, sizeof machine);
    fact_text(c, "container", container);
    fact_text(c, "virtual_machine", machine[0] ? machine : NULL);
    fact_bool(c, "in_user_namespace", is_nested);
    fact_bool(c, "systemd", has_systemd);
    check_say(c, CHECK_INFO, "%s%s%s, %s%s", container ? "in a container: " : "no container",
              container ? container : "", machine[0] ? ", virtual machine" : "", has_systemd ? "systemd" : "no systemd",
              is_nested ? ", in a user namespace" : "");
}

/* ---- the caller ---- */

static const struct {
    int bit;
    const char *name, *use;
} capabilities[] = {
    { CAP_SETGID, "setgid", "to map the sandbox's group" },
    { CAP_SETUID, "setuid", "to map the sandbox's user" },
    { CAP_SYS_ADMIN, "sys_admin", "to write the host's cgroups" },
    { CAP_SYS_RESOURCE, "sys_resource", "to raise hard limits" },
};

static uint64_t effective_capabilities(void)
{
    struct __user_cap_header_struct h = { .version = _LINUX_CAPABILITY_VERSION_3 };
    struct __user_cap_data_struct data[_LINUX_CAPABILITY_U32S_3] = { 0 };
    if (syscall(SYS_capget, &h, data) < 0)
        return 0;
    return (uint64_t)data[1].effective << 32 | data[0].effective;
}

void probe_caller(struct doctor *d, struct check *c)
{
    cleanup(buf_done) struct buf lacking;
    uint64_t effective = effective_capabilities();
    const uint64_t ids = UINT64_C(1) << CAP_SETUID | UINT64_C(1) << CAP_SETGID;
    json_t *held = json_array();
    buf_init(&lacking, 256);
    for (size_t i = 0; i < ARRAY_LEN(capabilities); i++) {
        if (effective >> capabilities[i].bit & 1)
            (void)json_array_append_new(held, text_json(capabilities[i].name));
        else
            (void)buf_addf(&lacking, "%s%s (%s)", lacking.size ? ", " : "", capabilities[i].name, capabilities[i].use);
    }
    fact_number(c, "uid", geteuid());
    fact_number(c, "gid", getegid());
    fact_bool(c, "root", d->is_root);
    fact_take(c, "capabilities", held);
    fact_bool(c, "no_new_privs", prctl(PR_GET_NO_NEW_PRIVS, 0, 0, 0, 0) > 0);
    if (!d->is_root) {
        check_say(c, CHECK_OK, "ordinary user (uid %u): the sandbox runs under your own id", geteuid());
        return;
    }
    check_say(c, CHECK_OK, "root: the sandbox runs under an unprivileged id");
    if (lacking.size > 0)
        check_say(c, CHECK_INFO, "root, but without %s", lacking.data);
    if ((effective & ids) != ids) {
        check_add(c, CHECK_FAIL, "root that may not change ids cannot give the sandbox an unprivileged one");
        check_remedy(c, "docker run --cap-add SETUID --cap-add SETGID …   (or run as an ordinary user)");
    }
}

/* ---- hard limits that the profiles need room under ---- */

void probe_rlimits(struct doctor *d, struct check *c)
{
    const struct wishes *w = &d->wishes;
    const struct {
        int which;
        const char *name, *option; /* option: of bash's ulimit, which counts in units */
        uint64_t unit, wanted;
        const char *why;
    } wants[] = {
        { RLIMIT_NPROC, "nproc", "u", 1, w->nproc, "processes" },
        { RLIMIT_NOFILE, "nofile", "n", 1, w->nofile, "open files" },
        { RLIMIT_FSIZE, "fsize", "f", KIB, w->fsize_bytes, "bytes of one file" },
        { RLIMIT_CPU, "cpu", "t", 1, w->cpu_s, "seconds" },
        { RLIMIT_STACK, "stack", "s", KIB, 8 * MIB, "bytes of stack, as programs expect" },
        /* node reserves gigabytes of address space for its heap and never touches them */
        { RLIMIT_AS, "as", "v", KIB, 64 * GIB, "bytes of address space, most of it never touched" },
    };
    check_say(c, CHECK_OK, "high enough for every profile");
    for (size_t i = 0; i < ARRAY_LEN(wants); i++) {
        struct rlimit l;
        if (getrlimit((__rlimit_resource_t)wants[i].which, &l) < 0)
            continue;
        bool is_free = l.rlim_max == RLIM_INFINITY;
        fact_take(c, wants[i].name, is_free ? text_json(NULL) : json_integer((json_int_t)l.rlim_max));
        if (is_free || l.rlim_max >= wants[i].wanted)
            continue;
        check_say(c, CHECK_WARN, "a hard limit is low");
        check_add(c, CHECK_WARN, "%s is %llu, a level wants %llu %s", wants[i].name, (unsigned long long)l.rlim_max,
                  (unsigned long long)wants[i].wanted, wants[i].why);
        check_remedy(c,
                     "as root, before starting it: ulimit -H%s %llu   (for good: /etc/security/limits.conf, or "
                     "Limit…= of the service)",
                     wants[i].option, (unsigned long long)(wants[i].wanted / wants[i].unit));
    }
}

/* ---- switches that protect the host from any program of an ordinary user ---- */

void probe_hardening(struct doctor *d, struct check *c)
{
    static const struct {
        const char *path, *name;
        int64_t least, most;
    } switches[] = {
        { "/proc/sys/fs/protected_symlinks", "fs.protected_symlinks", 1, 1 },
        { "/proc/sys/fs/protected_hardlinks", "fs.protected_hardlinks", 1, 1 },
        { "/proc/sys/fs/protected_fifos", "fs.protected_fifos", 1, 2 },
        { "/proc/sys/fs/protected_regular", "fs.protected_regular", 1, 2 },
        { "/proc/sys/dev/tty/legacy_tiocsti", "dev.tty.legacy_tiocsti", 0, 0 },
        { "/proc/sys/kernel/yama/ptrace_scope", "kernel.yama.ptrace_scope", 1, 3 },
        { "/proc/sys/kernel/dmesg_restrict", "kernel.dmesg_restrict", 1, 1 },
        { "/proc/sys/kernel/unprivileged_bpf_disabled", "kernel.unprivileged_bpf_disabled", 1, 2 },
    };
    cleanup(buf_done) struct buf weak;
    int count = 0;
    buf_init(&weak, 1024);
    for (size_t i = 0; i < ARRAY_LEN(switches); i++) {
        int64_t v = doctor_number(d, switches[i].path, INT64_MIN);
        fact_take(c, switches[i].name, v == INT64_MIN ? text_json(NULL) : json_integer(v));
        if (v == INT64_MIN || (v >= switches[i].least && v <= switches[i].most))
            continue; /* absent: this kernel does not have it, and no command of ours gives it */
        (void)buf_addf(&weak, " %s=%lld", switches[i].name,
                       (long long)(v < switches[i].least ? switches[i].least : switches[i].most));
        count++;
    }
    if (count == 0) {
        check_say(c, CHECK_OK, "the kernel's protective switches are on");
        return;
    }
    check_say(c, CHECK_INFO, "%d of the host's protective switches %s off (the sandbox does not rely on them)", count,
              count == 1 ? "is" : "are");
    check_remedy(c, "sysctl -w%s", weak.data);
}

/* ---- device nodes ---- */

void probe_devices(struct doctor *d, struct check *c)
{
    json_t *wrong = json_array();
    for (size_t i = 0; i < ARRAY_LEN(device_nodes); i++) {
        const struct device_node *n = &device_nodes[i];
        char path[4096];
        struct stat st;
        if (doctor_path(d, path, "%s", n->path) < 0)
            continue;
        bool is_there = lstat(path, &st) == 0;
        if (!is_there && d->root[0]) /* an image: the program that starts it makes them */
            continue;
        if (is_there && S_ISCHR(st.st_mode) && st.st_rdev == makedev(DEVICE_MAJOR, n->minor))
            continue;
        check_add(c, CHECK_FAIL, "%s is %s", n->path,
                  !is_there             ? "not there"
                  : S_ISREG(st.st_mode) ? "a regular file"
                                        : "another thing than its name says");
        check_remedy(c, "rm -f %s && mknod -m 666 %s c %u %u", n->path, n->path, DEVICE_MAJOR, n->minor);
        (void)json_array_append_new(wrong, json_string(n->path));
    }
    fact_take(c, "wrong", wrong);
    check_say(c, c->status,
              c->status == CHECK_OK ? "null, zero, full, random and urandom are what they should be"
                                    : "the sandbox's devices are not what their names say");
}
