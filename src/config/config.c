/* config.c - the table of configuration keys, their checks, and how they bear on a profile. */
#include "config/config.h"

#include "base/severity.h"

#include "base/netrule.h"
#include "base/parse.h"

#include <stdio.h>

static const char *const network_modes[] = { "none", "bridge", NULL };
static const char *const log_formats[] = { "text", "json", NULL };
static const char *const sync_modes[] = { "always", "group", "os", NULL };
static const char *const authentications[] = { "none", "bearer", NULL };
static const char *const pages[] = { "off", "auto", "always", NULL };
static const char *const pull_policies[] = { "never", "missing", "always", NULL };
static const char *const content_addressings[] = { "path", "host", NULL };
static const char *const store_backends[] = { "sqlite", "postgresql", NULL };
static const char *const backends[] = { "native", "docker", "remote", NULL };
static const char *const events[] = { "execution_started", "execution_completed", "execution_failed",
                                      "security_violation", NULL };
static const char *const pattern_keys[] = { "name", "regex", "risk_increase", NULL };
static const char *const output_keys[] = { "file", "stdout", "stderr", NULL };
static const char *const channel_keys[] = { "type", "level", "path", NULL };
static const char *const condition_keys[] = { "name", "threshold", "window", NULL };

#define ROW(key, type, member, min, max, choices, preset, by, help)                     \
    {                                                                                   \
        key, type, offsetof(struct config, member), min, max, choices, preset, by, help \
    }
#define BOOL(m, preset, by, help)               ROW(#m, SET_BOOL, m, 0, 0, NULL, preset, by, help)
#define UINT(m, min, max, preset, by, help)     ROW(#m, SET_UINT, m, min, max, NULL, preset, by, help)
#define RATIO(m, preset, by, help)              ROW(#m, SET_RATIO, m, 0, 1000, NULL, preset, by, help)
#define DURATION(m, min, max, preset, by, help) ROW(#m, SET_DURATION, m, min, max, NULL, preset, by, help)
#define ENUM(m, choices, preset, by, help)      ROW(#m, SET_ENUM, m, 0, 0, choices, preset, by, help)
#define STRING(m, preset, by, help)             ROW(#m, SET_STRING, m, 0, 0, NULL, preset, by, help)
#define FLAGS(m, choices, preset, by, help)     ROW(#m, SET_FLAGS, m, 0, 0, choices, preset, by, help)
#define LIST(m, preset, by, help)               ROW(#m, SET_LIST, m, 0, 0, NULL, preset, by, help)

#define SIZE_OF(m, preset, by, help) ROW(#m, SET_SIZE, m, 0, 1024 * TIB, NULL, preset, by, help)

#define TIB       (UINT64_C(1) << 40)
#define SECOND_MS UINT64_C(1000)
#define HOUR_MS   (3600 * SECOND_MS)
#define DAY_MS    (24 * 3600 * SECOND_MS)
#define WEEK_MS   (7 * DAY_MS)
#define YEAR_MS   (365 * DAY_MS) /* what parse_duration reads at most */

/* Who reads a key. */
#define RUN     "run"
#define SERVICE "service"
#define BUILD   "packages create" /* by the command line or the service */
/* At most once an hour, off the path of runs (run/sweep.h) */
#define RETENTION "run, service: at most once an hour"
#define HOURLY    "service: at its start and once an hour"

#define RESOURCES(level, L)                                                                                           \
    ROW("sandbox.resources." level ".memory", SET_SIZE, sandbox.resources[L].memory, MIB, TIB, NULL, NULL, RUN,       \
        "instead of the profile's resources.memory"),                                                                 \
        ROW("sandbox.resources." level ".cpu", SET_CPU, sandbox.resources[L].cpu, 10, 1024 * 1000, NULL, NULL, RUN,   \
            "instead of the profile's resources.cpu"),                                                                \
        ROW("sandbox.resources." level ".timeout", SET_DURATION, sandbox.resources[L].timeout, 100, WEEK_MS, NULL,    \
            NULL, RUN, "instead of the profile's resources.timeout"),                                                 \
        ROW("sandbox.resources." level ".network", SET_ENUM, sandbox.resources[L].network, 0, 0, network_modes, NULL, \
            RUN, "instead of the profile's network.mode")

#define LANGUAGE(name, L, image)                                                                                       \
    ROW("languages." name ".enabled", SET_BOOL, languages[L].enabled, 0, 0, NULL, "true", RUN,                         \
        "whether this language is run at all"),                                                                        \
        ROW("languages." name ".default_image", SET_STRING, languages[L].default_image, 0, 0, NULL, image, RUN,        \
            "image of the docker backend where the profile names none"),                                               \
        ROW("languages." name ".blocked_modules.high_risk", SET_LIST, languages[L].blocked_modules.high_risk, 0, 0,    \
            NULL, "", RUN, "added to the profile's languages." name ".blocked_modules at high"),                       \
        ROW("languages." name ".blocked_modules.medium_risk", SET_LIST, languages[L].blocked_modules.medium_risk, 0,   \
            0, NULL, "", RUN, "added to the profile's languages." name ".blocked_modules at medium"),                  \
        ROW("languages." name ".blocked_commands.high_risk", SET_LIST, languages[L].blocked_commands.high_risk, 0, 0,  \
            NULL, "", RUN, "added to the profile's languages." name ".blocked_commands at high"),                      \
        ROW("languages." name ".blocked_commands.medium_risk", SET_LIST, languages[L].blocked_commands.medium_risk, 0, \
            0, NULL, "", RUN, "added to the profile's languages." name ".blocked_commands at medium"),                 \
        ROW("languages." name ".allow_compilation", SET_BOOL, languages[L].allow_compilation, 0, 0, NULL, "true", RUN, \
            "false: not compiled at high, whatever the profile allows; at low and medium the profile says")

#define PER_AGENT(level, L, runs, cpu)                                                            \
    ROW("rate_limiting.per_agent." level ".max_executions_per_hour", SET_UINT,                    \
        rate_limiting.per_agent[L].max_executions_per_hour, 1, 1000000, NULL, runs, RUN,          \
        "runs of one agent in any 60 minutes"),                                                   \
        ROW("rate_limiting.per_agent." level ".max_cpu_time_per_hour", SET_DURATION,              \
            rate_limiting.per_agent[L].max_cpu_time_per_hour, SECOND_MS, WEEK_MS, NULL, cpu, RUN, \
            "CPU time of one agent in any 60 minutes")

#define BUDGET(of, words)                                                                                             \
    UINT(rate_limiting.budgets.of.max_executions_per_day, 0, 1000000000, "0", RUN,                                    \
         "budget of " words " for a day of UTC: runs; 0: none"),                                                      \
        DURATION(rate_limiting.budgets.of.max_cpu_time_per_day, 0, YEAR_MS, "0", RUN, "likewise: CPU time; 0: none"), \
        UINT(rate_limiting.budgets.of.max_memory_per_day, 0, 4000000000, "0", RUN,                                    \
             "likewise: memory over time, MiB times seconds; 0: none"),                                               \
        SIZE_OF(rate_limiting.budgets.of.max_bytes_per_day, "0", RUN,                                                 \
                "likewise: bytes of connections, in and out together; 0: none")

static const struct setting table[] = {
    BOOL(sandbox.enabled, "true", RUN, "false: nothing is run, every request is refused"),
    ENUM(sandbox.default_risk_level, risk_level_names, "medium", RUN,
         "the level of a run that asks for none and whose agent is not known"),
    ENUM(sandbox.backend, backends, "native", RUN,
         "where code runs when a request does not say: in the sandbox of this machine, in containers of an engine, or "
         "on another machine (docs/remote.md)"),
    STRING(sandbox.remote.address, NULL, RUN,
           "backend remote: the other sandboxd, https://HOST:PORT; http:// on this machine's loopback only"),
    STRING(sandbox.remote.key_file, NULL, RUN,
           "backend remote: a file with a key of that sandboxd, which others may not read"),
    STRING(sandbox.remote.certificate, NULL, RUN,
           "backend remote: its certificate, or its authority's, in PEM: no other is accepted; not given: the system's "
           "authorities"),
    FLAGS(sandbox.remote.levels, risk_level_names, "low medium high", RUN,
          "backend remote: the levels that go there; what is decided to run at another one runs in this machine's "
          "sandbox"),
    DURATION(sandbox.remote.connect_timeout, 100, HOUR_MS, "5", RUN,
             "backend remote: time until there is a connection; then the run is a sandbox_error, and runs nowhere"),
    DURATION(sandbox.remote.patience, SECOND_MS, HOUR_MS, "60", RUN,
             "backend remote: time beside the program's own, such as waiting for a turn there"),
    STRING(
        sandbox.paths.profiles_dir, NULL, "run, profiles",
        "directory of low-risk.yaml, medium-risk.yaml and high-risk.yaml; a file that is not there: the installed one. "
        "Of an absent directory every run says so"),
    STRING(sandbox.paths.log_dir, NULL, RUN,
           "directory of the runs' log files; not given, or /var/log/sandbox: that one where it can be written, else "
           "$XDG_STATE_HOME/sandbox-agent/log. Other keys' paths below /var/log/sandbox are below the log directory in "
           "use"),
    STRING(sandbox.paths.state_dir, NULL, RUN,
           "directory of state.db and the audit's key; not given: /var/lib/sandbox-agent (root), else "
           "$XDG_STATE_HOME/sandbox-agent"),
    STRING(sandbox.paths.wrapper_script, NULL, SERVICE, "kept for AGiXT installations that name one"),
    STRING(sandbox.paths.agent_script, NULL, SERVICE, "kept for AGiXT installations that name one"),
    UINT(sandbox.cache.retention_days, 1, 36500, "30", RETENTION,
         "days until cached policies, scans and compiled programs are removed; they are made again when needed"),
    SIZE_OF(sandbox.cache.max_total_size, "1g", RETENTION, "bytes of all caches; beyond, the oldest go; 0: no bound"),
    LIST(sandbox.resolvers, "", RUN,
         "addresses of the DNS servers that are asked for sandboxes, each with an optional :port; an empty list: the "
         "host's /etc/resolv.conf"),
    RATIO(sandbox.risk_mapping.low_risk_threshold, "0.8", RUN, "trust from which an agent runs at low"),
    RATIO(sandbox.risk_mapping.medium_risk_threshold, "0.5", RUN, "trust from which an agent runs at medium"),
    RATIO(sandbox.risk_mapping.high_risk_threshold, "0", RUN, "trust from which an agent runs at all"),
    RESOURCES("low_risk", RISK_LOW),
    RESOURCES("medium_risk", RISK_MEDIUM),
    RESOURCES("high_risk", RISK_HIGH),

    BOOL(agixt.execution.use_sandbox, "true", SERVICE, "whether AGiXT's code execution goes through here"),
    BOOL(agixt.execution.fallback_to_direct, "false", "every command: true is refused",
         "code never runs outside a sandbox"),
    BOOL(agixt.execution.auto_risk_detection, "true", RUN, "let the scan make the level stricter"),
    BOOL(agixt.execution.allow_risk_override, "false", RUN, "let --risk-level ask for a laxer level"),
    ENUM(agixt.execution.laxest_level, risk_level_names, "low", RUN, "no run is ever laxer than this"),
    BOOL(agixt.trust.enabled, "true", RUN, "whether trust is kept"),
    RATIO(agixt.trust.default_score, "0.5", RUN, "trust of an agent never seen before"),
    RATIO(agixt.trust.decay_on_failure, "0.1", RUN,
          "taken after a run that failed in the sandbox: deadline, memory, limits, killed"),
    RATIO(agixt.trust.decay_on_error, "0.01", RUN,
          "taken after a program that ended with an error of its own; given back by successes, see error_rate"),
    RATIO(agixt.trust.error_rate, "0.3", RUN, "share of errors up to which they cost nothing in the end"),
    BOOL(agixt.trust.error_is_failure, "false", RUN, "an error of the program's own costs decay_on_failure"),
    RATIO(agixt.trust.increase_on_success, "0.05", RUN, "given after a success"),
    RATIO(agixt.trust.decay_on_attempt, "0.2", RUN, "taken after a hostile act that some layer stopped"),
    RATIO(agixt.trust.decay_on_violation, "0.3", RUN,
          "taken after a run with a violation, instead of decay_on_failure"),
    RATIO(agixt.trust.hysteresis, "0.05", RUN,
          "how far below its threshold a score may fall before the level that the agent holds is lost"),
    RATIO(
        agixt.trust.recover_per_hour, "0.05", RUN,
        "how fast a score below the agent's start returns to it, without remembered violations; 0: only by successes"),
    RATIO(agixt.trust.max_gain_per_hour, "0.1", RUN, "most that successes above the start give within 60 minutes"),
    RATIO(agixt.trust.max_gain_per_code, "0.05", RUN,
          "most that one and the same code gives above the start, however often it runs"),
    RATIO(agixt.trust.max_gain_per_shape, "0.05", RUN,
          "most that programs of one shape give above the start, whatever their names and values are"),
    UINT(agixt.trust.low_shapes, 0, 1000, "10", RUN, "low needs successes with so many shapes of programs"),
    UINT(agixt.trust.low_hours, 0, 1000, "4", RUN, "low needs successes in so many different hours"),
    DURATION(agixt.trust.low_age, 0, YEAR_MS, "24h", RUN, "low needs so much time since the first such success"),
    UINT(agixt.trust.work_size, 0, 10000, "20", RUN,
         "a program is work, and counts for low, from so many different constructs on"),
    RATIO(agixt.trust.bad_family_score, "0.4", RUN,
          "trust of a new agent whose key has an agent in quarantine or banned, where default_score is higher"),
    DURATION(agixt.trust.drift_after, 1, WEEK_MS, "24h", RUN, "silence after which trust drifts towards default_score"),
    RATIO(agixt.trust.drift_per_day, "0", RUN, "how far it drifts in a day of silence; 0: not at all"),
    RATIO(agixt.trust.max_score, "1", RUN, "highest trust"),
    RATIO(agixt.trust.min_score, "0", RUN, "lowest trust"),
    BOOL(agixt.analysis.enabled, "true", RUN, "whether code is scanned before the run"),
    BOOL(agixt.analysis.block_on_detection, "false", RUN,
         "refuse what the scan's own rules call high or critical; a pattern of agixt.analysis.patterns only raises the "
         "risk"),
    BOOL(agixt.analysis.resemblance, "true", RUN,
         "whether what a program resembles counts beside the rules: the finding scan-resemblance, and that a rule's "
         "finding below critical lowers no level where nothing else supports it; false: the rules alone"),
    DURATION(agixt.analysis.timeout, 100, 60 * SECOND_MS, "2", RUN,
             "CPU time for one scan, a quarter of it for the scanner's start, and eight times that by the clock; "
             "beyond it the scan is a finding"),
    RATIO(agixt.analysis.threshold, "0.05", RUN, "a scan whose risk is below it changes no level"),
    RATIO(agixt.analysis.needs_risk, "0", RUN,
          "risk for each kind of thing that a program needs (network, programs, deletion ...), which are facts and no "
          "findings"),
    ROW("agixt.analysis.patterns", SET_RECORDS, agixt.analysis.patterns, 0, 0, pattern_keys, "", RUN,
        "further patterns; regex is needed, risk_increase lies between 0 and 1"),

    LANGUAGE("python", LANG_PYTHON, "python:3.11-slim"),
    ROW("languages.python.preload", SET_LIST, languages[LANG_PYTHON].preload, 0, 0, NULL, "", RUN,
        "modules of the host's python that the one which is forked for runs imports beforehand (docs/warm.md)"),
    LANGUAGE("node", LANG_NODE, "node:18-slim"),
    LANGUAGE("bash", LANG_BASH, "debian:12-slim"),
    LANGUAGE("go", LANG_GO, "golang:1.19"),
    LANGUAGE("rust", LANG_RUST, "rust:1.63"),

    BOOL(monitoring.logging.enabled, "true", "run, service", "whether the service, and the events of runs, are logged"),
    ENUM(monitoring.logging.level, log_level_names, "info", "run, service", "least severe words that are logged"),
    ENUM(monitoring.logging.format, log_formats, "text", "run, service", "how lines are written"),
    ROW("monitoring.logging.output", SET_TARGETS, monitoring.logging.output, 0, 0, output_keys, "stderr",
        "run, service",
        "where lines go: stderr, stdout, journald, syslog, syslog-rfc5424 (these also with :PATH of the socket), or "
        "absolute paths of files; also as mappings (file: PATH, stdout: true). All but files are the service's; all "
        "but stderr also get "
        "a line for each event of a run, on the command line files only; a file of 16 MiB is moved to NAME.1; what "
        "journald, syslog or stdout do not take at once is dropped and counted"),
    UINT(monitoring.logging.retention_days, 1, 36500, "30", RETENTION,
         "days until the log files of runs are removed; never the audit"),
    SIZE_OF(monitoring.logging.max_total_size, "1g", RETENTION,
            "bytes of all log files of runs; beyond, the oldest go; 0: no bound"),
    BOOL(monitoring.metrics.enabled, "true", SERVICE, "whether /metrics is served"),
    DURATION(monitoring.metrics.collect_interval, SECOND_MS, DAY_MS, "60", SERVICE, "time between two collections"),
    LIST(monitoring.metrics.metrics, "", SERVICE, "which metrics; an empty list: all"),
    BOOL(monitoring.alerts.enabled, "true", RUN, "whether alerts are sent"),
    ROW("monitoring.alerts.channels", SET_TARGETS, monitoring.alerts.channels, 0, 0, channel_keys, "log", RUN,
        "where to: log or log:LEVEL (level is the line's; below monitoring.logging.level it is not written), "
        "command:PATH (absolute), webhook, and to people email:ADDRESS, slack:FILE, teams:FILE, matrix:FILE (the "
        "service; FILE has the chat's URL in its first line, and for Matrix a token in the second); also as mappings "
        "with type, level and path"),
    DURATION(monitoring.alerts.repeat_after, 0, 7 * DAY_MS, "1h", SERVICE,
             "to people: the same condition of the same agent is not told again before"),
    DURATION(monitoring.alerts.digest, 0, DAY_MS, "60", SERVICE,
             "to people: after a message, alerts of so long are gathered into the next one"),
    STRING(monitoring.alerts.quiet, NULL, SERVICE,
           "to people: local time such as 22:00-07:00, whose alerts are told at its end; quarantine and ban at once"),
    STRING(monitoring.alerts.smtp.url, NULL, SERVICE,
           "the mail server: smtps://HOST[:PORT], or smtp://HOST[:PORT] with STARTTLS, which only a loopback address "
           "may lack"),
    STRING(monitoring.alerts.smtp.from, NULL, SERVICE, "the sender's address"),
    STRING(monitoring.alerts.smtp.user, NULL, SERVICE, "its user, where the server wants one"),
    STRING(monitoring.alerts.smtp.password_file, NULL, SERVICE, "a file with its password, not readable by others"),
    STRING(monitoring.alerts.smtp.ca_file, NULL, SERVICE, "certificates to trust instead of the system's"),
    ROW("monitoring.alerts.conditions", SET_RECORDS, monitoring.alerts.conditions, 0, 0, condition_keys,
        "name=high_failure_rate\x1fthreshold=0.5\x1fwindow=3600 "
        "name=excessive_executions\x1fthreshold=100\x1fwindow=3600 "
        "name=resource_limit_exceeded\x1fthreshold=0.9 "
        "name=refusal_stream\x1fthreshold=30\x1fwindow=3600",
        RUN,
        "high_failure_rate, excessive_executions, resource_limit_exceeded, refusal_stream, each with threshold and "
        "window"),

    STRING(monitoring.otlp.endpoint, NULL, SERVICE,
           "an OpenTelemetry collector: the URL that /v1/traces and /v1/metrics are added to; unset: nothing is sent"),
    STRING(monitoring.otlp.headers_file, NULL, SERVICE,
           "a file, not readable by others, with headers for it, one a line, such as «Authorization: Bearer TOKEN»; "
           "they go over https, or to a loopback address"),
    STRING(monitoring.otlp.ca_file, NULL, SERVICE, "certificates to trust instead of the system's"),
    BOOL(monitoring.otlp.allow_private, "false", SERVICE, "whether it may have a private or loopback address"),
    DURATION(monitoring.otlp.interval, SECOND_MS, DAY_MS, "60", SERVICE, "time between two posts of the metrics"),
    UINT(monitoring.otlp.queue_size, 16, 100000, "2048", SERVICE,
         "runs whose spans wait; more are dropped and counted"),

    BOOL(rate_limiting.enabled, "true", RUN, "whether limits are kept"),
    PER_AGENT("low_risk", RISK_LOW, "500", "3600"),
    PER_AGENT("medium_risk", RISK_MEDIUM, "100", "600"),
    PER_AGENT("high_risk", RISK_HIGH, "20", "180"),
    UINT(rate_limiting.global.max_concurrent_executions, 1, 100000, "50", RUN, "runs of all agents at once"),
    UINT(rate_limiting.global.max_executions_per_hour, 1, 10000000, "1000", RUN,
         "runs of all agents in any 60 minutes"),
    UINT(rate_limiting.per_key.max_new_agents_per_hour, 0, 1000000, "100", RUN,
         "agents never seen before that one key of the service may bring in any 60 minutes; 0: not limited"),
    BUDGET(per_agent, "an agent, at all levels together,"),
    BUDGET(per_key, "a key of the service, with all its agents,"),

    BOOL(security.require_authentication, "true", SERVICE, "whether the service asks for a key"),
    BOOL(security.verify_signatures, "false", RUN, "refuse code that its agent's key did not sign"),
    BOOL(security.audit_all, "true", RUN, "audit every run, not only refusals and violations"),
    ENUM(security.audit_sync, sync_modes, "group", RUN,
         "how durable the audit is before a run is told finished: always, group (at most 50 ms late), os (order only)"),
    UINT(security.audit_sign_every, 1, 1000000, "100", RUN, "lines of the audit between two signatures"),
    ROW("security.audit_max_size", SET_SIZE, security.audit_max_size, 64 * KIB, TIB, NULL, "256m", RUN,
        "size at which the audit goes on in a new file"),
    DURATION(
        security.audit_verify_interval, 0, 366 * DAY_MS, "86400", SERVICE,
        "time between two verifications of the whole audit by the service, the first soon after its start; 0: none"),
    UINT(security.audit_first_line, 1, UINT32_MAX, "1", SERVICE,
         "the audit's first line that is still here, when older files were archived elsewhere"),
    BOOL(security.receipts, "true", RUN, "a service keeps a signed statement of each run with its artifacts"),
    BOOL(security.store_artifacts.enabled, "true", RUN, "keep code, output and files of each run"),
    UINT(security.store_artifacts.retention_days, 1, 36500, "30", RETENTION, "days until they are removed"),
    SIZE_OF(security.store_artifacts.max_total_size, "4g", RETENTION,
            "bytes of the artifacts of all runs; beyond, those of the oldest runs go; 0: no bound"),
    STRING(security.store_artifacts.path, NULL, RUN, "directory; not given: artifacts below the log directory"),
    ROW("security.store_artifacts.max_size", SET_SIZE, security.store_artifacts.max_size, 0, TIB, NULL, "16m", RUN,
        "bytes kept of one run; what is larger is left out, and the manifest says so"),
    UINT(security.responses.quarantine_on_violations, 1, 1000000, "3", RUN, "violations until quarantine"),
    DURATION(security.responses.violation_window, SECOND_MS, YEAR_MS, "28d", RUN,
             "how long a violation is remembered: in full for the first half, fading in the second; longer after a "
             "quarantine"),
    BOOL(security.responses.ban_on_severe_violations, "true", RUN, "ban after one severe violation"),
    BOOL(security.responses.notify_admins, "true", RUN, "tell the alert channels of quarantine and ban"),
    UINT(security.baseline.runs, 0, 1000000, "10", RUN,
         "good runs that an agent's baseline learns from before anything is called new; 0: no baseline"),
    ENUM(security.baseline.severity, severity_names, "info", RUN,
         "of what an agent does for the first time: from medium on it goes to the alert channels, too"),

    BOOL(endpoints.api.enabled, "true", SERVICE, "whether the service listens for HTTP"),
    STRING(endpoints.api.host, "127.0.0.1", SERVICE, "address to listen on; beyond loopback only with a key"),
    UINT(endpoints.api.port, 1, 65535, "8080", SERVICE, "port to listen on"),
    STRING(endpoints.api.base_path, "/api/v1/sandbox", SERVICE, "path before every route"),
    ENUM(endpoints.api.authentication, authentications, "bearer", SERVICE, "how a client shows who it is"),
    STRING(endpoints.api.socket, NULL, SERVICE, "UNIX socket to listen on as well"),
    ENUM(endpoints.api.page, pages, "auto", SERVICE,
         "the operator's page at /ui/. auto: for this machine, and for others over TLS; always: also behind a proxy "
         "that "
         "ends TLS"),
    STRING(endpoints.api.tls.certificate, NULL, SERVICE,
           "PEM file with the certificate chain; with it the port speaks TLS"),
    STRING(endpoints.api.tls.key, NULL, SERVICE, "PEM file with the certificate's private key"),
    LIST(endpoints.api.allowed_hosts, "", SERVICE, "further names that a request may have in Host (behind a proxy)"),
    LIST(endpoints.api.allowed_origins, "", SERVICE, "web origins that may call, such as https://agents.example.org"),
    LIST(endpoints.api.volume_roots, "", SERVICE,
         "host directories below which a request may name volumes; none: no volumes"),
    ROW("endpoints.api.max_body", SET_SIZE, endpoints.api.max_body, 64 * KIB, 64 * MIB, NULL, "16m", SERVICE,
        "largest body of a request"),
    ROW("endpoints.api.max_buffered", SET_SIZE, endpoints.api.max_buffered, 16 * MIB, TIB, NULL, "512m", SERVICE,
        "memory for requests and output of all executions that wait or run; beyond it output is not kept, and new "
        "large "
        "requests are 503"),
    UINT(endpoints.api.max_connections, 8, 16384, "1024", SERVICE,
         "connections at once; more replace the one that has waited longest without a request"),
    DURATION(endpoints.api.request_timeout, SECOND_MS, HOUR_MS, "30", SERVICE, "time for a request to arrive whole"),
    DURATION(endpoints.api.idle_timeout, SECOND_MS, HOUR_MS, "60", SERVICE,
             "time between two requests on a connection"),
    DURATION(endpoints.api.write_timeout, SECOND_MS, HOUR_MS, "30", SERVICE,
             "time in which a client must take the next part of an answer"),
    DURATION(
        endpoints.api.linger, 0, 60 * SECOND_MS, "0", SERVICE,
        "how long a service that is told to end still takes requests, while /readyz says 503: what spreads requests "
        "over nodes hears of it and sends no more"),
    ROW("endpoints.api.max_storage", SET_SIZE, endpoints.api.max_storage, 0, TIB, NULL, "10g", SERVICE,
        "all snapshots of one key together, as they are stored; and likewise all package sets of one key"),
    UINT(endpoints.api.snapshots.retention_days, 0, 36500, "0", HOURLY,
         "days until snapshots are removed; 0: they stay until their key removes them"),
    SIZE_OF(endpoints.api.snapshots.max_total_size, "0", HOURLY,
            "bytes of the snapshots of all keys; beyond, the oldest go; 0: no bound but max_storage of each key"),
    UINT(endpoints.api.max_sessions, 1, 10000, "50", SERVICE, "sessions of one key that live at the same time"),
    UINT(endpoints.api.queue_size, 1, 100000, "256", SERVICE,
         "executions that wait for their turn; more are refused with 429"),
    DURATION(endpoints.api.queue_timeout, SECOND_MS, DAY_MS, "60", SERVICE, "longest wait for a turn"),
    UINT(endpoints.api.max_results, 1, 10000000, "10000", SERVICE, "finished executions whose results are kept"),
    STRING(endpoints.api.launcher, NULL, SERVICE,
           "socket of a launcher that another program starts (systemd); none: the service starts its own"),
    STRING(endpoints.api.agixt_secret_file, NULL, SERVICE,
           "file with AGiXT's AGIXT_API_KEY; with it AGiXT's own tokens are accepted"),
    STRING(endpoints.api.url, NULL, SERVICE, "for clients: where the service is, if host and port do not say it"),
    STRING(endpoints.api.key_file, NULL, SERVICE, "for clients: file with the key"),
    BOOL(endpoints.webhooks.enabled, "false", SERVICE, "whether events are posted"),
    LIST(endpoints.webhooks.urls, "", SERVICE, "where to"),
    ROW("endpoints.webhooks.events", SET_FLAGS, endpoints.webhooks.events, 0, 0, events,
        "execution_started execution_completed execution_failed security_violation", SERVICE, "which events"),
    STRING(endpoints.webhooks.secret_file, NULL, SERVICE,
           "file with the secret that posts are signed with; none: one is made in the state directory"),
    BOOL(endpoints.webhooks.allow_private, "false", SERVICE, "whether posts may go to private and loopback addresses"),
    DURATION(endpoints.webhooks.timeout, 100, HOUR_MS, "10", SERVICE, "time for one attempt"),
    UINT(endpoints.webhooks.max_attempts, 1, 20, "6", SERVICE, "attempts, with growing pauses between them"),
    UINT(endpoints.webhooks.queue_size, 1, 100000, "1000", SERVICE, "posts that wait; more are dropped and counted"),
    BOOL(endpoints.e2b.enabled, "true", SERVICE, "whether E2B's clients are answered (docs/e2b.md)"),
    BOOL(endpoints.daytona.enabled, "true", SERVICE, "whether Daytona's clients are answered (docs/daytona.md)"),
    BOOL(endpoints.piston.enabled, "false", SERVICE, "whether to listen for Piston's clients (docs/piston.md)"),
    STRING(endpoints.piston.host, "127.0.0.1", SERVICE, "address to listen on for them"),
    UINT(endpoints.piston.port, 0, 65535, "2000", SERVICE,
         "port to listen on for them; 0: any free one, which the log names"),
    STRING(endpoints.piston.key, NULL, SERVICE,
           "id of the key (key-…) whose rights they have, since they show none: sandbox-agent keys create"),
    BOOL(endpoints.piston.allow_remote, "false", SERVICE,
         "whether that address may be beyond loopback: all that reach it have the key's rights"),
    BOOL(endpoints.mcp.enabled, "true", SERVICE, "whether /mcp answers clients of the Model Context Protocol"),

    STRING(docker.daemon.socket, "/var/run/docker.sock", RUN, "the engine's socket: Docker's, or Podman's"),
    DURATION(docker.daemon.timeout, 100, DAY_MS, "30", RUN, "time the engine has for one answer"),
    STRING(docker.daemon.runtime, NULL, RUN,
           "the engine's runtime for our containers, such as runsc; not given: its default"),
    BOOL(docker.images.auto_pull, "false", RUN,
         "whether images are pulled at all; false: a missing one is an error that says how to get it"),
    ENUM(docker.images.pull_policy, pull_policies, "missing", RUN,
         "when, if auto_pull: never, if it is missing (if_not_present is the same), or before every run"),
    LIST(docker.images.allowed_registries, "", RUN, "registries to pull from; an empty list: none"),
    STRING(docker.container.network, "sandbox-agent", RUN,
           "bridge network for network.mode bridge, made where it is absent; none: such runs have no network either"),
    FLAGS(docker.container.accept_missing, feature_names, "user_ns", RUN,
          "what a profile requires and a container may yet lack (isolation.missing says so); everything else that is "
          "required and missing refuses the run"),
    LIST(docker.container.accept_mounts, "", RUN,
         "places of mounts that the engine or its hooks add to every container (a GPU's, lxcfs, /run/secrets); "
         "isolation.missing names them, any other unknown mount refuses the run"),
    BOOL(docker.container.remove_on_exit, "true", RUN,
         "remove a container after its run; false: stopped ones stay, for you to look at and to remove"),
    BOOL(docker.container.auto_cleanup, "true", RUN, "sweep containers whose owner died"),
    DURATION(docker.container.cleanup_interval, SECOND_MS, WEEK_MS, "300", RUN,
             "time between two sweeps of the service"),

    ENUM(store.backend, store_backends, "sqlite", RUN,
         "where agents, limits, runs, executions and keys are kept: state.db in sandbox.paths.state_dir, or a "
         "PostgreSQL "
         "database that several nodes share (docs/fleet.md)"),
    STRING(
        store.host, "/var/run/postgresql", RUN,
        "of PostgreSQL: the directory of its UNIX socket, or a host name. The latter always by TLS, and the server's "
        "certificate must be of this name"),
    UINT(store.port, 1, 65535, "5432", RUN, "its port; of a socket, the end of its name"),
    STRING(store.database, "sandbox", RUN, "its database"),
    STRING(store.user, NULL, RUN, "the role in it; not given: this process's user name"),
    STRING(store.password_file, NULL, RUN, "a file whose first line is the role's password, which others may not read"),
    STRING(store.ca_file, NULL, RUN, "authorities that may sign the server's certificate; not given: the system's"),
    STRING(store.certificate, NULL, RUN, "certificate that this node shows the server, as PEM"),
    STRING(store.key, NULL, RUN, "its key, readable for its owner only"),
    STRING(store.node, NULL, RUN, "this machine's name among the nodes; not given: its host name. Each its own"),
    BOOL(
        store.wait_for_disk, "false", RUN,
        "every commit waits for PostgreSQL's disk; false: changes of standing and keys and an administrator's acts do"),
    STRING(fleet.address, NULL, SERVICE,
           "where the other nodes ask this one for its executions and sessions: https://NAME:PORT (http:// on loopback "
           "only); not given: they cannot"),
    STRING(fleet.ca_file, NULL, SERVICE,
           "authorities that may sign the other nodes' certificates; not given: the system's"),
    STRING(fleet.certificate, NULL, SERVICE,
           "certificate that this node shows the others, as PEM, of the name in fleet.address: then it takes what a "
           "node passes on only from one that shows such a certificate itself"),
    STRING(fleet.key, NULL, SERVICE, "its key, which others than the service's user may not read"),
    BOOL(fleet.require_certificate, "true", SERVICE,
         "with fleet.certificate; false, while it is brought to the nodes one after the other: what a node passes on "
         "without a certificate is taken, too"),
    FLAGS(
        fleet.levels, risk_level_names, "low medium high", SERVICE,
        "the levels that this node runs: a run that is decided to be at another one is passed on to a node that takes "
        "that level, and refused where none lives"),
    DURATION(fleet.max_clock_difference, 100, DAY_MS, "5", SERVICE,
             "a node whose clock is further off the database's takes no runs: limits are counted by it"),
    UINT(fleet.max_concurrent_executions, 0, 100000, "0", SERVICE,
         "runs at once on this node; rate_limiting.global.max_concurrent_executions is of all nodes together. 0: no "
         "limit of its own"),
    BOOL(fleet.share_queue, "true", SERVICE,
         "whether what waits for its turn here (POST /executions) may be run by another node, and what waits there by "
         "this one: its code lies in the database until then"),
    UINT(fleet.witnesses, 0, 1000, "3", SERVICE,
         "how many other nodes sign the checkpoints of each node's audit; 0: none, and this node signs no other's. All "
         "nodes have the same"),
    DURATION(fleet.witness_interval, 100, 30000, "1", SERVICE,
             "time between two checkpoints of an audit that grows; what is younger than the last one, a holder of the "
             "audit's key can still rewrite"),
    STRING(content.place, NULL, SERVICE,
           "where the service keeps artifacts, snapshots and package sets beside its own disk, for all nodes "
           "(docs/content.md): a directory that all of them have, or s3://BUCKET or s3://BUCKET/PREFIX; not given: "
           "nowhere"),
    STRING(content.endpoint, NULL, SERVICE, "of S3: https://HOST or https://HOST:PORT (http:// on loopback only)"),
    STRING(content.region, "us-east-1", SERVICE, "of S3: the region that requests are signed for"),
    ENUM(content.addressing, content_addressings, "path", SERVICE,
         "of S3: where the bucket's name stands: in the path, or before the host"),
    STRING(content.credentials_file, NULL, SERVICE,
           "of S3: a file of two lines, access key and secret key, which others may not read; read for each request"),
    STRING(content.ca_file, NULL, SERVICE, "of S3: authorities that may sign its certificate; not given: the system's"),
    BOOL(warm.enabled, "false", SERVICE,
         "open sandboxes before they are asked for, with an interpreter that waits inside (docs/warm.md)"),
    BOOL(warm.command_line, "true", SERVICE,
         "lend this user's command line the service's launcher and what waits for its runs (docs/warm.md)"),
    RATIO(warm.memory, "0.05", SERVICE, "share of the machine's memory that those may take"),
    DURATION(warm.idle, SECOND_MS, DAY_MS, "60", SERVICE, "time after which those that no run asked for are given up"),
    STRING(packages.python_index, "https://pypi.org/simple", BUILD,
           "index that pip asks; http:// only on a network that you trust"),
    STRING(packages.node_registry, "https://registry.npmjs.org", BUILD, "registry that npm asks"),
    LIST(packages.hosts, "files.pythonhosted.org", BUILD,
         "hosts (NAME or NAME:PORT) that a build may connect to besides those two"),
    SIZE_OF(packages.max_size, "2g", BUILD, "bytes of one set's files"),
    DURATION(packages.timeout, SECOND_MS, DAY_MS, "600", BUILD, "time that a build may take"),

    BOOL(development.debug, "false", RUN, "as --debug"),
    BOOL(development.dry_run, "false", RUN, "as --dry-run"),
    BOOL(development.mock_execution, "false", "every command: true is refused", "no result is made up"),
    BOOL(development.verbose, "false", RUN, "as --log-level debug"),
};

const struct settings config_settings = { table, ARRAY_LEN(table) };

_Static_assert(ARRAY_LEN(table) <= ARRAY_LEN(((struct config *)0)->origin), "config.origin[] is too small");
_Static_assert(sizeof(struct config) <= UINT16_MAX, "setting.offset is 16 bits");

void config_defaults(struct config *c)
{
    memset(c, 0, sizeof *c);
    settings_preset(config_settings, c);
}

void config_done(struct config *c)
{
    settings_free(config_settings, c);
}

int config_find_key(const char *key)
{
    const struct setting *s = setting_find(config_settings, key);
    return s ? (int)(s - table) : -1;
}

/* ---- checks ---- */

/* Value of «key=» in a record, copied into out; false when absent or too long for any number or name. */
static bool record_get(const char *record, const char *key, char out[static 256])
{
    size_t length;
    const char *value = record_find(record, key, &length);
    if (!value || length >= 256)
        return false;
    memcpy(out, value, length);
    out[length] = '\0';
    return true;
}
static bool record_has(const char *record, const char *key)
{
    size_t length;
    return record_find(record, key, &length) != NULL;
}

static int check_patterns(const struct config *c, struct error *err)
{
    char value[256];
    uint32_t milli;
    STRLIST_FOREACH(record, &c->agixt.analysis.patterns)
    {
        if (!record_has(record, "regex"))
            return err_set(err, -EINVAL, BLAME_CALLER, NULL, "agixt.analysis.patterns: a pattern has no regex");
        if (record_has(record, "risk_increase") &&
            (!record_get(record, "risk_increase", value) || parse_ratio(value, &milli) < 0))
            return err_set(err, -EINVAL, BLAME_CALLER, NULL,
                           "agixt.analysis.patterns: risk_increase is not accepted; expected a number between 0 and 1");
    }
    return 0;
}

static int check_conditions(const struct config *c, struct error *err)
{
    static const char *const known[] = { "high_failure_rate", "excessive_executions", "resource_limit_exceeded",
                                         "refusal_stream" };
    static const char key[] = "monitoring.alerts.conditions";
    char value[256];
    uint32_t milli;
    uint64_t number;
    STRLIST_FOREACH(record, &c->monitoring.alerts.conditions)
    {
        bool is_known = false;
        for (size_t i = 0; record_get(record, "name", value) && i < ARRAY_LEN(known); i++)
            is_known = is_known || str_eq(value, known[i]);
        if (!is_known)
            return err_set(err, -EINVAL, BLAME_CALLER, NULL,
                           "%s: name is not accepted; expected high_failure_rate, excessive_executions, "
                           "resource_limit_exceeded or refusal_stream",
                           key);
        if (record_has(record, "threshold") && (!record_get(record, "threshold", value) ||
                                                (parse_cpu(value, &milli) < 0 && parse_u64(value, &number) < 0)))
            return err_set(err, -EINVAL, BLAME_CALLER, NULL,
                           "%s: threshold is not accepted; expected a number such as 0.5 or 100", key);
        if (record_has(record, "window") &&
            (!record_get(record, "window", value) || parse_duration(value, &number) < 0))
            return err_set(err, -EINVAL, BLAME_CALLER, NULL,
                           "%s: window is not accepted; expected seconds such as 3600, or 1h", key);
    }
    return 0;
}

static bool is_log_channel(const char *channel)
{
    if (str_eq(channel, "log"))
        return true;
    for (size_t i = 0; str_starts(channel, "log:") && log_level_names[i]; i++)
        if (str_eq(channel + strlen("log:"), log_level_names[i]))
            return true;
    return false;
}

/* Whether there is anything to send with and to is looked at where it is sent (daemon/messenger_send.c). */
static bool is_known_channel(const char *channel)
{
    static const char *const with_file[] = { "command:/", "slack:/", "teams:/", "matrix:/" };
    bool is_known = is_log_channel(channel) || str_eq(channel, "webhook") ||
                    (str_starts(channel, "email:") && strchr(channel, '@'));
    for (size_t i = 0; i < ARRAY_LEN(with_file); i++)
        is_known = is_known || str_starts(channel, with_file[i]);
    return is_known;
}

static int check_channels(const struct config *c, struct error *err)
{
    uint32_t from, to;
    const char *quiet = c->monitoring.alerts.quiet;
    STRLIST_FOREACH(channel, &c->monitoring.alerts.channels)
    if (!is_known_channel(channel))
        return err_set(err, -EINVAL, BLAME_CALLER, NULL,
                       "monitoring.alerts.channels: '%.60s' is not accepted; expected log, webhook, email:ADDRESS, or "
                       "command:, slack:, teams: or matrix: and an absolute path",
                       channel);
    if (quiet && parse_day_span(quiet, &from, &to) < 0)
        return err_set(err, -EINVAL, BLAME_CALLER, NULL,
                       "monitoring.alerts.quiet: '%.60s' is not accepted; expected a span of the day such as "
                       "22:00-07:00",
                       quiet);
    return 0;
}

/* A socket of a collector has the longest path that the kernel takes. */
static bool is_collector(const char *output)
{
    static const char *const names[] = { "journald", "syslog", "syslog-rfc5424" };
    const size_t length = strcspn(output, ":");
    const char *rest = output + length;
    for (size_t i = 0; i < ARRAY_LEN(names); i++)
        if (strlen(names[i]) == length && strncmp(output, names[i], length) == 0)
            return !*rest || (str_starts(rest, ":/") && strlen(rest) <= 108);
    return false;
}

static int check_outputs(const struct config *c, struct error *err)
{
    STRLIST_FOREACH(output, &c->monitoring.logging.output)
    if (!str_eq(output, "stderr") && !str_eq(output, "stdout") && output[0] != '/' && !is_collector(output))
        return err_set(err, -EINVAL, BLAME_CALLER, NULL,
                       "monitoring.logging.output: '%.60s' is not accepted; expected stderr, stdout, journald, syslog, "
                       "syslog-rfc5424, one of the last three with :PATH, or an absolute path",
                       output);
    return 0;
}

static int check_refused(const struct config *c, struct error *err)
{
    if (c->agixt.execution.fallback_to_direct) {
        (void)err_set(err, -EINVAL, BLAME_CALLER, NULL,
                      "agixt.execution.fallback_to_direct: 'true' is refused: code never runs outside a sandbox");
        (void)err_remedy(err, "remove the key; `sandbox-agent doctor` says what a sandbox needs here");
        return -EINVAL;
    }
    if (c->development.mock_execution) {
        (void)err_set(err, -EINVAL, BLAME_CALLER, NULL,
                      "development.mock_execution: 'true' is refused: no result is made up");
        (void)err_remedy(err, "remove the key; --dry-run shows what would run");
        return -EINVAL;
    }
    return 0;
}

static int check_paths(const struct config *c, struct error *err)
{
    const struct {
        const char *key, *path;
    } paths[] = {
        { "sandbox.paths.profiles_dir", c->sandbox.paths.profiles_dir },
        { "sandbox.paths.log_dir", c->sandbox.paths.log_dir },
        { "sandbox.paths.state_dir", c->sandbox.paths.state_dir },
        { "security.store_artifacts.path", c->security.store_artifacts.path },
        { "endpoints.api.base_path", c->endpoints.api.base_path },
        { "endpoints.api.socket", c->endpoints.api.socket },
        { "endpoints.api.launcher", c->endpoints.api.launcher },
        { "endpoints.api.tls.certificate", c->endpoints.api.tls.certificate },
        { "endpoints.api.tls.key", c->endpoints.api.tls.key },
        { "endpoints.api.agixt_secret_file", c->endpoints.api.agixt_secret_file },
        { "endpoints.api.key_file", c->endpoints.api.key_file },
        { "endpoints.webhooks.secret_file", c->endpoints.webhooks.secret_file },
        { "monitoring.alerts.smtp.password_file", c->monitoring.alerts.smtp.password_file },
        { "monitoring.alerts.smtp.ca_file", c->monitoring.alerts.smtp.ca_file },
        { "monitoring.otlp.headers_file", c->monitoring.otlp.headers_file },
        { "monitoring.otlp.ca_file", c->monitoring.otlp.ca_file },
        { "docker.daemon.socket", c->docker.daemon.socket },
        { "sandbox.remote.key_file", c->sandbox.remote.key_file },
        { "sandbox.remote.certificate", c->sandbox.remote.certificate },
        { "store.password_file", c->store.password_file },
        { "store.ca_file", c->store.ca_file },
        { "store.certificate", c->store.certificate },
        { "store.key", c->store.key },
        { "fleet.ca_file", c->fleet.ca_file },
        { "fleet.certificate", c->fleet.certificate },
        { "fleet.key", c->fleet.key },
        { "content.credentials_file", c->content.credentials_file },
        { "content.ca_file", c->content.ca_file },
    };
    for (size_t i = 0; i < ARRAY_LEN(paths); i++)
        if (paths[i].path && paths[i].path[0] != '/')
            return err_set(err, -EINVAL, BLAME_CALLER, NULL, "%s: '%.60s' is not accepted; expected an absolute path",
                           paths[i].key, paths[i].path);
    return 0;
}

/* "/" would accept whatever there is. */
static int check_accepted_mounts(const struct config *c, struct error *err)
{
    STRLIST_FOREACH(place, &c->docker.container.accept_mounts)
    {
        size_t n = strlen(place);
        if (place[0] != '/' || n < 2 || place[n - 1] == '/' || strstr(place, "//") || strstr(place, "/."))
            return err_set(err, -EINVAL, BLAME_CALLER, NULL,
                           "docker.container.accept_mounts: '%.60s' is not accepted; expected an absolute path below / "
                           "such as /run/secrets",
                           place);
    }
    return 0;
}

static int check_resolvers(const struct config *c, struct error *err)
{
    struct net_address a;
    uint16_t port;
    if (c->sandbox.resolvers.count > NET_MAX_RESOLVERS)
        return err_set(err, -EINVAL, BLAME_CALLER, NULL, "sandbox.resolvers: %u items; at most %u are accepted",
                       c->sandbox.resolvers.count, NET_MAX_RESOLVERS);
    STRLIST_FOREACH(item, &c->sandbox.resolvers)
    if (net_server_parse(item, 53, &a, &port) < 0)
        return err_set(
            err, -EINVAL, BLAME_CALLER, NULL,
            "sandbox.resolvers: '%.60s' is not accepted; expected an address such as 192.0.2.1, 192.0.2.1:5353 or "
            "[2001:db8::1]:5353",
            item);
    return 0;
}

/* It becomes an argument of pip's or npm's and a rule of the network's. */
static bool is_index(const char *url)
{
    static const char rest[] = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789-._~:/%+";
    const char *host = str_starts(url, "https://") ? url + 8 : str_starts(url, "http://") ? url + 7 : "";
    return *host && *host != '/' && *host != ':' && strspn(host, rest) == strlen(host) && strlen(url) < 512;
}

static int check_packages(const struct config *c, struct error *err)
{
    const struct {
        const char *key, *url;
    } urls[] = { { "packages.python_index", c->packages.python_index },
                 { "packages.node_registry", c->packages.node_registry } };
    for (size_t i = 0; i < ARRAY_LEN(urls); i++)
        if (!is_index(urls[i].url))
            return err_set(err, -EINVAL, BLAME_CALLER, NULL,
                           "%s: '%.60s' is not accepted; expected https://HOST[:PORT][/PATH], without a password",
                           urls[i].key, urls[i].url);
    STRLIST_FOREACH(host, &c->packages.hosts)
    {
        struct net_rule rule;
        if (net_rule_parse(host, &rule, NULL) < 0)
            return err_set(err, -EINVAL, BLAME_CALLER, NULL,
                           "packages.hosts: '%.60s' is not accepted; expected a host such as files.example.org or "
                           "files.example.org:443",
                           host);
    }
    return 0;
}

/* They reach a keeper, which imports them (src/fork). */
static int check_preload(const struct config *c, struct error *err)
{
    static const char letters[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789_.";
    const struct strlist *list = &c->languages[LANG_PYTHON].preload;
    if (list->count > PRELOAD_MAX)
        return err_set(err, -EINVAL, BLAME_CALLER, NULL, "languages.python.preload: %u items; at most %u are accepted",
                       list->count, PRELOAD_MAX);
    STRLIST_FOREACH(name, list)
    {
        if (name[strspn(name, letters)] || strlen(name) > PRELOAD_NAME_MAX || !strchr(letters, name[0]) ||
            name[0] == '.' || !name[0])
            return err_set(err, -EINVAL, BLAME_CALLER, NULL,
                           "languages.python.preload: '%s' is not accepted; expected a module such as numpy or xml.dom",
                           name);
    }
    return 0;
}

static int check_order(const struct config *c, struct error *err)
{
    if (c->sandbox.risk_mapping.low_risk_threshold < c->sandbox.risk_mapping.medium_risk_threshold ||
        c->sandbox.risk_mapping.medium_risk_threshold < c->sandbox.risk_mapping.high_risk_threshold)
        return err_set(err, -EINVAL, BLAME_CALLER, NULL,
                       "sandbox.risk_mapping: more risk needs less trust; expected low_risk_threshold >= "
                       "medium_risk_threshold >= high_risk_threshold");
    if (c->agixt.trust.min_score > c->agixt.trust.default_score ||
        c->agixt.trust.default_score > c->agixt.trust.max_score)
        return err_set(err, -EINVAL, BLAME_CALLER, NULL,
                       "agixt.trust: expected min_score <= default_score <= max_score");
    return 0;
}

static int check_piston(const struct config *c, struct error *err)
{
    const char *key = c->endpoints.piston.key;
    if (!c->endpoints.piston.enabled || (key && str_starts(key, "key-")))
        return 0;
    (void)err_set(err, -EINVAL, BLAME_CALLER, NULL,
                  "endpoints.piston.key %s; expected is the id of a key, such as key-25a16c95889e",
                  key ? "is no id of a key" : "is missing");
    return err_remedy(err, "sandbox-agent keys create --role run makes one and says its id");
}

/* Bucket and prefix as they stand in a URL and in a signature: no byte has to be quoted. */
static bool is_bucket(const char *place)
{
    static const char letters[] = "abcdefghijklmnopqrstuvwxyz0123456789.-";
    static const char rest[] = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789.-_/";
    const char *bucket = str_starts(place, "s3://") ? place + strlen("s3://") : "";
    const size_t n = strspn(bucket, letters);
    const char *prefix = bucket + n;
    return n >= 3 && n <= 63 && (!*prefix || *prefix == '/') && !strchr(".-", bucket[0]) && strlen(prefix) <= 256 &&
           strspn(prefix, rest) == strlen(prefix) && !strstr(prefix, "//") && !strstr(prefix, "/.");
}

static int check_content(const struct config *c, struct error *err)
{
    static const char letters[] = "abcdefghijklmnopqrstuvwxyz0123456789-";
    const char *place = c->content.place, *endpoint = c->content.endpoint, *region = c->content.region;
    const char *host = endpoint && is_index(endpoint) ? strstr(endpoint, "://") + 3 : NULL;
    if (!place || place[0] == '/')
        return 0;
    if (!is_bucket(place))
        return err_set(err, -EINVAL, BLAME_CALLER, NULL,
                       "content.place: '%.60s' is not accepted; expected a directory's absolute path, s3://BUCKET or "
                       "s3://BUCKET/PREFIX",
                       place);
    if (!host || strspn(host, "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789.-:") != strlen(host))
        return err_set(err, -EINVAL, BLAME_CALLER, NULL,
                       "content.endpoint: '%.60s' is not accepted; with s3:// expected https://HOST or "
                       "https://HOST:PORT",
                       endpoint ? endpoint : "");
    if (!region || !*region || strlen(region) > 64 || strspn(region, letters) != strlen(region))
        return err_set(err, -EINVAL, BLAME_CALLER, NULL,
                       "content.region: '%.60s' is not accepted; expected a name such as us-east-1",
                       region ? region : "");
    if (!c->content.credentials_file)
        return err_set(err, -EINVAL, BLAME_CALLER, NULL, "content.credentials_file is missing: content.place is of S3");
    return 0;
}

int config_check(const struct config *c, struct error *err)
{
    static int (*const checks[])(const struct config *, struct error *) = {
        check_refused,  check_paths,      check_accepted_mounts, check_resolvers, check_order,
        check_patterns, check_conditions, check_channels,        check_outputs,   check_packages,
        check_preload,  check_piston,     check_content
    };
    for (size_t i = 0; i < ARRAY_LEN(checks); i++) {
        int r = checks[i](c, err);
        if (r < 0)
            return r;
    }
    return 0;
}

/* ---- over a profile ---- */

/* The origin of a configuration key, if a file gave it; else NULL. */
static const struct origin *given(const struct config *c, const char *prefix, const char *section, const char *suffix)
{
    char key[SETTING_KEY_MAX];
    (void)snprintf(key, sizeof key, "%s%s%s", prefix, section, suffix);
    int i = config_find_key(key);
    assert(i >= 0); /* the caller spells a key of our own table */
    return c->origin[i].source == ORIGIN_CONFIG ? &c->origin[i] : NULL;
}
static void set_origin(struct profile *p, const char *key, const struct origin *o)
{
    int i = profile_find_key(key);
    assert(i >= 0);
    p->origin[i] = *o;
}

static void apply_resources(const struct config *c, struct profile *p)
{
    static const char *const sections[] = { "low_risk", "medium_risk", "high_risk" };
    const char *section = sections[p->risk_level];
    const struct config_resources *r = &c->sandbox.resources[p->risk_level];
    const struct origin *o;
    if ((o = given(c, "sandbox.resources.", section, ".memory"))) {
        p->resources.memory = r->memory;
        set_origin(p, "resources.memory", o);
    }
    if ((o = given(c, "sandbox.resources.", section, ".cpu"))) {
        p->resources.cpu = r->cpu;
        set_origin(p, "resources.cpu", o);
    }
    if ((o = given(c, "sandbox.resources.", section, ".timeout"))) {
        p->resources.timeout = r->timeout;
        set_origin(p, "resources.timeout", o);
    }
    if ((o = given(c, "sandbox.resources.", section, ".network"))) {
        p->network.mode = r->network;
        set_origin(p, "network.mode", o);
    }
}

/* Adds what is new; the profile's key then comes from the configuration. */
static int apply_list(const struct config *c, struct profile *p, int lang, const char *what, const struct strlist *from,
                      struct strlist *to, struct error *err)
{
    char section[64], key[SETTING_KEY_MAX];
    bool has_changed = false;
    STRLIST_FOREACH(item, from)
    {
        if (strlist_has(to, item))
            continue;
        int r = strlist_add(to, item);
        if (r < 0)
            return err_set(err, r, BLAME_CALLER, NULL, "languages.%s.%s: the list is too long", language_names[lang],
                           what);
        has_changed = true;
    }
    if (!has_changed)
        return 0;
    (void)snprintf(section, sizeof section, "%s.%s", language_names[lang], what);
    (void)snprintf(key, sizeof key, "languages.%s", section);
    const struct origin *o = given(c, "languages.", section,
                                   p->risk_level == RISK_HIGH ? ".high_risk" : ".medium_risk");
    if (o)
        set_origin(p, key, o);
    return 0;
}

static int apply_image(const struct config *c, struct profile *p, int lang, struct error *err)
{
    char key[SETTING_KEY_MAX];
    if (p->languages[lang].image || !c->languages[lang].default_image)
        return 0;
    (void)snprintf(key, sizeof key, "languages.%s.image", language_names[lang]);
    int r = setting_parse(setting_find(profile_settings, key), p, c->languages[lang].default_image, err);
    if (r < 0)
        return r;
    const struct origin *o = given(c, "languages.", language_names[lang], ".default_image");
    if (o)
        set_origin(p, key, o);
    return 0;
}

int config_apply(const struct config *c, struct profile *p, struct error *err)
{
    apply_resources(c, p);
    for (int l = 0; l < LANG_COUNT; l++) {
        const struct config_language *from = &c->languages[l];
        struct language_rules *to = &p->languages[l];
        int r = apply_image(c, p, l, err);
        if (r == 0 && p->risk_level == RISK_HIGH) {
            r = apply_list(c, p, l, "blocked_modules", &from->blocked_modules.high_risk, &to->blocked_modules, err);
            if (r == 0)
                r = apply_list(c, p, l, "blocked_commands", &from->blocked_commands.high_risk, &to->blocked_commands,
                               err);
        } else if (r == 0 && p->risk_level == RISK_MEDIUM) {
            r = apply_list(c, p, l, "blocked_modules", &from->blocked_modules.medium_risk, &to->blocked_modules, err);
            if (r == 0)
                r = apply_list(c, p, l, "blocked_commands", &from->blocked_commands.medium_risk, &to->blocked_commands,
                               err);
        }
        if (r < 0)
            return r;
    }
    return 0;
}

bool config_may_compile(const struct config *c, const struct profile *p, enum language lang)
{
    if (lang >= LANG_COUNT || !p->execution.allow_compilation)
        return false;
    return p->risk_level != RISK_HIGH || c->languages[lang].allow_compilation;
}
