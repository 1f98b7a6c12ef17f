/* config.h - the configuration: what is true for this machine or this user, not for one level.
 *
 * struct config mirrors the key paths of the contract: `sandbox.paths.log_dir` is
 * cfg.sandbox.paths.log_dir. Filled by config_defaults(), then from up to three files in the
 * order of enum config_file, a later one winning key by key. Who filled it owns its strings
 * (config_done); one that came out of the policy cache borrows them.
 * It carries no state of a run.
 */
#pragma once
#include "config/profile.h"

enum config_file { CONFIG_SYSTEM, CONFIG_USER, CONFIG_OPTION, CONFIG_FILE_COUNT };
enum store_backend { STORE_SQLITE, STORE_POSTGRESQL };
enum content_addressing { CONTENT_BY_PATH, CONTENT_BY_HOST };
enum config_backend { BACKEND_NATIVE, BACKEND_DOCKER, BACKEND_REMOTE, BACKEND_COUNT };
enum config_page { PAGE_OFF, PAGE_AUTO, PAGE_ALWAYS };
enum config_log_format { CONFIG_LOG_TEXT, CONFIG_LOG_JSON };
enum audit_sync { AUDIT_SYNC_ALWAYS, AUDIT_SYNC_GROUP, AUDIT_SYNC_OS };
/* The settings of sandbox.resources that a file did not give: memory, cpu and timeout are 0, network is this. */
#define NETWORK_UNSET UINT8_MAX

struct config_resources {
    uint64_t memory, timeout /* ms */;
    uint32_t cpu; /* milli */
    uint8_t network;
};

#define PRELOAD_MAX      32u  /* modules of languages.python.preload … */
#define PRELOAD_NAME_MAX 100u /* … and letters of one */

/* Another sandboxd, which runs what this machine shall not (docs/remote.md). */
struct config_remote {
    const char *address, *key_file, *certificate; /* NULL: not given */
    uint32_t levels;                              /* bit per enum risk_level that goes there */
    uint64_t connect_timeout, patience;           /* ms */
};

struct config_language {
    bool enabled, allow_compilation;
    const char *default_image;
    struct {
        struct strlist high_risk, medium_risk;
    } blocked_modules, blocked_commands;
    struct strlist preload; /* python's only */
};

#define LEVELS_ALL ((1u << RISK_COUNT) - 1)

struct config {
    struct {
        bool enabled;
        uint8_t default_risk_level, backend;
        struct {
            const char *profiles_dir, *log_dir, *state_dir, *wrapper_script, *agent_script; /* NULL: not given */
        } paths;
        struct {
            uint32_t retention_days;
            uint64_t max_total_size;
        } cache;
        struct config_remote remote;
        struct strlist resolvers; /* of DNS: «address» or «address:port»; empty: the host's resolv.conf */
        struct {
            uint32_t low_risk_threshold, medium_risk_threshold, high_risk_threshold; /* milli */
        } risk_mapping;
        struct config_resources resources[RISK_COUNT];
    } sandbox;
    struct {
        struct {
            bool use_sandbox, fallback_to_direct, auto_risk_detection, allow_risk_override;
            uint8_t laxest_level; /* enum risk_level */
        } execution;
        struct {
            bool enabled;
            uint32_t default_score, decay_on_failure, decay_on_error, error_rate, decay_on_attempt, decay_on_violation,
                increase_on_success, max_score, min_score, hysteresis, recover_per_hour, max_gain_per_hour,
                max_gain_per_code, max_gain_per_shape, bad_family_score, drift_per_day; /* milli */
            uint32_t low_shapes, low_hours, work_size;
            uint64_t drift_after, low_age; /* ms */
            bool error_is_failure;
        } trust;
        struct {
            bool enabled, block_on_detection, resemblance;
            uint64_t timeout;               /* ms */
            uint32_t threshold, needs_risk; /* milli */
            struct strlist patterns;        /* records: name regex risk_increase */
        } analysis;
    } agixt;
    struct config_language languages[LANG_COUNT];
    struct {
        struct {
            bool enabled;
            uint8_t level, format; /* enum log_level, config_log_format */
            struct strlist output;
            uint32_t retention_days; /* of run logs */
            uint64_t max_total_size;
        } logging;
        struct {
            bool enabled;
            uint64_t collect_interval; /* ms */
            struct strlist metrics;
        } metrics;
        struct {
            bool enabled;
            struct strlist channels, conditions; /* conditions: records: name threshold window */
            uint64_t repeat_after, digest;       /* ms */
            const char *quiet;                   /* «22:00-07:00»; NULL: never */
            struct {
                const char *url, *from, *user, *password_file, *ca_file;
            } smtp;
        } alerts;
        struct {
            const char *endpoint, *headers_file, *ca_file; /* endpoint NULL: nothing is sent */
            bool allow_private;
            uint64_t interval; /* ms */
            uint32_t queue_size;
        } otlp;
    } monitoring;
    struct {
        bool enabled;
        struct {
            uint32_t max_executions_per_hour;
            uint64_t max_cpu_time_per_hour; /* ms */
        } per_agent[RISK_COUNT];
        struct {
            uint32_t max_concurrent_executions, max_executions_per_hour;
        } global;
        struct {
            uint32_t max_new_agents_per_hour;
        } per_key;
        struct {
            struct config_budget {
                uint32_t max_executions_per_day, max_memory_per_day; /* memory: MiB s */
                uint64_t max_cpu_time_per_day /* ms */, max_bytes_per_day;
            } per_agent, per_key;
        } budgets;
    } rate_limiting;
    struct {
        bool require_authentication, verify_signatures, audit_all, receipts;
        uint8_t audit_sync;
        uint32_t audit_sign_every;
        uint64_t audit_max_size, audit_verify_interval;
        uint32_t audit_first_line;
        struct {
            bool enabled;
            uint32_t retention_days;
            uint64_t max_size, max_total_size;
            const char *path;
        } store_artifacts;
        struct {
            uint32_t quarantine_on_violations;
            uint64_t violation_window; /* ms */
            bool ban_on_severe_violations, notify_admins;
        } responses;
        struct {
            uint32_t runs;
            uint8_t severity;
        } baseline;
    } security;
    struct {
        struct {
            bool enabled;
            const char *host, *base_path, *socket, *url, *key_file, *launcher;
            uint32_t port;
            uint8_t authentication, page;
            struct {
                const char *certificate, *key;
            } tls;
            struct strlist allowed_hosts, allowed_origins, volume_roots;
            uint64_t max_body, max_buffered, max_storage;
            uint64_t request_timeout, idle_timeout, write_timeout, queue_timeout, linger; /* ms */
            uint32_t max_connections, queue_size, max_results, max_sessions;
            const char *agixt_secret_file;
            struct {
                uint32_t retention_days;
                uint64_t max_total_size;
            } snapshots;
        } api;
        struct {
            bool enabled, allow_private;
            struct strlist urls;
            uint32_t events; /* bit per choice */
            const char *secret_file;
            uint64_t timeout; /* ms */
            uint32_t max_attempts, queue_size;
        } webhooks;
        struct {
            bool enabled;
        } mcp, e2b, daytona;
        struct {
            bool enabled, allow_remote;
            const char *host, *key; /* key: an id */
            uint32_t port;          /* 0: any free one */
        } piston;
    } endpoints;
    struct {
        struct {
            const char *socket, *runtime; /* runtime NULL: the engine's default */
            uint64_t timeout;             /* ms */
        } daemon;
        struct {
            bool auto_pull;
            uint8_t pull_policy;
            struct strlist allowed_registries;
        } images;
        struct {
            const char *network;
            uint32_t accept_missing; /* bit per enum feature */
            struct strlist accept_mounts;
            bool remove_on_exit, auto_cleanup;
            uint64_t cleanup_interval; /* ms */
        } container;
    } docker;
    struct {
        uint8_t backend; /* enum store_backend */
        const char *host, *database, *user, *password_file, *ca_file, *certificate, *key, *node;
        uint32_t port;
        bool wait_for_disk;
    } store;
    struct {
        const char *address, *ca_file, *certificate, *key;
        uint32_t levels; /* bit per enum risk_level that this node runs */
        bool share_queue, require_certificate;
        uint64_t max_clock_difference;      /* ms */
        uint32_t max_concurrent_executions; /* 0: no limit of the node's own */
        uint32_t witnesses;                 /* 0: audits are not witnessed */
        uint64_t witness_interval;          /* ms */
    } fleet;
    struct {
        const char *place, *endpoint, *region, *credentials_file, *ca_file;
        uint8_t addressing; /* enum content_addressing */
    } content;
    struct {
        bool enabled, command_line;
        uint32_t memory; /* thousandths of the machine's */
        uint64_t idle;   /* ms */
    } warm;
    struct {
        const char *python_index, *node_registry;
        struct strlist hosts; /* besides those two: «name» or «name:port» */
        uint64_t max_size, timeout /* ms */;
    } packages;
    struct {
        bool debug, dry_run, mock_execution, verbose;
    } development;

    struct origin origin[320]; /* parallel to config_settings */
};

extern const struct settings config_settings;

void config_defaults(struct config *c);
void config_done(struct config *c);
/* What no single key can check, and the two keys that are refused whatever else is said. A disabled
 * sandbox (sandbox.enabled: false) is a valid configuration: the command line refuses to run then. */
int config_check(const struct config *c, struct error *err);
int config_find_key(const char *key); /* index in config_settings (for origin[]), or -1 */

/* Lays the configuration over a profile that owns its strings: sandbox.resources.<level>.* where a
 * file gave them, languages.L.blocked_* of that level added to the profile's lists,
 * languages.L.default_image where the profile names none. Their origin becomes that of the configuration. */
int config_apply(const struct config *c, struct profile *p, struct error *err);
/* Whether go or rust is compiled: the profile says, and at high the configuration's languages.L.allow_compilation, too
 * (configurations for AGiXT have «false # Disable for high-risk»). */
bool config_may_compile(const struct config *c, const struct profile *p, enum language lang);
