/* profile.c - the table of profile keys, and what no single key can check. */
#include "config/profile.h"

#include "base/feature.h"
#include "base/netrule.h"
#include "base/parse.h"

const char *const risk_level_names[] = { "low", "medium", "high", NULL };

int risk_level_find(const char *name)
{
    for (int i = 0; risk_level_names[i]; i++)
        if (str_eq(name, risk_level_names[i]))
            return i;
    return -1;
}

const char *const language_names[] = { "python", "node", "bash", "go", "rust", "command", NULL };
const char *const log_level_names[] = { "trace", "debug", "info", "warn", "error", NULL };

static const char *const network_modes[] = { "none", "bridge", NULL };
static const char *const dns_modes[] = { "auto", "disabled", NULL };
static const char *const workspace_kinds[] = { "memory", "disk", NULL };
static const char *const shell_modes[] = { "true", "limited", "none", NULL };
static const char *const patterns[] = { "crypto_mining", "port_scanning", "data_exfiltration", "reverse_shells", NULL };
static const char *const switches[] = { "excessive_cpu_usage",
                                        "excessive_memory_usage",
                                        "network_access_attempt",
                                        "privilege_escalation_attempt",
                                        "suspicious_syscalls",
                                        "fork_bomb_detection",
                                        "crypto_mining",
                                        "port_scanning",
                                        "data_exfiltration",
                                        "reverse_shells",
                                        NULL };
/* feature_name() as constants: a table of settings is read-only data. A unit test compares them. */
const char *const feature_names[] = { "user_ns",       "pid_ns",      "mount_ns", "net_ns",  "ipc_ns",
                                      "uts_ns",        "cgroup_ns",   "time_ns",  "seccomp", "landlock",
                                      "no_new_privs",  "caps",        "memory",   "cpu",     "pids",
                                      "storage",       "cgroup",      "apparmor", "network", "monitoring",
                                      "kill_switches", "rate_limits", "io",       "selinux", NULL };
_Static_assert(ARRAY_LEN(feature_names) == FEATURE_COUNT + 1, "a feature has no word for security.require");
_Static_assert(FEATURE_COUNT <= 32, "security.require is 32 bits");

#define ROW(key, type, member, min, max, choices, preset, by, help)                      \
    {                                                                                    \
        key, type, offsetof(struct profile, member), min, max, choices, preset, by, help \
    }
#define BOOL(m, preset, by, help)               ROW(#m, SET_BOOL, m, 0, 0, NULL, preset, by, help)
#define UINT(m, min, max, preset, by, help)     ROW(#m, SET_UINT, m, min, max, NULL, preset, by, help)
#define SIZE(m, min, max, preset, by, help)     ROW(#m, SET_SIZE, m, min, max, NULL, preset, by, help)
#define DURATION(m, min, max, preset, by, help) ROW(#m, SET_DURATION, m, min, max, NULL, preset, by, help)
#define ENUM(m, choices, preset, by, help)      ROW(#m, SET_ENUM, m, 0, 0, choices, preset, by, help)
#define FLAGS(m, choices, preset, by, help)     ROW(#m, SET_FLAGS, m, 0, 0, choices, preset, by, help)
#define STRING(m, preset, by, help)             ROW(#m, SET_STRING, m, 0, 0, NULL, preset, by, help)
#define RATIO(m, min, max, preset, by, help)    ROW(#m, SET_RATIO, m, min, max, NULL, preset, by, help)
#define LIST(m, preset, by, help)               ROW(#m, SET_LIST, m, 0, 0, NULL, preset, by, help)

#define TIB       (UINT64_C(1) << 40)
#define SECOND_MS UINT64_C(1000)
#define HOUR_MS   (3600 * SECOND_MS)
#define WEEK_MS   (7 * 24 * 3600 * SECOND_MS) /* what parse_duration reads at most */

/* Sources of limits: 32768 is the kernel's default pid_max; 1048576 its default fs.nr_open. */
#define MAX_PIDS  32768
#define MAX_FILES 1048576

#define MODULE_GUARD  "import hook of the language's guard"
#define NOT_BASH      "refused: only bash has it"
#define DETECTS(what) "the watch: " what
#define COUNTED       "refusal before the run, by what is remembered of the agent; a run without --agent-id is not counted"
#define IO_LIMIT      "cgroup: io.max, or blkio.throttle of v1"
#define NO_MODULES    "refused: only the guards of python and node can enforce it"

#define LANGUAGE(L, name, allowed, blocked, only, strict, bash_r, cmds, cmds_restricted, module_by, strict_by,       \
                 bash_r_by)                                                                                          \
    ROW("languages." name ".image", SET_STRING, languages[L].image, 0, 0, NULL, NULL, "plan",                        \
        "container image for the docker backend"),                                                                   \
        ROW("languages." name ".allowed_modules", SET_LIST, languages[L].allowed_modules, 0, 0, NULL, allowed,       \
            module_by, "modules that may be imported; the single word all: any; an empty list: none"),               \
        ROW("languages." name ".blocked_modules", SET_LIST, languages[L].blocked_modules, 0, 0, NULL, blocked,       \
            module_by, "modules that may not be imported, even when they are allowed above"),                        \
        ROW("languages." name ".interpreter_only", SET_BOOL, languages[L].interpreter_only, 0, 0, NULL, only,        \
            "landlock: nothing else is executable",                                                                  \
            "execve of anything but the interpreter (or the compiled program) is refused; its ELF loader must stay " \
            "executable"),                                                                                           \
        ROW("languages." name ".restricted", SET_BOOL, languages[L].restricted, 0, 0, NULL, strict, strict_by,       \
            "no eval, exec, compile, __import__ (python), no eval or new Function (node)"),                          \
        ROW("languages." name ".restricted_mode", SET_BOOL, languages[L].restricted_mode, 0, 0, NULL, bash_r,        \
            bash_r_by, "the shell's restricted mode (bash only)"),                                                   \
        ROW("languages." name ".blocked_commands", SET_LIST, languages[L].blocked_commands, 0, 0, NULL, cmds,        \
            "mounts: the programs are masked", "commands that the code cannot see"),                                 \
        ROW("languages." name ".restricted_commands", SET_LIST, languages[L].restricted_commands, 0, 0, NULL,        \
            cmds_restricted, "mounts: the programs are masked", "the same")

static const struct setting table[] = {
    STRING(name, "custom", "result, log and `profiles list`", "how the profile is called"),
    STRING(description, "", "`profiles list`", "one line for people"),
    ENUM(risk_level, risk_level_names, "high", "result, log; picks the configuration's per-level keys",
         "the level that this profile stands for"),

    SIZE(resources.memory, MIB, TIB, "128m", "cgroup memory, no swap; without cgroups the supervisor measures",
         "memory of all processes together, page cache and tmpfs included"),
    ROW("resources.cpu", SET_CPU, resources.cpu, 10, 1024 * 1000, NULL, "0.25",
        "cgroup CPU quota; without cgroups the supervisor measures", "cores"),
    DURATION(resources.timeout, 100, WEEK_MS, "60", "the launcher's deadline: SIGTERM, grace, then the whole tree",
             "wall clock time of a run"),
    SIZE(resources.storage, 64 * KIB, TIB, "256m", "size and inode limits of the private tmpfs",
         "bytes that may be written, /tmp and /workspace together"),
    UINT(resources.pids, 1, MAX_PIDS, "10", "cgroup pids; without cgroups the supervisor counts",
         "processes and threads of the whole sandbox, its init included (of a session: of its jobs); a file that does "
         "not give it has at least its max_processes"),
    SIZE(resources.io.rbps, 0, TIB, "64m", IO_LIMIT, "bytes a second that may be read from each disk; 0: unlimited"),
    SIZE(resources.io.wbps, 0, TIB, "32m", IO_LIMIT, "bytes a second that may be written to each disk; 0: unlimited"),
    UINT(resources.io.riops, 0, 1000000000, "2000", IO_LIMIT,
         "reads a second from each disk, as it gets them; 0: unlimited"),
    UINT(resources.io.wiops, 0, 1000000000, "1000", IO_LIMIT,
         "writes a second to each disk, as it gets them; 0: unlimited"),

    ENUM(network.mode, network_modes, "none", "network namespace, seccomp; bridge: the broker makes the connections",
         "none: no interface; bridge: connections to what the rules allow"),
    ENUM(network.dns, dns_modes, "disabled",
         "the broker's resolver; disabled: no resolver and no resolver configuration",
         "whether names can be resolved in mode bridge"),
    LIST(network.ports, "", "the broker, at connect and sendto",
         "ports that may be connected to: 443, 8000-8010, or the word all; an empty list opens none inbound (nothing "
         "outside ever reaches into a sandbox) and leaves outbound to allow and deny"),
    BOOL(network.disable_loopback, "true",
         "the network namespace's lo stays down; in mode bridge the broker, which needs it for names and datagrams, "
         "refuses it",
         "not even 127.0.0.1 inside the sandbox"),
    LIST(network.allow, "", "the broker and its resolver",
         "names, *.names, CIDRs, each with an optional :port, that may be reached; *: any name; an empty list: all "
         "public addresses. "
         "Private, loopback and the like only by a CIDR within their range, metadata services only by their address"),
    LIST(network.deny, "", "the broker and its resolver", "the same, never reachable; wins over allow"),
    UINT(network.max_connections, 0, 4096, "20", "the broker, at connect",
         "connections at once; 0: 4096, which is all that a broker keeps"),
    UINT(network.max_connections_per_second, 0, 1000000, "20", "the broker, at connect",
         "new connections in one second; 0: unlimited"),
    SIZE(network.max_bytes, 0, 1024 * TIB, "1g", "the broker counts; beyond it the run is ended",
         "bytes in and out of all connections together; 0: unlimited"),

    BOOL(filesystem.readonly_root, "true", "read-only mounts, landlock", "the root directory cannot be changed"),
    SIZE(filesystem.temp_size, 4 * KIB, TIB, "64m", "tmpfs size", "bytes of /tmp"),
    ENUM(filesystem.workspace, workspace_kinds, "memory", "a tmpfs, or an ext4 in an image without a name in /var/tmp",
         "where /workspace of a session lies; disk: beyond what memory holds, by root's launcher with mkfs.ext4 and "
         "loop "
         "devices; a line in isolation.missing where that cannot be had"),
    LIST(
        filesystem.allowed_mounts, "", "refusal before the run",
        "host directories below which a --volume may lie; /: anywhere but the system's own; an empty list: no volumes"),
    LIST(filesystem.writable_paths, "", "tmpfs mounts, landlock", "directories the code may write to besides /tmp"),
    LIST(filesystem.blocked_paths, "/proc /sys /dev /etc /var /usr/bin /bin", "absent or masked mounts, landlock",
         "paths that the agent's code cannot see; what the interpreter needs to start stays, read-only"),
    BOOL(filesystem.noexec_tmp, "true", "noexec mounts, landlock", "no program is started from a writable place"),

    LIST(packages.allow, "", "refusal before the run",
         "package sets that a run may name (docs/packages.md); the single word all: any; an empty list: none"),

    ROW("security.user", SET_USER, security.user, 0, 0, NULL, "65534:65534", "user namespace",
        "user and group inside; on the host it is an unprivileged one whatever this says"),
    ROW("security.capabilities.drop", SET_LIST, security.cap_drop, 0, 0, NULL, "ALL", "capset, bounding set",
        "capabilities that are dropped: names or ALL"),
    ROW("security.capabilities.add", SET_LIST, security.cap_add, 0, 0, NULL, "", "capset, bounding set",
        "capabilities that stay, valid only inside the sandbox's user namespace"),
    BOOL(security.no_new_privileges, "true", "prctl(PR_SET_NO_NEW_PRIVS)", "no execve gains privileges"),
    STRING(security.seccomp, "strict", "seccomp filter", "default, strict, or the path of an OCI seccomp JSON file"),
    STRING(
        security.apparmor, "confined", "AppArmor, where the kernel has it",
        "default, confined: the shipped profiles sandbox-agent-default, -confined; none; or the name of a loaded one"),
    STRING(
        security.selinux, "auto", "SELinux, where it enforces",
        "default, confined: the types sandbox_agent_t, sandbox_agent_confined_t of deploy/selinux; none or off; or a "
        "type of the loaded policy; auto: as security.apparmor says where SELinux enforces, nothing elsewhere"),
    BOOL(security.read_only_code, "true", "read-only mount of a sealed copy", "the code cannot change itself"),
    BOOL(security.drop_all_caps, "true", "capset, bounding and ambient sets", "no capability at all"),
    BOOL(security.mask_proc, "true", "proc mounted with subset=pid (hidepid always)",
         "/proc shows the sandbox's own processes and nothing of the machine"),
    BOOL(security.disable_setuid, "true", "seccomp filter; mounts are nosuid always",
         "no change of user or group, and no file with set-id bits is made"),
    FLAGS(security.require, feature_names,
          "user_ns pid_ns mount_ns net_ns ipc_ns uts_ns cgroup_ns seccomp landlock no_new_privs caps memory cpu pids "
          "storage",
          "refusal when the launcher reports one as missing", "protections without which the run is refused"),
    BOOL(security.seccomp_kill, "false", "SECCOMP_RET_KILL_PROCESS",
         "dangerous calls kill the process instead of failing with EPERM"),

    BOOL(environment.allow_custom_env, "false", "refusal before the run", "whether --env may be given"),
    ROW("environment.default_env", SET_MAP, environment.default_env, 0, 0, NULL, "LANG=C.UTF-8",
        "the environment is built from nothing", "variables that every run gets"),
    LIST(
        environment.restricted_env,
        "LD_PRELOAD LD_LIBRARY_PATH LD_AUDIT LD_DEBUG LD_PROFILE LD_ORIGIN_PATH LD_BIND_NOW GCONV_PATH LOCPATH NLSPATH "
        "MALLOC_TRACE GLIBC_TUNABLES HOSTALIASES RESOLV_HOST_CONF RES_OPTIONS TMPDIR PATH HOME IFS ENV BASH_ENV "
        "BASHOPTS SHELLOPTS PS4 PROMPT_COMMAND CDPATH PYTHONPATH PYTHONSTARTUP PYTHONHOME PYTHONINSPECT "
        "PYTHONEXECUTABLE PYTHONUSERBASE PYTHONBREAKPOINT PYTHONWARNINGS NODE_OPTIONS NODE_PATH NODE_EXTRA_CA_CERTS "
        "NODE_REPL_EXTERNAL_MODULE GOFLAGS GODEBUG GOROOT GOPATH RUSTFLAGS RUSTC_WRAPPER",
        "refusal before the run", "variables that --env may not set even where custom ones are allowed"),

    UINT(execution.max_processes, 1, MAX_PIDS, "5",
         "seccomp notification: new processes ask the launcher, where it is below resources.pids",
         "processes of the code; threads count in resources.pids only"),
    BOOL(execution.allow_compilation, "false", "refusal before the run; compilers are masked",
         "whether go and rust are compiled here"),
    BOOL(execution.allow_package_install, "false",
         "read-only /usr; where there is a network, package managers are masked",
         "whether pip, npm, go get and cargo may be used"),
    ENUM(execution.shell_access, shell_modes, "none", "refusal before the run; shells are masked",
         "true: any command; limited: commands, but no login shell; none: no shell and no `-- COMMAND`"),
    UINT(
        execution.max_file_descriptors, 8, MAX_FILES, "64", "RLIMIT_NOFILE: the larger of the two is the hard limit",
        "descriptors of a process, with max_open_files: it starts with the smaller and may raise itself to the larger; "
        "a file that gives only this one means both"),
    SIZE(execution.max_file_size, KIB, TIB, "64m", "RLIMIT_FSIZE", "bytes of one file"),
    UINT(execution.max_open_files, 8, MAX_FILES, "32", "RLIMIT_NOFILE: the smaller of the two is the soft limit",
         "see max_file_descriptors"),
    BOOL(execution.disable_fork_bomb, "true", "the launcher watches the pids limit",
         "end the run when the limit is hit again and again"),
    SIZE(execution.max_output, KIB, GIB, "16m", "the launcher's and client's copy loops",
         "bytes of stdout and of stderr that are kept; the rest is read and dropped"),
    DURATION(execution.grace, 0, 60 * SECOND_MS, "500ms", "the launcher's deadline",
             "time between SIGTERM and SIGKILL"),

    BOOL(logging.enabled, "true", "the client's log file", "whether a run leaves a log file"),
    ENUM(
        logging.level, log_level_names, "info", "the client's log file",
        "least severe words that are logged, beside the output: debug: why this level, what was found; trace: the time "
        "of each step"),
    ROW("logging.output", SET_SWITCH, logging.output, 0, 0, NULL, "true", "the client's log file",
        "whether the program's output goes into the log file; a path: it does, and this is where this level's logs "
        "are: "
        "a directory, or the beginning of their names"),
    BOOL(logging.metrics, "true", "the client's log file", "whether usage (time, CPU, memory) goes into the log file"),
    BOOL(logging.audit_syscalls, "true", "the watch: counts, in the result and the audit",
         "summary of refused and watched system calls"),
    BOOL(logging.record_all_output, "true", "the client's log file",
         "the whole kept output goes into the log, not only its first 64 KiB"),
    BOOL(logging.alert_on_violations, "true", "the client's words on stderr", "report each violation"),

    LANGUAGE(LANG_PYTHON, "python", "builtins math",
             "os subprocess socket requests sys urllib http ftplib telnetlib pickle shelve", "true", "true", "false",
             "", "", MODULE_GUARD, MODULE_GUARD " (and its audit hook)", NOT_BASH),
    LANGUAGE(LANG_NODE, "node", "all", "fs child_process net http https dgram cluster worker_threads", "true", "false",
             "false", "", "", MODULE_GUARD, "--disallow-code-generation-from-strings", NOT_BASH),
    LANGUAGE(LANG_BASH, "bash", "all", "", "true", "false", "true",
             "curl wget nc netcat telnet ssh scp ftp chmod chown mount umount", "", "refused: bash has no modules",
             "refused: see restricted_mode", "bash -r"),
    LANGUAGE(LANG_GO, "go", "all", "", "true", "false", "false", "", "", NO_MODULES, "refused: go has no eval",
             NOT_BASH),
    LANGUAGE(LANG_RUST, "rust", "all", "", "true", "false", "false", "", "", NO_MODULES, "refused: rust has no eval",
             NOT_BASH),

    UINT(rate_limits.max_executions_per_hour, 1, 1000000, "20", COUNTED, "runs of one agent in any 60 minutes"),
    UINT(rate_limits.max_executions_per_day, 1, 10000000, "100", COUNTED, "runs of one agent in any 24 hours"),
    UINT(rate_limits.max_jobs_per_hour, 1, 10000000, "60", COUNTED,
         "jobs of one agent in its sessions, in any 60 minutes; a session itself counts as a run"),
    DURATION(rate_limits.max_cpu_time_per_hour, SECOND_MS, WEEK_MS, "180", COUNTED,
             "CPU time of one agent in any 60 minutes"),
    DURATION(rate_limits.cooldown_period, 0, WEEK_MS, "300", COUNTED,
             "shortest time between the starts of two runs of one agent at this level"),

    BOOL(monitoring.detect_anomalies, "true",
         DETECTS("fork_bomb_detection, excessive_cpu_usage, excessive_memory_usage"),
         "use of processes, CPU and memory at its limit, for long, is a violation"),
    BOOL(monitoring.syscall_monitoring, "true", DETECTS("suspicious_syscalls"),
         "asking for calls that no program here needs is a violation"),
    BOOL(monitoring.network_attempt_detection, "true", DETECTS("network_access_attempt"),
         "sockets beyond AF_UNIX where there is no network are violations"),
    BOOL(monitoring.privilege_escalation_detection, "true", DETECTS("privilege_escalation_attempt"),
         "attempts to gain privileges are violations"),
    BOOL(monitoring.file_access_monitoring, "true", "the watch: files, in the result and the audit",
         "files opened for writing and sensitive files touched"),
    LIST(monitoring.canaries, "", "files in the sandbox's own /workspace, watched by inotify",
         "paths below /workspace that are planted before the program starts; reading one, then sending anything, is "
         "data_exfiltration"),
    FLAGS(monitoring.pattern_matching, patterns, "crypto_mining port_scanning data_exfiltration reverse_shells",
          DETECTS("those named"), "behaviours that are recognised"),
    FLAGS(kill_switches, switches,
          "excessive_cpu_usage excessive_memory_usage network_access_attempt privilege_escalation_attempt "
          "suspicious_syscalls fork_bomb_detection crypto_mining port_scanning data_exfiltration reverse_shells",
          "the watch: what they name is looked for, whatever monitoring says, and the run is killed",
          "violations that end the run at once"),

    /* Where the numbers come from is in docs/detectors.md; the upper bounds of counts are what the detectors have
       memory for. */
    RATIO(detectors.crypto_mining.cpu_share, 10, 1000, "0.8", DETECTS("crypto_mining"),
          "of the allowed CPU, on average over the window, that counts as mining if something else points there"),
    DURATION(detectors.crypto_mining.window, SECOND_MS, HOUR_MS, "20s", DETECTS("crypto_mining"),
             "how long it has to last"),
    UINT(detectors.port_scanning.targets, 5, WATCH_MAX_TARGETS, "40", DETECTS("port_scanning"),
         "different pairs of address and port, not known by a name, that are asked for within the window"),
    DURATION(detectors.port_scanning.window, SECOND_MS, HOUR_MS, "60s", DETECTS("port_scanning"),
             "within which targets are counted"),
    SIZE(detectors.data_exfiltration.bytes, KIB, TIB, "64m", DETECTS("data_exfiltration"),
         "bytes out of the sandbox in one run"),
    SIZE(detectors.data_exfiltration.destination_bytes, KIB, TIB, "32m", DETECTS("data_exfiltration"),
         "bytes out to one address"),
    UINT(detectors.data_exfiltration.names, 4, WATCH_MAX_NAMES, "20", DETECTS("data_exfiltration"),
         "different names below one domain, of the kind that carries data, that are asked for within the window"),
    DURATION(detectors.data_exfiltration.window, SECOND_MS, HOUR_MS, "60s", DETECTS("data_exfiltration"),
             "within which names are counted"),
    UINT(detectors.suspicious_syscalls.refused, 2, 100000, "20", DETECTS("suspicious_syscalls"),
         "refused calls within the window, those that runtimes probe left out"),
    DURATION(detectors.suspicious_syscalls.window, SECOND_MS, HOUR_MS, "10s", DETECTS("suspicious_syscalls"),
             "within which refused calls are counted"),
    UINT(detectors.fork_bomb_detection.hits, 2, 100000, "20", DETECTS("fork_bomb_detection"),
         "times that a new process or thread met the limit within the window"),
    UINT(detectors.fork_bomb_detection.rate, 10, 1000000, "1000", DETECTS("fork_bomb_detection"),
         "new processes a second, on average over the window"),
    DURATION(detectors.fork_bomb_detection.window, SECOND_MS, HOUR_MS, "5s", DETECTS("fork_bomb_detection"),
             "within which they are counted"),
    RATIO(detectors.excessive_cpu_usage.share, 10, 1000, "0.95", DETECTS("excessive_cpu_usage"),
          "of the allowed CPU, on average over the window"),
    DURATION(detectors.excessive_cpu_usage.window, SECOND_MS, HOUR_MS, "45s", DETECTS("excessive_cpu_usage"),
             "how long it has to last"),
    RATIO(detectors.excessive_memory_usage.share, 10, 1000, "0.95", DETECTS("excessive_memory_usage"),
          "of the memory limit, in every sample of the window"),
    DURATION(detectors.excessive_memory_usage.window, SECOND_MS, HOUR_MS, "5s", DETECTS("excessive_memory_usage"),
             "how long it has to last"),
};

const struct settings profile_settings = { table, ARRAY_LEN(table) };

_Static_assert(ARRAY_LEN(table) <= ARRAY_LEN(((struct profile *)0)->origin), "profile.origin[] is too small");
_Static_assert(sizeof(struct profile) <= UINT16_MAX, "setting.offset is 16 bits");

void profile_defaults(struct profile *p)
{
    memset(p, 0, sizeof *p);
    settings_preset(profile_settings, p);
}

void profile_done(struct profile *p)
{
    settings_free(profile_settings, p);
}

int profile_find_key(const char *key)
{
    const struct setting *s = setting_find(profile_settings, key);
    return s ? (int)(s - table) : -1;
}

/* ---- checks of one list's items ---- */

static bool is_all_of(const char *s, const char *chars)
{
    return *s && s[strspn(s, chars)] == '\0';
}
#define DIGITS  "0123456789"
#define LETTERS "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ"

/* Absolute, and written the one way the mount code compares it: no «..», no «//», no trailing slash. */
static bool is_path(const char *s)
{
    if (s[0] != '/')
        return false;
    if (s[1] == '\0')
        return true;
    for (const char *p = s; *p;) {
        size_t n = strcspn(p + 1, "/");
        if (n == 0 || (n <= 2 && strspn(p + 1, ".") >= n))
            return false;
        p += n + 1;
    }
    return true;
}
static bool is_path_below_root(const char *s)
{
    return is_path(s) && s[1] != '\0';
}
static bool is_canary_path(const char *s)
{
    return is_path(s) && str_starts(s, "/workspace/") && s[strlen("/workspace/")] != '\0' && strlen(s) < 256;
}
static bool is_env_name(const char *s)
{
    return is_all_of(s, LETTERS DIGITS "_") && !strchr(DIGITS, s[0]);
}
static bool is_env_pair(const char *s)
{
    char name[256];
    size_t n = strcspn(s, "=");
    if (n >= sizeof name)
        return false;
    memcpy(name, s, n);
    name[n] = '\0';
    return is_env_name(name);
}
/* os.path, node:fs/promises, @scope/name, golang.org/x/net. Reaches the guards' source text: no quotes. */
static bool is_module(const char *s)
{
    return is_all_of(s, LETTERS DIGITS "_.-:/@");
}
static bool is_command(const char *s)
{
    return is_all_of(s, LETTERS DIGITS "_.+-[") && !str_eq(s, ".") && !str_eq(s, "..");
}
/* The kernel's list up to 6.x (capabilities(7)); docker writes the names without «CAP_». */
static bool is_capability(const char *s)
{
    static const char *const names[] = {
        "ALL",
        "CHOWN",
        "DAC_OVERRIDE",
        "DAC_READ_SEARCH",
        "FOWNER",
        "FSETID",
        "KILL",
        "SETGID",
        "SETUID",
        "SETPCAP",
        "LINUX_IMMUTABLE",
        "NET_BIND_SERVICE",
        "NET_BROADCAST",
        "NET_ADMIN",
        "NET_RAW",
        "IPC_LOCK",
        "IPC_OWNER",
        "SYS_MODULE",
        "SYS_RAWIO",
        "SYS_CHROOT",
        "SYS_PTRACE",
        "SYS_PACCT",
        "SYS_ADMIN",
        "SYS_BOOT",
        "SYS_NICE",
        "SYS_RESOURCE",
        "SYS_TIME",
        "SYS_TTY_CONFIG",
        "MKNOD",
        "LEASE",
        "AUDIT_WRITE",
        "AUDIT_CONTROL",
        "SETFCAP",
        "MAC_OVERRIDE",
        "MAC_ADMIN",
        "SYSLOG",
        "WAKE_ALARM",
        "BLOCK_SUSPEND",
        "AUDIT_READ",
        "PERFMON",
        "BPF",
        "CHECKPOINT_RESTORE",
    };
    if (str_starts(s, "CAP_"))
        s += 4;
    for (size_t i = 0; i < ARRAY_LEN(names); i++)
        if (str_eq(s, names[i]))
            return true;
    return false;
}
static bool is_added_capability(const char *s)
{
    return is_capability(s) && !str_eq(s, "ALL");
}

/* As in packages/store.h. */
static bool is_packages_name(const char *s)
{
    const size_t n = strspn(s, "abcdefghijklmnopqrstuvwxyz0123456789._-");
    return n > 0 && n <= 64 && !s[n] && !strchr("._-", s[0]);
}

#define ITEMS(key, member, fn, what)                    \
    {                                                   \
        key, offsetof(struct profile, member), fn, what \
    }
static const struct item_check {
    const char *key;
    size_t offset;
    bool (*is_good)(const char *);
    const char *expected;
} item_checks[] = {
    ITEMS("filesystem.allowed_mounts", filesystem.allowed_mounts, is_path, "an absolute path without .. or //"),
    ITEMS("packages.allow", packages.allow, is_packages_name, "the name of a package set, or the word all"),
    ITEMS("filesystem.writable_paths", filesystem.writable_paths, is_path_below_root,
          "an absolute path below / without .. or //"),
    ITEMS("filesystem.blocked_paths", filesystem.blocked_paths, is_path_below_root,
          "an absolute path below / without .. or //"),
    ITEMS("security.capabilities.drop", security.cap_drop, is_capability, "a capability such as NET_RAW, or ALL"),
    ITEMS("security.capabilities.add", security.cap_add, is_added_capability, "a capability such as NET_RAW"),
    ITEMS("environment.default_env", environment.default_env, is_env_pair, "names of letters, digits and _"),
    ITEMS("monitoring.canaries", monitoring.canaries, is_canary_path, "a path below /workspace"),
    ITEMS("environment.restricted_env", environment.restricted_env, is_env_name, "a name of letters, digits and _"),
};

static int check_items(const struct strlist *l, bool (*is_good)(const char *), const char *key, const char *expected,
                       struct error *err)
{
    STRLIST_FOREACH(item, l)
    if (!is_good(item))
        return err_set(err, -EINVAL, BLAME_CALLER, NULL, "%s: '%.60s' is not accepted; expected %s", key, item,
                       expected);
    return 0;
}

/* ---- checks of keys that must agree ---- */

static int check_language(const struct profile *p, int l, struct error *err)
{
    const struct language_rules *r = &p->languages[l];
    const char *name = language_names[l];
    char key[64];
    const struct {
        const char *last;
        const struct strlist *list;
        bool (*is_good)(const char *);
    } lists[] = {
        { "allowed_modules", &r->allowed_modules, is_module },
        { "blocked_modules", &r->blocked_modules, is_module },
        { "blocked_commands", &r->blocked_commands, is_command },
        { "restricted_commands", &r->restricted_commands, is_command },
    };
    for (size_t i = 0; i < ARRAY_LEN(lists); i++) {
        (void)snprintf(key, sizeof key, "languages.%s.%s", name, lists[i].last);
        int e = check_items(lists[i].list, lists[i].is_good, key, "a bare name without spaces or quotes", err);
        if (e < 0)
            return e;
    }
    bool is_any = strlist_has(&r->allowed_modules, "all");
    if (is_any && r->allowed_modules.count > 1)
        return err_set(err, -EINVAL, BLAME_CALLER, NULL,
                       "languages.%s.allowed_modules: 'all' stands alone; it cannot be one of several modules", name);
    /* Never silently weaker: a rule that nothing enforces is refused, not ignored. */
    bool has_guard = l == LANG_PYTHON || l == LANG_NODE;
    if (!has_guard && (!is_any || r->blocked_modules.count))
        return err_set(
            err, -EINVAL, BLAME_CALLER, NULL,
            "languages.%s.%s: module lists cannot be enforced for this language; allowed_modules must be all "
            "and blocked_modules empty",
            name, is_any ? "blocked_modules" : "allowed_modules");
    if (!has_guard && r->restricted)
        return err_set(err, -EINVAL, BLAME_CALLER, NULL,
                       "languages.%s.restricted: only python and node can enforce it%s", name,
                       l == LANG_BASH ? "; for bash it is restricted_mode" : "");
    if (l != LANG_BASH && r->restricted_mode)
        return err_set(err, -EINVAL, BLAME_CALLER, NULL, "languages.%s.restricted_mode: only bash has it", name);
    return 0;
}

static bool is_given(const struct profile *p, const char *key)
{
    int i = profile_find_key(key);
    assert(i >= 0); /* our own literals */
    return p->origin[i].source != ORIGIN_DEFAULT;
}

void profile_follow(struct profile *p)
{
    if (!is_given(p, "resources.pids"))
        p->resources.pids = MAX_OF(p->resources.pids, p->execution.max_processes);
    else if (!is_given(p, "execution.max_processes"))
        p->execution.max_processes = MIN_OF(p->execution.max_processes, p->resources.pids);
    if (!is_given(p, "execution.max_file_descriptors"))
        p->execution.max_file_descriptors = MAX_OF(p->execution.max_file_descriptors, p->execution.max_open_files);
    else if (!is_given(p, "execution.max_open_files"))
        p->execution.max_open_files = p->execution.max_file_descriptors;
    if (!is_given(p, "filesystem.temp_size") && p->filesystem.temp_size >= p->resources.storage)
        p->filesystem.temp_size = p->resources.storage / 2;
}

static int check_limits(const struct profile *p, struct error *err)
{
    char a[32], b[32];
    if (p->filesystem.temp_size > p->resources.storage)
        return err_set(err, -EINVAL, BLAME_CALLER, NULL,
                       "filesystem.temp_size (%s) is larger than resources.storage (%s)",
                       format_size(p->filesystem.temp_size, a), format_size(p->resources.storage, b));
    if (p->filesystem.temp_size == p->resources.storage && p->filesystem.writable_paths.count)
        return err_set(err, -EINVAL, BLAME_CALLER, NULL,
                       "filesystem.temp_size (%s) takes all of resources.storage and leaves nothing for "
                       "filesystem.writable_paths",
                       format_size(p->filesystem.temp_size, a));
    if (p->execution.max_processes > p->resources.pids)
        return err_set(err, -EINVAL, BLAME_CALLER, NULL,
                       "execution.max_processes (%u) is larger than resources.pids (%u)", p->execution.max_processes,
                       p->resources.pids);
    return 0;
}

static int check_words(const struct profile *p, struct error *err)
{
    const char *filter = p->security.seccomp;
    if (!is_all_of(p->name, LETTERS DIGITS "_.- "))
        return err_set(err, -EINVAL, BLAME_CALLER, NULL,
                       "name: '%.60s' is not accepted; expected letters, digits, spaces and _ . -", p->name);
    if (p->security.drop_all_caps && p->security.cap_add.count)
        return err_set(err, -EINVAL, BLAME_CALLER, NULL,
                       "security.capabilities.add gives what security.drop_all_caps takes; one of them has to go");
    if (p->security.user.uid == 0 || p->security.user.gid == 0)
        return err_set(err, -EINVAL, BLAME_CALLER, NULL,
                       "security.user: '%u:%u' contains root (0); nothing runs as root", p->security.user.uid,
                       p->security.user.gid);
    if (!str_eq(filter, "default") && !str_eq(filter, "strict") && !strchr(filter, '/'))
        return err_set(err, -EINVAL, BLAME_CALLER, NULL,
                       "security.seccomp: '%.60s' is not accepted; expected default, strict or the path of a JSON file "
                       "(with a /)",
                       filter);
    if (!is_all_of(p->security.apparmor, LETTERS DIGITS "_.-/"))
        return err_set(err, -EINVAL, BLAME_CALLER, NULL,
                       "security.apparmor: '%.60s' is not accepted; expected default, confined or a profile's name",
                       p->security.apparmor);
    if (!is_all_of(p->security.selinux, LETTERS DIGITS "_"))
        return err_set(err, -EINVAL, BLAME_CALLER, NULL,
                       "security.selinux: '%.60s' is not accepted; expected auto, default, confined, none or a type",
                       p->security.selinux);
    return 0;
}

static int check_network_rules(const struct strlist *l, const char *key, struct error *err)
{
    struct net_rule rule;
    const char *why;
    STRLIST_FOREACH(item, l)
    if (net_rule_parse(item, &rule, &why) < 0) {
        (void)err_set(err, -EINVAL, BLAME_CALLER, NULL,
                      "%s: '%.60s' is not accepted; expected a name, *.name or CIDR with an optional :port", key, item);
        return err_remedy(err, "%s", why);
    }
    return 0;
}

static int check_ports(const struct strlist *l, struct error *err)
{
    struct net_ports ports;
    STRLIST_FOREACH(item, l)
    if (net_ports_parse(item, &ports) < 0)
        return err_set(err, -EINVAL, BLAME_CALLER, NULL,
                       "network.ports: '%.60s' is not accepted; expected a port, a range such as 8000-8010, or all",
                       item);
    if (strlist_has(l, "all") && l->count > 1)
        return err_set(err, -EINVAL, BLAME_CALLER, NULL,
                       "network.ports: 'all' stands alone; it cannot be one of several ports");
    return 0;
}

static int check_network(const struct profile *p, struct error *err)
{
    const struct {
        const char *key;
        const struct strlist *list;
    } lists[] = {
        { "network.allow", &p->network.allow },
        { "network.deny", &p->network.deny },
        { "network.ports", &p->network.ports },
    };
    int r;
    for (size_t i = 0; i < ARRAY_LEN(lists); i++)
        if (lists[i].list->count > NET_MAX_RULES)
            return err_set(err, -EINVAL, BLAME_CALLER, NULL, "%s: %u items; at most %u are accepted", lists[i].key,
                           lists[i].list->count, NET_MAX_RULES);
    if ((r = check_network_rules(&p->network.allow, "network.allow", err)) < 0 ||
        (r = check_network_rules(&p->network.deny, "network.deny", err)) < 0 ||
        (r = check_ports(&p->network.ports, err)) < 0)
        return r;
    return 0;
}

int profile_check(const struct profile *p, struct error *err)
{
    int r;
    for (size_t i = 0; i < ARRAY_LEN(item_checks); i++) {
        const struct item_check *c = &item_checks[i];
        if ((r = check_items((const void *)((const char *)p + c->offset), c->is_good, c->key, c->expected, err)) < 0)
            return r;
    }
    for (int l = 0; l < LANG_COUNT; l++)
        if ((r = check_language(p, l, err)) < 0)
            return r;
    if ((r = check_limits(p, err)) < 0 || (r = check_network(p, err)) < 0)
        return r;
    return check_words(p, err);
}
