/* profile.h - one risk profile: every word of it, as the contract names them.
 *
 * Filled by profile_defaults(), then from YAML (config/yaml.h), then from the configuration's
 * sandbox.resources.*, then from command line options. Who filled it from YAML owns its strings
 * (profile_done); one that was unpacked from the policy cache borrows them.
 */
#pragma once
#include "config/setting.h"

enum risk_level { RISK_LOW, RISK_MEDIUM, RISK_HIGH, RISK_COUNT };
enum language { LANG_PYTHON, LANG_NODE, LANG_BASH, LANG_GO, LANG_RUST, LANG_COUNT, LANG_COMMAND = LANG_COUNT };
enum network_mode { NETWORK_NONE, NETWORK_BRIDGE };
enum dns_mode { DNS_AUTO, DNS_DISABLED };
enum workspace_kind { WORKSPACE_MEMORY, WORKSPACE_DISK };
enum shell_access { SHELL_TRUE, SHELL_LIMITED, SHELL_NONE };
enum log_level { LOG_TRACE, LOG_DEBUG, LOG_INFO, LOG_WARN, LOG_ERROR };

extern const char *const risk_level_names[]; /* NULL-terminated: "low" ... */
int risk_level_find(const char *name);       /* enum risk_level, or -1 */
extern const char *const language_names[];   /* "python" ... "rust", "command", NULL */
extern const char *const log_level_names[];
extern const char *const feature_names[]; /* by enum feature, NULL-terminated */

#define WATCH_MAX_TARGETS 512u /* what a detector (src/watch) has memory for */
#define WATCH_MAX_NAMES   64u

struct language_rules {
    const char *image;              /* docker backend */
    struct strlist allowed_modules; /* the single word "all": no restriction; empty: none */
    struct strlist blocked_modules;
    bool interpreter_only; /* no child program may be executed */
    bool restricted;       /* no eval, exec, compile, __import__ / new Function */
    bool restricted_mode;  /* bash -r */
    struct strlist blocked_commands, restricted_commands;
};

struct profile {
    const char *name, *description;
    uint8_t risk_level;

    struct {
        uint64_t memory, timeout /* ms */, storage;
        uint32_t cpu /* milli */, pids;
        struct {
            uint64_t rbps, wbps; /* bytes a second; 0: unlimited */
            uint32_t riops, wiops;
        } io;
    } resources;
    struct {
        uint8_t mode, dns;
        struct strlist ports, allow, deny;
        bool disable_loopback;
        uint32_t max_connections, max_connections_per_second; /* 0: unlimited (of the first: what a broker keeps) */
        uint64_t max_bytes;                                   /* 0: unlimited */
    } network;
    struct {
        bool readonly_root, noexec_tmp;
        uint8_t workspace; /* of sessions: WORKSPACE_MEMORY, WORKSPACE_DISK */
        uint64_t temp_size;
        struct strlist allowed_mounts, writable_paths, blocked_paths;
    } filesystem;
    struct {
        struct user_ids user;
        struct strlist cap_drop, cap_add;
        bool no_new_privileges, read_only_code, drop_all_caps, mask_proc, disable_setuid;
        const char *seccomp;  /* "default", "strict" or a file */
        const char *apparmor; /* "default", "confined" or a profile's name */
        const char *selinux;  /* + security.selinux: "auto", "default", "confined", "none" or a type */
        bool seccomp_kill;    /* + security.seccomp_kill: dangerous calls kill instead of EPERM */
        uint32_t require;     /* bit per enum feature */
    } security;
    struct {
        bool allow_custom_env;
        struct strlist default_env, restricted_env;
    } environment;
    struct {
        uint32_t max_processes, max_file_descriptors, max_open_files;
        uint64_t max_file_size, max_output; /* + execution.max_output: bytes per stream */
        uint64_t grace;                     /* + execution.grace: ms between SIGTERM and SIGKILL */
        bool allow_compilation, allow_package_install, disable_fork_bomb;
        uint8_t shell_access;
    } execution;
    struct {
        bool enabled, metrics, audit_syscalls, record_all_output, alert_on_violations;
        const char *output; /* "true", "false", or where the logs of this level are */
        uint8_t level;
    } logging;
    struct language_rules languages[LANG_COUNT];
    struct {
        uint32_t max_executions_per_hour, max_executions_per_day, max_jobs_per_hour;
        uint64_t max_cpu_time_per_hour, cooldown_period; /* ms */
    } rate_limits;
    struct {
        bool detect_anomalies, syscall_monitoring, network_attempt_detection, privilege_escalation_detection,
            file_access_monitoring;
        struct strlist canaries;   /* + paths below /workspace */
        uint32_t pattern_matching; /* bit per choice */
    } monitoring;
    struct {
        struct strlist allow; /* + names of package sets; the single word "all": any */
    } packages;
    uint32_t kill_switches; /* bit per choice */
    struct {                /* thresholds; windows in ms, shares in thousandths */
        struct {
            uint64_t window;
            uint32_t cpu_share;
        } crypto_mining;
        struct {
            uint64_t window;
            uint32_t targets;
        } port_scanning;
        struct {
            uint64_t bytes, destination_bytes, window;
            uint32_t names;
        } data_exfiltration;
        struct {
            uint64_t window;
            uint32_t refused;
        } suspicious_syscalls;
        struct {
            uint64_t window;
            uint32_t hits, rate;
        } fork_bomb_detection;
        struct {
            uint64_t window;
            uint32_t share;
        } excessive_cpu_usage, excessive_memory_usage;
    } detectors;

    struct origin origin[160]; /* parallel to profile_settings; a static assertion keeps it large enough */
};

extern const struct settings profile_settings;

void profile_defaults(struct profile *p); /* the safe choice for every key */
void profile_done(struct profile *p);
/* Limits that no file gave follow those that it gave, where they belong together: pids is at least max_processes, one
 * number of descriptors means both, temp_size fits into storage. By their origins. */
void profile_follow(struct profile *p);
/* What no single key can check: drop_all_caps with cap_add, temp_size > storage, ... */
int profile_check(const struct profile *p, struct error *err);
/* Does kill_switches name it? */
bool profile_kills(const struct profile *p, const char *name);
/* Does kill_switches or monitoring.pattern_matching name it? */
bool profile_recognises(const struct profile *p, const char *name);
/* What the supervisor has to see so that the profile's detectors, summary and network work: enum notify_watch of
 * base/watch_bits.h */
uint32_t profile_watch(const struct profile *p);
int profile_find_key(const char *key); /* index in profile_settings (for origin[]), or -1 */
