/* doctor.c - `sandbox-agent doctor`: what this host offers, what each level would lose here, what to do.
 *
 * A table of probes is walked from top to bottom; each fills one struct check (doctor.h), and the whole
 * is told as text or as one JSON object:
 *
 *   schema   1
 *   ok       whether a program at medium risk works here (exit code 0), or not (1)
 *   host, namespaces, resources, filters, containers, languages, files, levels
 *            one object each; in it one object a check, under the name that the text shows
 *
 *   each check
 *     status   "ok" | "info" (nothing to do) | "warn" (weaker or missing, a level may go without) |
 *              "fail" (a level is refused for it)
 *     summary  one line
 *     detail   more words, or null
 *     remedy   what to do, usually one command, or null. Doctor never does it itself
 *     ...      the check's own facts, below. A fact that could not be learned is null
 *
 *   host.machine         kernel architecture distribution distribution_id
 *   host.environment     container virtual_machine in_user_namespace systemd
 *   host.caller          uid gid root capabilities[] no_new_privs
 *   host.rlimits         nproc nofile as fsize stack cpu: hard limits, null is unlimited
 *   host.hardening       one number for each sysctl
 *   host.devices         wrong[]: nodes that are not what their name says
 *   namespaces.user      works failed_step errno max_user_namespaces unprivileged_userns_clone
 *                        apparmor_restrict_unprivileged_userns (null: no such switch)
 *   namespaces.others    pid mount net ipc uts cgroup time: booleans
 *   namespaces.private_root  works failed_step errno
 *   namespaces.proc      works failed_step errno masks
 *   resources.cgroup     version(v1|v2|hybrid|none) used(v1|v2|null) controllers[] own place delegated
 *   resources.limits     tried memory cpu pids join swap_limit cpu_burst host_has_swap: booleans
 *   resources.pressure   available
 *   filters.syscalls     a boolean for each call that the launcher needs
 *   filters.seccomp      available kill_process errno user_notif log wait_killable filters_over_us
 *   filters.landlock     abi errno truncate network ioctl scope
 *   filters.apparmor     enabled profiles_loaded[] confined_by
 *   filters.selinux      mode label
 *   containers.engine    used socket reachable, then name api_version runtimes[]
 *   containers.isolation rootless userns_remap seccomp apparmor cgroup_version unmet[], of an engine that answers
 *   languages.{python,node,bash,go,rust,linker}   found path version package
 *   languages.packages   numpy pandas: versions
 *   languages.scanner    grammars[]: whose syntax sandbox-scan reads; the others' code is judged by patterns alone
 *   files.configuration  files[] error
 *   files.{log,state,cache,temporary}             path exists writable free_bytes
 *   levels.{low,medium,high}  verdict(works|works_without|refused) missing[] reason error language
 *
 * --root DIR looks files up beneath DIR instead of / (an image being built, a test's made-up host);
 * namespaces, calls and levels are still tried on this machine.
 */
#include "tool/doctor.h"

#include "config/profile.h"

#include <stdio.h>

static const struct probe probes[] = {
    { "host", "machine", probe_host, 0 },
    { "host", "environment", probe_environment, 0 },
    { "host", "caller", probe_caller, 0 },
    { "host", "rlimits", probe_rlimits, 0 },
    { "host", "hardening", probe_hardening, 0 },
    { "host", "devices", probe_devices, 0 },
    { "namespaces", "user", probe_userns, 0 },
    { "namespaces", "others", probe_namespaces, 0 },
    { "namespaces", "private_root", probe_private_root, 0 },
    { "namespaces", "proc", probe_proc, 0 },
    { "resources", "cgroup", probe_cgroup, 0 },
    { "resources", "limits", probe_cgroup_limits, 0 },
    { "resources", "pressure", probe_psi, 0 },
    { "filters", "syscalls", probe_syscalls, 0 },
    { "filters", "seccomp", probe_seccomp, 0 },
    { "filters", "landlock", probe_landlock, 0 },
    { "filters", "apparmor", probe_apparmor, 0 },
    { "filters", "selinux", probe_selinux, 0 },
    { "containers", "engine", probe_engine, 0 },
    { "containers", "isolation", probe_containers, 0 },
    { "languages", "python", probe_language, 0 },
    { "languages", "packages", probe_python_packages, 0 },
    { "languages", "node", probe_language, 1 },
    { "languages", "bash", probe_language, 2 },
    { "languages", "go", probe_language, 3 },
    { "languages", "rust", probe_language, 4 },
    { "languages", "linker", probe_language, 5 },
    { "languages", "scanner", probe_scanner, 0 },
    { "files", "configuration", probe_configuration, 0 },
    { "files", "log", probe_directory, 0 },
    { "files", "state", probe_directory, 1 },
    { "files", "cache", probe_directory, 2 },
    { "files", "temporary", probe_directory, 3 },
    { "files", "retention", probe_retention, 0 },
    { "levels", "low", probe_level, RISK_LOW },
    { "levels", "medium", probe_level, RISK_MEDIUM },
    { "levels", "high", probe_level, RISK_HIGH },
};

static const char help[] =
    "usage: sandbox-agent doctor [--json] [--config FILE]\n"
    "\n"
    "Says what this machine offers to the sandbox, what each risk level would lose here, and the\n"
    "command that helps. Changes nothing and leaves nothing behind.\n"
    "\n"
    "  --json   one JSON object: ok (medium risk works), and a group for each heading of the text:\n"
    "             host namespaces resources filters containers languages files levels\n"
    "           Each check in a group has status (ok info warn fail), summary, detail, remedy and\n"
    "           facts of its own, for example\n"
    "             .resources.cgroup.version         v1, v2, hybrid or none\n"
    "             .filters.landlock.abi             0: none\n"
    "             .languages.node.version           null: not found, or it did not say\n"
    "             .levels.medium.verdict            works, works_without or refused\n"
    "             .levels.medium.missing[]          «feature: why»\n"
    "  --config FILE  as of run and sandboxd: read on top of the system's and yours\n"
    "  --help   this text\n"
    "\n"
    "exit: 0 a program at medium risk works here, 1 it does not, 2 usage\n";

struct options {
    bool json, help;
    const char *root, *config;
};

static int options_read(int argc, char **argv, struct options *ret, struct error *err)
{
    for (int i = 1; i < argc; i++) {
        if (str_eq(argv[i], "--json"))
            ret->json = true;
        else if (str_eq(argv[i], "--help") || str_eq(argv[i], "-h"))
            ret->help = true;
        else if (str_eq(argv[i], "--root") && i + 1 < argc)
            ret->root = argv[++i];
        else if (str_eq(argv[i], "--config") && i + 1 < argc)
            ret->config = argv[++i];
        else {
            (void)err_set(err, -EINVAL, BLAME_CALLER, NULL, "doctor: unknown argument «%s»", argv[i]);
            return err_remedy(err, "sandbox-agent doctor [--json] [--config FILE] [--help]");
        }
    }
    return 0;
}

/* The number of checks that were made before the user had enough. */
static size_t walk(struct doctor *d, struct check *checks)
{
    size_t n = 0;
    for (; n < ARRAY_LEN(probes) && !d->stopped_by; n++) {
        check_init(&checks[n], &probes[n]);
        d->check_count = n;
        probes[n].run(d, &checks[n]);
    }
    return n;
}

static bool medium_works(const struct check *checks, size_t count)
{
    for (size_t i = 0; i < count; i++)
        if (checks[i].probe->run == probe_level && checks[i].probe->arg == RISK_MEDIUM)
            return checks[i].status < CHECK_FAIL;
    return false;
}

static int tell(const struct options *o, const struct check *checks, size_t count)
{
    cleanup(buf_done) struct buf out;
    struct error err = { 0 };
    bool is_ok = medium_works(checks, count);
    buf_init(&out, 1024 * 1024);
    int r = 0;
    if (o->json)
        r = report_json(checks, count, is_ok, &out);
    else
        report_text(checks, count, is_ok, &out);
    if (r < 0 || out.failed) {
        (void)err_set(&err, r < 0 ? r : -EMSGSIZE, BLAME_US, NULL, "doctor: the report could not be made");
        return tool_complain(&err);
    }
    r = tool_print(&out);
    return r != 0 ? r : is_ok ? 0 : 1;
}

int cmd_doctor(struct tool *t, int argc, char **argv)
{
    struct options o = { .root = "" };
    struct error err = { 0 };
    struct check checks[ARRAY_LEN(probes)];
    struct doctor d = { .tool = t, .is_root = geteuid() == 0, .signals = -EBADF, .janitor_fd = -EBADF };
    if (options_read(argc, argv, &o, &err) < 0)
        return tool_complain(&err);
    if (o.help) {
        cleanup(buf_done) struct buf out;
        buf_init(&out, sizeof help);
        (void)buf_adds(&out, help);
        return tool_print(&out);
    }
    d.root = o.root;
    d.config = o.config;
    d.checks = checks;
    int r = doctor_start(&d);
    if (r < 0) {
        (void)err_set(&err, r, BLAME_HOST, NULL, "doctor: signals: %s", strerror(-r));
        return tool_complain(&err);
    }
    restrictions_read(&d);
    wishes_read(&d);
    size_t count = walk(&d, checks);
    work_dir_remove(&d);
    wishes_done(&d.wishes);
    json_decref(d.engine_info);
    doctor_finish(&d);
    int code = d.stopped_by ? 128 + d.stopped_by : tell(&o, checks, count);
    for (size_t i = 0; i < count; i++)
        check_done(&checks[i]);
    return code;
}
