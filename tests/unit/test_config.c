#include "test.h"

#include "base/feature.h"
#include "config/yaml.h"
#include "tool/load.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <time.h>

#ifndef SOURCE_DIR
#define SOURCE_DIR "."
#endif

/* ---- helpers ---- */

static int load_text(struct profile *p, const char *text, struct error *err)
{
    profile_defaults(p);
    return yaml_load("p.yaml", text, strlen(text), profile_settings, p, p->origin, ORIGIN_PROFILE, err);
}

static int load_config_text(struct config *c, const char *text, struct error *err)
{
    config_defaults(c);
    return yaml_load("c.yaml", text, strlen(text), config_settings, c, c->origin, ORIGIN_CONFIG, err);
}

/* What loading `text` as a profile complains about, checks included; "" if it is good. */
static const char *complaint(const char *text)
{
    static struct error err;
    struct profile p;
    err = (struct error){ 0 };
    if (load_text(&p, text, &err) == 0)
        (void)profile_check(&p, &err);
    profile_done(&p);
    return err.text;
}

static const char *config_complaint(const char *text)
{
    static struct error err;
    struct config c;
    err = (struct error){ 0 };
    if (load_config_text(&c, text, &err) == 0)
        (void)config_check(&c, &err);
    config_done(&c);
    return err.text;
}

/* The value of a key as it is printed. */
static const char *value_of(struct settings s, const void *base, const char *key)
{
    static char text[4096];
    struct buf b;
    const struct setting *found = setting_find(s, key);
    CHECK(found);
    buf_init(&b, sizeof text - 1);
    setting_print(found, base, &b);
    CHECK(!b.failed);
    memcpy(text, b.data, b.size + 1);
    buf_done(&b);
    return text;
}

static bool is_equal(struct settings s, const void *a, const void *b)
{
    struct buf pa, pb;
    buf_init(&pa, MIB);
    buf_init(&pb, MIB);
    settings_pack(s, a, &pa);
    settings_pack(s, b, &pb);
    bool equal = !pa.failed && !pb.failed && pa.size == pb.size && memcmp(pa.data, pb.data, pa.size) == 0;
    buf_done(&pa);
    buf_done(&pb);
    return equal;
}

/* A directory for one test; files are made in it by name. */
static char scratch[64];
static void scratch_make(void)
{
    (void)snprintf(scratch, sizeof scratch, "/tmp/sandbox-test.XXXXXX");
    CHECK(mkdtemp(scratch));
}
static const char *scratch_file(const char *name, const char *text)
{
    static char path[4][256];
    static unsigned turn;
    char *p = path[turn++ % 4];
    (void)snprintf(p, sizeof path[0], "%s/%s", scratch, name);
    FILE *f = fopen(p, "we");
    CHECK(f);
    CHECK(fputs(text, f) >= 0);
    CHECK_EQ(fclose(f), 0);
    return p;
}
static void scratch_remove(void)
{
    char command[256];
    (void)snprintf(command, sizeof command, "rm -rf '%s'", scratch);
    CHECK_EQ(system(command), 0);
}

/* ---- the tables ---- */

static const char *const contract_profile_keys[] = {
    "name",
    "description",
    "risk_level",
    "resources.memory",
    "resources.cpu",
    "resources.timeout",
    "resources.storage",
    "resources.pids",
    "resources.io.rbps",
    "resources.io.wbps",
    "resources.io.riops",
    "resources.io.wiops",
    "network.mode",
    "network.dns",
    "network.ports",
    "network.disable_loopback",
    "network.allow",
    "network.deny",
    "network.max_connections",
    "network.max_connections_per_second",
    "network.max_bytes",
    "filesystem.readonly_root",
    "filesystem.temp_size",
    "filesystem.workspace",
    "packages.allow",
    "filesystem.allowed_mounts",
    "filesystem.writable_paths",
    "filesystem.blocked_paths",
    "filesystem.noexec_tmp",
    "security.user",
    "security.capabilities.drop",
    "security.capabilities.add",
    "security.no_new_privileges",
    "security.seccomp",
    "security.apparmor",
    "security.selinux",
    "security.read_only_code",
    "security.drop_all_caps",
    "security.mask_proc",
    "security.disable_setuid",
    "security.require",
    "security.seccomp_kill",
    "environment.allow_custom_env",
    "environment.default_env",
    "environment.restricted_env",
    "execution.max_processes",
    "execution.allow_compilation",
    "execution.allow_package_install",
    "execution.shell_access",
    "execution.max_file_descriptors",
    "execution.max_file_size",
    "execution.max_open_files",
    "execution.disable_fork_bomb",
    "execution.max_output",
    "execution.grace",
    "logging.enabled",
    "logging.level",
    "logging.output",
    "logging.metrics",
    "logging.audit_syscalls",
    "logging.record_all_output",
    "logging.alert_on_violations",
    "rate_limits.max_executions_per_hour",
    "rate_limits.max_executions_per_day",
    "rate_limits.max_jobs_per_hour",
    "rate_limits.max_cpu_time_per_hour",
    "rate_limits.cooldown_period",
    "monitoring.detect_anomalies",
    "monitoring.syscall_monitoring",
    "monitoring.network_attempt_detection",
    "monitoring.privilege_escalation_detection",
    "monitoring.file_access_monitoring",
    "monitoring.canaries",
    "monitoring.pattern_matching",
    "kill_switches",
    "detectors.crypto_mining.cpu_share",
    "detectors.crypto_mining.window",
    "detectors.port_scanning.targets",
    "detectors.port_scanning.window",
    "detectors.data_exfiltration.bytes",
    "detectors.data_exfiltration.destination_bytes",
    "detectors.data_exfiltration.names",
    "detectors.data_exfiltration.window",
    "detectors.suspicious_syscalls.refused",
    "detectors.suspicious_syscalls.window",
    "detectors.fork_bomb_detection.hits",
    "detectors.fork_bomb_detection.rate",
    "detectors.fork_bomb_detection.window",
    "detectors.excessive_cpu_usage.share",
    "detectors.excessive_cpu_usage.window",
    "detectors.excessive_memory_usage.share",
    "detectors.excessive_memory_usage.window",
};
static const char *const contract_language_keys[] = {
    "image",      "allowed_modules", "blocked_modules",  "interpreter_only",
    "restricted", "restricted_mode", "blocked_commands", "restricted_commands"
};

static const char *const contract_config_keys[] = {
    "sandbox.enabled", "sandbox.default_risk_level", "sandbox.paths.profiles_dir", "sandbox.paths.log_dir",
    "sandbox.paths.wrapper_script", "sandbox.paths.agent_script", "sandbox.risk_mapping.low_risk_threshold",
    "sandbox.risk_mapping.medium_risk_threshold", "sandbox.risk_mapping.high_risk_threshold",
    "sandbox.resources.low_risk.memory", "sandbox.resources.low_risk.cpu", "sandbox.resources.low_risk.timeout",
    "sandbox.resources.low_risk.network", "sandbox.resources.medium_risk.memory", "sandbox.resources.medium_risk.cpu",
    "sandbox.resources.medium_risk.timeout", "sandbox.resources.medium_risk.network",
    "sandbox.resources.high_risk.memory", "sandbox.resources.high_risk.cpu", "sandbox.resources.high_risk.timeout",
    "sandbox.resources.high_risk.network", "agixt.execution.use_sandbox", "agixt.execution.fallback_to_direct",
    "agixt.execution.auto_risk_detection", "agixt.execution.allow_risk_override", "agixt.trust.enabled",
    "agixt.trust.default_score", "agixt.trust.decay_on_failure", "agixt.trust.increase_on_success",
    "agixt.trust.max_score", "agixt.trust.min_score", "agixt.analysis.enabled", "agixt.analysis.block_on_detection",
    "agixt.analysis.patterns", "monitoring.logging.enabled", "monitoring.logging.level", "monitoring.logging.format",
    "monitoring.logging.output", "monitoring.metrics.enabled", "monitoring.metrics.collect_interval",
    "monitoring.metrics.metrics", "monitoring.alerts.enabled", "monitoring.alerts.channels",
    "monitoring.alerts.conditions", "monitoring.alerts.repeat_after", "monitoring.alerts.digest",
    "monitoring.alerts.quiet", "monitoring.alerts.smtp.url", "monitoring.alerts.smtp.from",
    "monitoring.alerts.smtp.user", "monitoring.alerts.smtp.password_file", "monitoring.alerts.smtp.ca_file",
    "monitoring.otlp.endpoint", "monitoring.otlp.headers_file", "monitoring.otlp.ca_file",
    "monitoring.otlp.allow_private", "monitoring.otlp.interval", "monitoring.otlp.queue_size", "rate_limiting.enabled",
    "rate_limiting.per_agent.low_risk.max_executions_per_hour",
    "rate_limiting.per_agent.low_risk.max_cpu_time_per_hour",
    "rate_limiting.per_agent.medium_risk.max_executions_per_hour",
    "rate_limiting.per_agent.medium_risk.max_cpu_time_per_hour",
    "rate_limiting.per_agent.high_risk.max_executions_per_hour",
    "rate_limiting.per_agent.high_risk.max_cpu_time_per_hour", "rate_limiting.global.max_concurrent_executions",
    "rate_limiting.global.max_executions_per_hour", "security.require_authentication", "security.verify_signatures",
    "security.audit_all", "security.audit_sync", "security.store_artifacts.enabled",
    "security.store_artifacts.retention_days", "security.store_artifacts.path",
    "security.responses.quarantine_on_violations", "security.responses.ban_on_severe_violations",
    "security.responses.notify_admins", "endpoints.api.enabled", "endpoints.api.host", "endpoints.api.port",
    "endpoints.api.base_path", "endpoints.api.authentication", "endpoints.api.socket", "endpoints.api.page",
    "endpoints.api.tls.certificate", "endpoints.api.tls.key", "endpoints.api.allowed_hosts",
    "endpoints.api.allowed_origins", "endpoints.api.volume_roots", "endpoints.api.max_body",
    "endpoints.api.max_connections", "endpoints.api.request_timeout", "endpoints.api.idle_timeout",
    "endpoints.api.write_timeout", "endpoints.api.linger", "endpoints.api.queue_timeout", "endpoints.api.max_buffered",
    "endpoints.api.max_sessions", "endpoints.api.max_storage", "endpoints.api.queue_size", "endpoints.api.max_results",
    "endpoints.api.launcher", "endpoints.api.agixt_secret_file", "endpoints.api.url", "endpoints.api.key_file",
    "endpoints.webhooks.secret_file", "endpoints.webhooks.allow_private", "endpoints.webhooks.timeout",
    "endpoints.webhooks.max_attempts", "endpoints.webhooks.queue_size", "endpoints.e2b.enabled",
    "endpoints.daytona.enabled", "endpoints.piston.enabled", "endpoints.piston.host", "endpoints.piston.port",
    "endpoints.piston.key", "endpoints.piston.allow_remote", "endpoints.mcp.enabled", "endpoints.webhooks.enabled",
    "endpoints.webhooks.urls", "endpoints.webhooks.events", "docker.daemon.socket", "docker.daemon.timeout",
    "docker.images.auto_pull", "docker.images.pull_policy", "docker.images.allowed_registries",
    "docker.container.remove_on_exit", "docker.container.auto_cleanup", "docker.container.cleanup_interval",
    "warm.enabled", "warm.command_line", "warm.memory", "warm.idle", "languages.python.preload", "development.debug",
    "development.dry_run", "development.mock_execution", "development.verbose",
    /* added: issue 3 */
    "sandbox.paths.state_dir", "agixt.execution.laxest_level", "agixt.trust.decay_on_violation",
    "agixt.trust.max_gain_per_hour", "agixt.trust.max_gain_per_code", "agixt.trust.drift_after",
    "agixt.trust.drift_per_day", "agixt.analysis.resemblance", "agixt.analysis.timeout", "agixt.analysis.threshold",
    "agixt.analysis.needs_risk", "security.audit_sign_every", "security.audit_max_size",
    "security.audit_verify_interval", "security.audit_first_line", "security.store_artifacts.max_size",
    "security.responses.violation_window", "security.baseline.runs", "security.baseline.severity",
    /* added: issue 4 */
    "sandbox.resolvers",
    /* added: issue 19 */
    "store.backend", "store.host", "store.port", "store.database", "store.user", "store.password_file", "store.ca_file",
    "store.certificate", "store.key", "store.node", "store.wait_for_disk", "fleet.address", "fleet.ca_file",
    "fleet.certificate", "fleet.key", "fleet.require_certificate", "fleet.share_queue", "fleet.max_clock_difference",
    "fleet.witnesses", "fleet.witness_interval", "fleet.max_concurrent_executions", "content.place", "content.endpoint",
    "content.region", "content.addressing", "content.credentials_file", "content.ca_file",
    /* added: issue 6 */
    "sandbox.backend", "sandbox.remote.address", "sandbox.remote.key_file", "sandbox.remote.certificate",
    "fleet.levels", "sandbox.remote.levels", "sandbox.remote.connect_timeout", "sandbox.remote.patience",
    "docker.daemon.runtime", "docker.container.network", "docker.container.accept_missing",
    "docker.container.accept_mounts",
    /* added: issue 17 */
    "packages.python_index", "packages.node_registry", "packages.hosts", "packages.max_size", "packages.timeout",
    "endpoints.api.snapshots.retention_days", "endpoints.api.snapshots.max_total_size",
    /* added: issue 14 */
    "agixt.trust.decay_on_error", "agixt.trust.error_rate", "agixt.trust.error_is_failure",
    "agixt.trust.decay_on_attempt", "agixt.trust.hysteresis", "agixt.trust.recover_per_hour",
    "agixt.trust.max_gain_per_shape", "agixt.trust.low_shapes", "agixt.trust.low_hours", "agixt.trust.low_age",
    "agixt.trust.work_size", "agixt.trust.bad_family_score", "rate_limiting.per_key.max_new_agents_per_hour",
    /* added: issue 13, retention */
    "rate_limiting.budgets.per_agent.max_executions_per_day", "rate_limiting.budgets.per_agent.max_cpu_time_per_day",
    "rate_limiting.budgets.per_agent.max_memory_per_day", "rate_limiting.budgets.per_agent.max_bytes_per_day",
    "rate_limiting.budgets.per_key.max_executions_per_day", "rate_limiting.budgets.per_key.max_cpu_time_per_day",
    "rate_limiting.budgets.per_key.max_memory_per_day", "rate_limiting.budgets.per_key.max_bytes_per_day",
    "sandbox.cache.retention_days", "sandbox.cache.max_total_size", "monitoring.logging.retention_days",
    "monitoring.logging.max_total_size", "security.store_artifacts.max_total_size", "security.receipts"
};
static const char *const contract_config_language_keys[] = { "enabled",
                                                             "default_image",
                                                             "blocked_modules.high_risk",
                                                             "blocked_modules.medium_risk",
                                                             "blocked_commands.high_risk",
                                                             "blocked_commands.medium_risk",
                                                             "allow_compilation" };

static void check_keys(struct settings s, const char *const *keys, size_t n, const char *const *per_language, size_t m)
{
    char key[SETTING_KEY_MAX];
    for (size_t i = 0; i < n; i++) {
        if (!setting_find(s, keys[i]))
            (void)fprintf(stderr, "# missing: %s\n", keys[i]);
        CHECK(setting_find(s, keys[i]));
    }
    for (int l = 0; l < LANG_COUNT; l++)
        for (size_t i = 0; i < m; i++) {
            (void)snprintf(key, sizeof key, "languages.%s.%s", language_names[l], per_language[i]);
            CHECK(setting_find(s, key));
        }
    CHECK_EQ(s.count, n + LANG_COUNT * m); /* and no key without a line here */
}

TEST(the_tables_have_exactly_the_keys_of_the_contract)
{
    check_keys(profile_settings, contract_profile_keys, ARRAY_LEN(contract_profile_keys), contract_language_keys,
               ARRAY_LEN(contract_language_keys));
    check_keys(config_settings, contract_config_keys, ARRAY_LEN(contract_config_keys), contract_config_language_keys,
               ARRAY_LEN(contract_config_language_keys));
}

static void check_table(struct settings s)
{
    for (size_t i = 0; i < s.count; i++) {
        const struct setting *t = &s.table[i];
        CHECK(t->help && *t->help && t->enforced_by && *t->enforced_by);
        CHECK(strlen(t->key) < SETTING_KEY_MAX);
        if (!t->preset && t->type != SET_STRING && t->type != SET_ENUM)
            CHECK(t->min > 0); /* 0 has to mean «not given» */
        for (size_t j = 0; j < i; j++) {
            CHECK(strcmp(t->key, s.table[j].key) != 0);
            CHECK(t->offset != s.table[j].offset); /* a copied row that writes its neighbour's member */
        }
    }
}

TEST(every_row_is_complete_and_has_a_place_of_its_own)
{
    check_table(profile_settings);
    check_table(config_settings);
}

TEST(require_speaks_the_words_of_feature_name)
{
    const struct setting *s = setting_find(profile_settings, "security.require");
    for (int f = 0; f < FEATURE_COUNT; f++)
        CHECK_STR(s->choices[f], feature_name((enum feature)f));
    CHECK(s->choices[FEATURE_COUNT] == NULL);
}

/* ---- shipped profiles ---- */

#define RESTRICTED_FULL                                                                                              \
    "[user_ns, pid_ns, mount_ns, net_ns, ipc_ns, uts_ns, cgroup_ns, seccomp, landlock, no_new_privs, caps, memory, " \
    "cpu, pids, storage]"
#define ALL_SWITCHES                                                                                       \
    "[excessive_cpu_usage, excessive_memory_usage, network_access_attempt, privilege_escalation_attempt, " \
    "suspicious_syscalls, fork_bomb_detection, crypto_mining, port_scanning, data_exfiltration, reverse_shells]"

static const struct shipped {
    const char *key, *value[RISK_COUNT];
} shipped[] = {
    { "risk_level", { "low", "medium", "high" } },
    { "resources.memory", { "512m", "256m", "128m" } },
    { "resources.cpu", { "1", "0.5", "0.25" } },
    { "resources.timeout", { "300s", "120s", "60s" } },
    { "resources.storage", { "1g", "512m", "256m" } },
    { "resources.pids", { "50", "20", "10" } },
    { "resources.io.rbps", { "512m", "128m", "64m" } },
    { "resources.io.wbps", { "256m", "64m", "32m" } },
    { "resources.io.riops", { "16000", "4000", "2000" } },
    { "resources.io.wiops", { "8000", "2000", "1000" } },
    { "network.mode", { "bridge", "none", "none" } },
    { "network.dns", { "auto", "disabled", "disabled" } },
    { "network.disable_loopback", { "false", "false", "true" } },
    { "network.max_connections", { "100", "20", "20" } },
    { "network.max_connections_per_second", { "200", "20", "20" } },
    { "network.max_bytes", { "10g", "1g", "1g" } },
    { "filesystem.readonly_root", { "true", "true", "true" } },
    { "filesystem.temp_size", { "256m", "128m", "64m" } },
    { "filesystem.writable_paths", { "[/workspace]", "[]", "[]" } },
    { "filesystem.blocked_paths", { "[]", "[]", "[/proc, /sys, /dev, /etc, /var, /usr/bin, /bin]" } },
    { "filesystem.noexec_tmp", { "false", "false", "true" } },
    { "security.user", { "\"1000:1000\"", "\"65534:65534\"", "\"65534:65534\"" } },
    { "security.capabilities.drop", { "[ALL]", "[ALL]", "[ALL]" } },
    { "security.capabilities.add", { "[]", "[]", "[]" } },
    { "security.no_new_privileges", { "true", "true", "true" } },
    { "security.seccomp", { "default", "strict", "strict" } },
    { "security.apparmor", { "default", "confined", "confined" } },
    { "security.selinux", { "auto", "auto", "auto" } },
    { "security.read_only_code", { "true", "true", "true" } },
    { "security.drop_all_caps", { "true", "true", "true" } },
    { "security.mask_proc", { "false", "false", "true" } },
    { "security.disable_setuid", { "true", "true", "true" } },
    { "security.require",
      { "[user_ns, pid_ns, mount_ns, net_ns, seccomp, no_new_privs, caps]", RESTRICTED_FULL, RESTRICTED_FULL } },
    { "environment.allow_custom_env", { "true", "true", "false" } },
    { "execution.max_processes", { "50", "20", "5" } },
    { "execution.allow_compilation", { "true", "true", "false" } },
    { "execution.shell_access", { "true", "limited", "none" } },
    { "execution.max_file_descriptors", { "1024", "256", "64" } },
    { "execution.max_open_files", { "1024", "256", "32" } },
    { "execution.max_file_size", { "1g", "512m", "64m" } },
    { "execution.disable_fork_bomb", { "true", "true", "true" } },
    { "execution.max_output", { "16m", "16m", "16m" } },
    { "execution.grace", { "500ms", "500ms", "500ms" } },
    { "languages.python.allowed_modules", { "[all]", "[all]", "[builtins, math]" } },
    { "languages.python.blocked_modules",
      { "[]", "[os, subprocess, socket, requests]",
        "[os, subprocess, socket, requests, sys, urllib, http, ftplib, telnetlib, pickle, shelve]" } },
    { "languages.python.restricted", { "false", "false", "true" } },
    { "languages.node.blocked_modules",
      { "[]", "[fs, child_process, net, http, https]",
        "[fs, child_process, net, http, https, dgram, cluster, worker_threads]" } },
    { "languages.bash.restricted_commands", { "[]", "[curl, wget, nc, netcat]", "[]" } },
    { "languages.bash.blocked_commands",
      { "[]", "[]", "[curl, wget, nc, netcat, telnet, ssh, scp, ftp, chmod, chown, mount, umount]" } },
    { "languages.bash.restricted_mode", { "false", "false", "true" } },
    { "rate_limits.max_executions_per_hour", { "500", "100", "20" } },
    { "rate_limits.max_jobs_per_hour", { "1000", "300", "60" } },
    { "packages.allow", { "[all]", "[all]", "[]" } },
    { "rate_limits.max_cpu_time_per_hour", { "1h", "600s", "180s" } },
    { "kill_switches", { "[]", "[]", ALL_SWITCHES } },
};

TEST(the_shipped_profiles_say_what_the_contract_says)
{
    for (int level = 0; level < RISK_COUNT; level++) {
        struct loaded l;
        struct error err = { 0 };
        loaded_init(&l);
        if (load_profile(&l, SOURCE_DIR, risk_level_names[level], NULL, &err) < 0)
            (void)fprintf(stderr, "# %s\n", err.text);
        CHECK_EQ(err.code, 0);
        for (size_t i = 0; i < ARRAY_LEN(shipped); i++) {
            if (strcmp(value_of(profile_settings, &l.profile, shipped[i].key), shipped[i].value[level]) != 0)
                (void)fprintf(stderr, "# %s at %s\n", shipped[i].key, risk_level_names[level]);
            CHECK_STR(value_of(profile_settings, &l.profile, shipped[i].key), shipped[i].value[level]);
        }
        loaded_done(&l);
    }
}

TEST(the_high_profile_also_limits_days_and_cools_down)
{
    struct loaded l;
    loaded_init(&l);
    CHECK_EQ(load_profile(&l, SOURCE_DIR, "high", NULL, NULL), 0);
    CHECK_EQ(l.profile.rate_limits.max_executions_per_day, 100);
    CHECK_EQ(l.profile.rate_limits.cooldown_period, 300000);
    loaded_done(&l);
}

/* All but the images: which one a language has is the machine's business (languages.L.default_image of the
 * configuration). */
TEST(every_shipped_profile_spells_out_every_key)
{
    for (int level = 0; level < RISK_COUNT; level++) {
        struct loaded l;
        loaded_init(&l);
        CHECK_EQ(load_profile(&l, SOURCE_DIR, risk_level_names[level], NULL, NULL), 0);
        for (size_t i = 0; i < profile_settings.count; i++) {
            if (strstr(profile_settings.table[i].key, ".image"))
                continue;
            if (l.profile.origin[i].source != ORIGIN_PROFILE)
                (void)fprintf(stderr, "# %s at %s\n", profile_settings.table[i].key, risk_level_names[level]);
            CHECK_EQ(l.profile.origin[i].source, ORIGIN_PROFILE);
        }
        loaded_done(&l);
    }
}

TEST(the_defaults_of_profile_keys_are_those_of_high)
{
    struct profile p;
    struct loaded l;
    profile_defaults(&p);
    loaded_init(&l);
    CHECK_EQ(load_profile(&l, SOURCE_DIR, "high", NULL, NULL), 0);
    for (size_t i = 0; i < profile_settings.count; i++) {
        const char *key = profile_settings.table[i].key;
        char mine[4096];
        if (str_eq(key, "name") || str_eq(key, "description") || strstr(key, ".image"))
            continue;
        (void)snprintf(mine, sizeof mine, "%s", value_of(profile_settings, &p, key));
        CHECK_STR(value_of(profile_settings, &l.profile, key), mine);
    }
    CHECK_EQ(profile_check(&p, NULL), 0);
    loaded_done(&l);
    profile_done(&p);
}

/* ---- round trips ---- */

static const char full_config[] =
    "sandbox:\n  default_risk_level: medium\n  paths: {profiles_dir: /etc/p, log_dir: \"/var/log/my logs\"}\n"
    "  resources:\n    low_risk: {memory: 1g, cpu: 2, timeout: 10, network: none}\n    high_risk: {cpu: 0.1}\n"
    "agixt:\n  analysis:\n    patterns:\n      - {name: a b, regex: \"\\\\beval\\\\b: [\\\"x\\\"]\", risk_increase: "
    "0.3}\n"
    "      - name: plain\n        regex: 'it''s'\n"
    "languages:\n  python:\n    blocked_modules: {high_risk: [re, json], medium_risk: ctypes}\n    default_image: "
    "py:3\n"
    "monitoring:\n  alerts:\n    conditions: [{name: high_failure_rate, threshold: 0.7, window: 60}]\n"
    "endpoints:\n  webhooks: {urls: [\"https://x/y?z=1\"], events: [security_violation]}\n"
    "development: {verbose: true}\n";

static void check_profile_round_trip(const struct profile *p)
{
    struct profile again;
    struct buf text;
    struct error err = { 0 };
    buf_init(&text, MIB);
    settings_print(profile_settings, p, NULL, NULL, &text);
    if (load_text(&again, text.data, &err) < 0)
        (void)fprintf(stderr, "# %s\n%s", err.text, text.data);
    CHECK_EQ(err.code, 0);
    CHECK(is_equal(profile_settings, p, &again));
    profile_done(&again);
    buf_done(&text);
}

TEST(a_printed_profile_loads_back_as_itself)
{
    struct profile p;
    profile_defaults(&p);
    check_profile_round_trip(&p);
    profile_done(&p);
    CHECK_EQ(
        load_text(&p,
                  "description: \"a \\\"q\\\" \\\\ b\\tc\\nd: # é null\"\nname: 'null'\nresources: {timeout: 1.5, cpu: "
                  "0.01}\nenvironment: {default_env: {A: \"\", B: x=y, C: \"null\", D: '1: 2, [3]'}}\n"
                  "network: {ports: [1, 2-3], allow: [\"*.x.org:443\", \"10.0.0.0/8\"]}\nkill_switches: []\n",
                  NULL),
        0);
    check_profile_round_trip(&p);
    profile_done(&p);
    for (int level = 0; level < RISK_COUNT; level++) {
        struct loaded l;
        loaded_init(&l);
        CHECK_EQ(load_profile(&l, SOURCE_DIR, risk_level_names[level], NULL, NULL), 0);
        check_profile_round_trip(&l.profile);
        loaded_done(&l);
    }
}

TEST(a_printed_configuration_loads_back_as_itself)
{
    static const char *const texts[] = { "", full_config };
    for (size_t i = 0; i < ARRAY_LEN(texts); i++) {
        struct config c, again;
        struct buf text;
        struct error err = { 0 };
        CHECK_EQ(load_config_text(&c, texts[i], &err), 0);
        buf_init(&text, MIB);
        settings_print(config_settings, &c, NULL, NULL, &text);
        if (load_config_text(&again, text.data, &err) < 0)
            (void)fprintf(stderr, "# %s\n%s", err.text, text.data);
        CHECK_EQ(err.code, 0);
        CHECK(is_equal(config_settings, &c, &again));
        config_done(&c);
        config_done(&again);
        buf_done(&text);
    }
}

TEST(packed_settings_unpack_to_equal_ones)
{
    struct config c, again = { 0 };
    struct buf b;
    CHECK_EQ(load_config_text(&c, full_config, NULL), 0);
    buf_init(&b, MIB);
    settings_pack(config_settings, &c, &b);
    struct unpack u = unpack_start(b.data, b.size);
    settings_unpack(config_settings, &again, &u);
    CHECK_EQ(unpack_end(&u), 0);
    CHECK(is_equal(config_settings, &c, &again));
    CHECK_STR(again.sandbox.paths.log_dir, "/var/log/my logs");
    CHECK(again.sandbox.paths.agent_script == NULL);
    CHECK_EQ(again.sandbox.resources[RISK_MEDIUM].network, NETWORK_UNSET);
    buf_done(&b);
    config_done(&c);
}

TEST(unpacking_refuses_values_that_no_file_could_give)
{
    struct profile p, out = { 0 };
    struct buf b;
    profile_defaults(&p);
    static const struct {
        const char *key;
        uint32_t bad;
    } cases[] = {
        { "resources.pids", 0 }, { "resources.pids", 40000 }, { "resources.cpu", 0 }, { "kill_switches", 1024 }
    };
    for (size_t i = 0; i < ARRAY_LEN(cases); i++) {
        struct profile bad = p;
        *(uint32_t *)(void *)((char *)&bad + setting_find(profile_settings, cases[i].key)->offset) = cases[i].bad;
        buf_init(&b, MIB);
        settings_pack(profile_settings, &bad, &b);
        struct unpack u = unpack_start(b.data, b.size);
        settings_unpack(profile_settings, &out, &u);
        CHECK(u.failed);
        buf_done(&b);
    }
    struct profile bad = p;
    bad.network.mode = NETWORK_UNSET; /* has a preset: there is no unset */
    buf_init(&b, MIB);
    settings_pack(profile_settings, &bad, &b);
    struct unpack u = unpack_start(b.data, b.size);
    settings_unpack(profile_settings, &out, &u);
    CHECK(u.failed);
    buf_done(&b);
    profile_done(&p);
}

TEST(an_option_may_be_laid_over_an_unpacked_profile)
{
    struct profile p, out = { 0 };
    struct buf b;
    profile_defaults(&p);
    buf_init(&b, MIB);
    settings_pack(profile_settings, &p, &b);
    struct unpack u = unpack_start(b.data, b.size);
    settings_unpack(profile_settings, &out, &u);
    CHECK_EQ(unpack_end(&u), 0);
    CHECK_EQ(setting_parse(setting_find(profile_settings, "resources.memory"), &out, "1g", NULL), 0);
    CHECK_EQ(out.resources.memory, GIB);
    const struct setting *list = setting_find(profile_settings, "languages.python.allowed_modules");
    CHECK_EQ(setting_parse(list, &out, "json", NULL), 0);
    CHECK_STR(value_of(profile_settings, &out, list->key), "[builtins, math, json]");
    CHECK_STR(value_of(profile_settings, &p, list->key), "[builtins, math]");
    strlist_done(&out.languages[LANG_PYTHON].allowed_modules);
    buf_done(&b);
    profile_done(&p);
}

/* ---- what is refused, and with which words ---- */

struct refusal {
    const char *text, *expected;
};

static void check_refusals(const struct refusal *r, size_t n, const char *(*complain)(const char *))
{
    for (size_t i = 0; i < n; i++) {
        if (strcmp(complain(r[i].text), r[i].expected) != 0)
            (void)fprintf(stderr, "# for «%s»\n", r[i].text);
        CHECK_STR(complain(r[i].text), r[i].expected);
    }
}

TEST(unknown_keys_name_the_nearest_known_one)
{
    static const struct refusal cases[] = {
        { "resources:\n  memry: 1g\n", "p.yaml:2: unknown key 'resources.memry'; did you mean 'resources.memory'?" },
        { "name: x\nresource:\n  memory: 1g\n", "p.yaml:2: unknown key 'resource'; did you mean 'resources'?" },
        { "memory: 1g\n", "p.yaml:1: unknown key 'memory'; did you mean 'resources.memory'?" },
        { "languages:\n  pyton: {}\n", "p.yaml:2: unknown key 'languages.pyton'; did you mean 'languages.python'?" },
        { "languages:\n  python:\n    alowed_modules: all\n",
          "p.yaml:3: unknown key 'languages.python.alowed_modules'; did you mean 'languages.python.allowed_modules'?" },
        { "\n\nzzzzzzzzzzzz: 1\n", "p.yaml:3: unknown key 'zzzzzzzzzzzz'" },
        { "resources.memory: 1g\n",
          "p.yaml:1: unknown key 'resources.memory'; expected one mapping inside the other for each dot" },
        { "\"\": 1\n", "p.yaml:1: unknown key ''" },
        { "resources:\n  \"mem\\e[31m\": 1\n",
          "p.yaml:2: a control character in a text; expected printable characters" },
    };
    check_refusals(cases, ARRAY_LEN(cases), complaint);
}

TEST(bad_values_name_key_value_and_what_is_accepted)
{
    static const struct refusal cases[] = {
        { "logging:\n  enabled: maybe\n",
          "p.yaml:2: logging.enabled: 'maybe' is not accepted; expected true or false" },
        { "resources: {pids: 0}\n",
          "p.yaml:1: resources.pids: '0' is not accepted; expected a whole number between 1 and 32768" },
        { "resources: {pids: -3}\n",
          "p.yaml:1: resources.pids: '-3' is not accepted; expected a whole number between 1 and 32768" },
        { "resources: {memory: 12q}\n", "p.yaml:1: resources.memory: '12q' is not accepted; expected a size such as "
                                        "512m or 64MiB between 1m and 1024g" },
        { "resources: {cpu: none}\n",
          "p.yaml:1: resources.cpu: 'none' is not accepted; expected a number of cores such as "
          "0.25 or 2 between 0.01 and 1024" },
        { "resources: {timeout: 8d}\n",
          "p.yaml:1: resources.timeout: '8d' is not accepted; expected seconds such as 30 or "
          "1.5, or 500ms, 5m, 1h, 7d, between 100ms and 168h" },
        { "risk_level: extreme\n", "p.yaml:1: risk_level: 'extreme' is not accepted; expected low, medium or high" },
        { "execution: {shell_access: yes}\n",
          "p.yaml:1: execution.shell_access: 'yes' is not accepted; expected true, limited or none" },
        { "kill_switches: [fork_bomb]\n",
          "p.yaml:1: kill_switches: 'fork_bomb' is not accepted; expected a list of excessive_cpu_usage, "
          "excessive_memory_usage, network_access_attempt, privilege_escalation_attempt, suspicious_syscalls, "
          "fork_bomb_detection, crypto_mining, port_scanning, data_exfiltration, reverse_shells" },
        { "security:\n  user: root\n", "p.yaml:2: security.user: 'root' is not accepted; expected two numbers uid:gid "
                                       "such as 65534:65534, or one for both" },
        { "resources:\n  memory: [1g]\n",
          "p.yaml:2: resources.memory: expected a size such as 512m or 64MiB between 1m and "
          "1024g, found a list" },
        { "resources:\n  memory: {a: b}\n",
          "p.yaml:2: resources.memory: expected a size such as 512m or 64MiB between 1m and "
          "1024g, found a mapping" },
        { "resources:\n  memory:\n",
          "p.yaml:2: resources.memory: expected a size such as 512m or 64MiB between 1m and 1024g, "
          "found no value" },
        { "filesystem:\n  blocked_paths:\n  readonly_root: true\n",
          "p.yaml:2: filesystem.blocked_paths: expected a list of texts, found no value; an empty list is written []" },
        { "filesystem: {blocked_paths: [[/a]]}\n",
          "p.yaml:1: filesystem.blocked_paths: expected a list of texts, found a list" },
        { "filesystem: {blocked_paths: {a: b}}\n",
          "p.yaml:1: filesystem.blocked_paths: expected a list of texts, found a mapping" },
        { "environment: {default_env: [A=b]}\n",
          "p.yaml:1: environment.default_env: expected a mapping of names to texts, found a list" },
        { "environment:\n  default_env:\n    A:\n",
          "p.yaml:3: environment.default_env.A: expected a text, found no value; an empty text is written \"\"" },
        { "environment:\n  default_env:\n    A: 1\n    A: 2\n",
          "p.yaml:4: environment.default_env: 'A' is given twice" },
        { "resources: 5\n", "p.yaml:1: resources: expected a mapping of keys, found a single value" },
        { "resources: [memory]\n", "p.yaml:1: resources: expected a mapping of keys, found a list" },
    };
    check_refusals(cases, ARRAY_LEN(cases), complaint);
}

TEST(what_is_not_plain_yaml_is_refused_with_its_line)
{
    static const struct refusal cases[] = {
        { "name: a\nname: b\n", "p.yaml:2: name is given twice (first in line 1)" },
        { "resources: {}\nname: x\nresources: {}\n", "p.yaml:3: resources is given twice" },
        { "name: &a x\n", "p.yaml:1: an anchor (&); expected the value alone" },
        { "resources: &a {}\n", "p.yaml:1: an anchor (&); expected the value alone" },
        { "name: x\ndescription: *a\n", "p.yaml:2: an alias (*); expected the value itself" },
        { "name: !!str x\n", "p.yaml:1: a tag (!); expected the value alone" },
        { "resources: !map {}\n", "p.yaml:1: a tag (!); expected the value alone" },
        { "<<: {name: x}\n", "p.yaml:1: a merge key (<<); expected the keys themselves" },
        { "name: x\n---\nname: y\n", "p.yaml:2: expected a single document" },
        { "name: x\n...\nname: y\n",
          "p.yaml:3: not valid YAML: did not find expected <document start>; expected lines such as "
          "'key: value', indented by spaces" },
        { "%YAML 1.1\n---\nname: x\n", "p.yaml:1: a directive (%); expected plain YAML" },
        { "- a\n", "p.yaml:1: expected a mapping of keys, found a list" },
        { "hello\n", "p.yaml:1: expected a mapping of keys, found a single value" },
        { "? [a]\n: b\n", "p.yaml:1: expected a key, found a list" },
        { "name: \"a\xff\"\n", "p.yaml:1: not valid UTF-8" },
        { "\n\nname: \"\xc0\x80\"\n", "p.yaml:3: not valid UTF-8" },
        { "name: \"\xed\xa0\x80\"\n", "p.yaml:1: not valid UTF-8" },
        { "name: \"a\\0b\"\n", "p.yaml:1: a control character in a text; expected printable characters" },
        { "name: \"a\\x1fb\"\n", "p.yaml:1: a control character in a text; expected printable characters" },
        { "name: \"a\\u009bb\"\n", "p.yaml:1: a control character in a text; expected printable characters" },
        { "name: x\nresources:\n  memory: 1g\n cpu: 1\n", "p.yaml:4: not valid YAML: while parsing a block mapping, "
                                                          "did not find expected key; expected lines such as 'key: "
                                                          "value', indented by spaces" },
        { "resources:\n\tmemory: 1g\n",
          "p.yaml:2: not valid YAML: while scanning for the next token, found character that "
          "cannot start any token; expected lines such as 'key: value', indented by spaces" },
        { "kill_switches: [fork_bomb_detection\n",
          "p.yaml:2: not valid YAML: while parsing a flow "
          "sequence, did not find expected ',' or ']'; expected lines such as 'key: value', indented by spaces" },
        { "name: a: b\n",
          "p.yaml:1: not valid YAML: mapping values are not allowed in this context; expected lines such as "
          "'key: value', indented by spaces" },
    };
    check_refusals(cases, ARRAY_LEN(cases), complaint);
}

TEST(a_nul_byte_is_refused_where_it_stands)
{
    struct profile p;
    struct error err = { 0 };
    profile_defaults(&p);
    CHECK(yaml_load("p.yaml", "name: x\n\0resources: {}", 22, profile_settings, &p, p.origin, ORIGIN_PROFILE, &err) <
          0);
    CHECK_STR(err.text, "p.yaml:2: a NUL byte; expected text");
    profile_done(&p);
}

TEST(empty_files_and_empty_sections_set_nothing)
{
    static const char *const texts[] = {
        "",           "\n\n", "# only a comment\n", "---\n",
        "---\n...\n", "~\n",  "\xef\xbb\xbf",       "resources:\nnetwork: ~\nfilesystem: {}\n"
    };
    for (size_t i = 0; i < ARRAY_LEN(texts); i++) {
        struct profile p, defaults;
        profile_defaults(&defaults);
        CHECK_EQ(load_text(&p, texts[i], NULL), 0);
        CHECK(is_equal(profile_settings, &p, &defaults));
        for (size_t k = 0; k < profile_settings.count; k++)
            CHECK_EQ(p.origin[k].source, ORIGIN_DEFAULT);
        profile_done(&p);
        profile_done(&defaults);
    }
}

TEST(origins_tell_the_line_of_each_key)
{
    struct profile p;
    CHECK_EQ(
        load_text(&p, "# a comment\nname: x\nresources:\n  cpu: 1\n\n  memory:\n    1g\nkill_switches: []\n", NULL), 0);
    CHECK_EQ(p.origin[profile_find_key("name")].line, 2);
    CHECK_EQ(p.origin[profile_find_key("resources.cpu")].line, 4);
    CHECK_EQ(p.origin[profile_find_key("resources.memory")].line, 6);
    CHECK_EQ(p.origin[profile_find_key("resources.memory")].source, ORIGIN_PROFILE);
    CHECK_EQ(p.origin[profile_find_key("kill_switches")].line, 8);
    CHECK_EQ(p.origin[profile_find_key("resources.pids")].source, ORIGIN_DEFAULT);
    CHECK_EQ(p.resources.memory, GIB);
    CHECK_EQ(p.kill_switches, 0);
    CHECK_EQ(profile_find_key("resources"), -1);
    profile_done(&p);
}

TEST(a_list_in_a_file_replaces_the_default_and_may_be_one_word)
{
    struct profile p;
    CHECK_EQ(load_text(
                 &p, "languages:\n  python:\n    allowed_modules: all\n    blocked_modules:\n      - os\n      - sys\n",
                 NULL),
             0);
    CHECK_STR(value_of(profile_settings, &p, "languages.python.allowed_modules"), "[all]");
    CHECK_STR(value_of(profile_settings, &p, "languages.python.blocked_modules"), "[os, sys]");
    CHECK_EQ(p.languages[LANG_NODE].blocked_modules.count, 8);
    profile_done(&p);
}

TEST(keys_that_contradict_each_other_are_refused)
{
    static const struct refusal cases[] = {
        { "filesystem: {temp_size: 1g}\n", "filesystem.temp_size (1g) is larger than resources.storage (256m)" },
        { "filesystem: {temp_size: 256m, writable_paths: [/workspace]}\n",
          "filesystem.temp_size (256m) takes all of resources.storage and leaves nothing for "
          "filesystem.writable_paths" },
        { "execution: {max_processes: 11}\nresources: {pids: 10}\n",
          "execution.max_processes (11) is larger than resources.pids (10)" },
        { "security: {capabilities: {add: [NET_RAW]}}\n",
          "security.capabilities.add gives what security.drop_all_caps takes; one of them has to go" },
        { "security: {drop_all_caps: false, capabilities: {add: [NET_ROW]}}\n",
          "security.capabilities.add: 'NET_ROW' is not accepted; expected a capability such as NET_RAW" },
        { "security: {user: \"0:0\"}\n", "security.user: '0:0' contains root (0); nothing runs as root" },
        { "security: {seccomp: strct}\n",
          "security.seccomp: 'strct' is not accepted; expected default, strict or the path of "
          "a JSON file (with a /)" },
        { "security: {apparmor: \"a b\"}\n",
          "security.apparmor: 'a b' is not accepted; expected default, confined or a profile's name" },
        { "security: {selinux: \"a:b\"}\n",
          "security.selinux: 'a:b' is not accepted; expected auto, default, confined, none or a type" },
        { "filesystem: {blocked_paths: [etc]}\n",
          "filesystem.blocked_paths: 'etc' is not accepted; expected an absolute path "
          "below / without .. or //" },
        { "filesystem: {blocked_paths: [/a/../etc]}\n",
          "filesystem.blocked_paths: '/a/../etc' is not accepted; expected an "
          "absolute path below / without .. or //" },
        { "filesystem: {writable_paths: [/a/]}\n",
          "filesystem.writable_paths: '/a/' is not accepted; expected an absolute "
          "path below / without .. or //" },
        { "filesystem: {writable_paths: [/]}\n",
          "filesystem.writable_paths: '/' is not accepted; expected an absolute path "
          "below / without .. or //" },
        { "packages: {allow: [all, Science]}\n",
          "packages.allow: 'Science' is not accepted; expected the name of a package set, or the word all" },
        { "filesystem: {allowed_mounts: [/, home]}\n",
          "filesystem.allowed_mounts: 'home' is not accepted; expected an absolute path without .. or //" },
        { "network: {ports: [0]}\n",
          "network.ports: '0' is not accepted; expected a port, a range such as 8000-8010, or all" },
        { "network: {ports: [9-8]}\n",
          "network.ports: '9-8' is not accepted; expected a port, a range such as 8000-8010, or all" },
        { "network: {ports: [all, 80]}\n", "network.ports: 'all' stands alone; it cannot be one of several ports" },
        { "network: {allow: [\"a b\"]}\n",
          "network.allow: 'a b' is not accepted; expected a name, *.name or CIDR with an optional :port" },
        { "network: {deny: [10.1.2.3/8]}\n",
          "network.deny: '10.1.2.3/8' is not accepted; expected a name, *.name or CIDR with an optional :port" },
        { "network: {deny: [\"2001:db8::/32:443\"]}\n",
          "network.deny: '2001:db8::/32:443' is not accepted; expected a name, *.name or CIDR with an optional :port" },
        { "network: {allow: [127.1]}\n",
          "network.allow: '127.1' is not accepted; expected a name, *.name or CIDR with an optional :port" },
        { "network: {max_connections: 4097}\n",
          "p.yaml:1: network.max_connections: '4097' is not accepted; expected a whole number between 0 and 4096" },
        { "environment: {default_env: {1A: x}}\n",
          "environment.default_env: '1A=x' is not accepted; expected names of letters, digits and _" },
        { "environment: {restricted_env: [LD_*]}\n",
          "environment.restricted_env: 'LD_*' is not accepted; expected a name of letters, digits and _" },
        { "languages: {python: {allowed_modules: [all, os]}}\n",
          "languages.python.allowed_modules: 'all' stands alone; it cannot be one of several modules" },
        { "languages: {python: {blocked_modules: ['a\"b']}}\n",
          "languages.python.blocked_modules: 'a\"b' is not accepted; "
          "expected a bare name without spaces or quotes" },
        { "languages: {bash: {blocked_commands: [/bin/ls]}}\n",
          "languages.bash.blocked_commands: '/bin/ls' is not accepted; "
          "expected a bare name without spaces or quotes" },
        { "languages: {go: {blocked_modules: [os/exec]}}\n",
          "languages.go.blocked_modules: module lists cannot be enforced for this language; allowed_modules must be "
          "all and blocked_modules "
          "empty" },
        { "languages: {bash: {restricted: true}}\n",
          "languages.bash.restricted: only python and node can enforce it; for bash it is restricted_mode" },
        { "languages: {node: {restricted_mode: true}}\n", "languages.node.restricted_mode: only bash has it" },
        { "name: \"a\\nb\"\n", "name: 'a\nb' is not accepted; expected letters, digits, spaces and _ . -" },
    };
    check_refusals(cases, ARRAY_LEN(cases), complaint);
}

TEST(sensible_profiles_pass_the_checks)
{
    static const char *const texts[] = {
        "security: {drop_all_caps: false, capabilities: {drop: [CAP_NET_RAW, ALL], add: [CAP_CHOWN]}}\n",
        "security: {seccomp: /etc/docker/seccomp.json, apparmor: docker-default}\n",
        "network: {mode: bridge, ports: [443, 8000-8010], allow: [\"*.debian.org:443\", \"10.0.0.0/8\", "
        "\"[::1]:80\"]}\n",
        "network: {mode: bridge, dns: auto, disable_loopback: false, max_connections: 0, max_connections_per_second: "
        "0, max_bytes: 0}\n",
        "network: {mode: bridge, dns: disabled, disable_loopback: true}\n",
        "network: {mode: bridge, dns: auto, disable_loopback: true}\n",
        "network: {mode: none, dns: auto, disable_loopback: true}\n",
        "network: {allow: [\"*\", \"*:443\", \"[2001:db8::/32]:8000-8010\", \"2001:db8::1\", 10.1.2.3, "
        "\"10.0.0.0/8:22\", Example.COM.]}\n",
        "packages: {allow: [science, a.b-c_1]}\n",
        "filesystem: {allowed_mounts: [/], writable_paths: [/workspace, /data/x.y]}\n",
        "languages: {python: {allowed_modules: []}, node: {blocked_modules: [\"node:fs\", \"@a/b-c\", fs/promises]}}\n",
    };
    for (size_t i = 0; i < ARRAY_LEN(texts); i++)
        CHECK_STR(complaint(texts[i]), "");
}

TEST(a_network_rule_that_is_refused_says_what_is_wrong_with_it)
{
    struct profile p;
    struct error err = { 0 };
    CHECK_EQ(load_text(&p, "network: {allow: [example.com, 10.1.2.3/8]}\n", &err), 0);
    CHECK_EQ(profile_check(&p, &err), -EINVAL);
    CHECK_STR(err.remedy, "its address has bits behind its prefix: is the address meant, or the network around it?");
    profile_done(&p);
    profile_defaults(&p);
    for (unsigned i = 0; i < 257; i++)
        CHECK_EQ(strlist_addf(&p.network.deny, "n%u.example", i), 0);
    CHECK_EQ(profile_check(&p, &err), -EINVAL);
    CHECK_STR(err.text, "network.deny: 257 items; at most 256 are accepted");
    CHECK_EQ(profile_check(&p, NULL), -EINVAL);
    profile_done(&p);
}

TEST(the_configuration_refuses_what_the_house_does_not_do)
{
    static const struct refusal cases[] = {
        { "agixt: {execution: {fallback_to_direct: true}}\n",
          "agixt.execution.fallback_to_direct: 'true' is refused: code never runs outside a sandbox" },
        { "development: {mock_execution: true}\n",
          "development.mock_execution: 'true' is refused: no result is made up" },
        { "sandbox: {paths: {log_dir: logs}}\n",
          "sandbox.paths.log_dir: 'logs' is not accepted; expected an absolute path" },
        { "store: {password_file: secret}\n",
          "store.password_file: 'secret' is not accepted; expected an absolute path" },
        { "languages: {python: {preload: [numpy, \"os; x\"]}}\n",
          "languages.python.preload: 'os; x' is not accepted; expected a module such as numpy or xml.dom" },
        { "languages: {python: {preload: [.x]}}\n",
          "languages.python.preload: '.x' is not accepted; expected a module such as numpy or xml.dom" },
        { "docker: {container: {accept_mounts: [/run/secrets, /]}}\n",
          "docker.container.accept_mounts: '/' is not accepted; expected an absolute path below / such as "
          "/run/secrets" },
        { "sandbox: {resolvers: [dns.example.com]}\n", "sandbox.resolvers: 'dns.example.com' is not accepted; expected "
                                                       "an address such as 192.0.2.1, 192.0.2.1:5353 or "
                                                       "[2001:db8::1]:5353" },
        { "sandbox: {resolvers: [1.1.1.1, 1.1.1.1, 1.1.1.1, 1.1.1.1, 1.1.1.1, 1.1.1.1, 1.1.1.1, 1.1.1.1, 1.1.1.1]}\n",
          "sandbox.resolvers: 9 items; at most 8 are accepted" },
        { "sandbox: {risk_mapping: {low_risk_threshold: 0.2}}\n",
          "sandbox.risk_mapping: more risk needs less trust; expected low_risk_threshold >= medium_risk_threshold >= "
          "high_risk_threshold" },
        { "agixt: {trust: {default_score: 0.4, min_score: 0.5}}\n",
          "agixt.trust: expected min_score <= default_score <= max_score" },
        { "agixt: {trust: {default_score: 1.5}}\n",
          "c.yaml:1: agixt.trust.default_score: '1.5' is not accepted; expected a "
          "number with at most three decimals between 0 and 1" },
        { "agixt: {analysis: {patterns: [{name: x}]}}\n", "agixt.analysis.patterns: a pattern has no regex" },
        { "agixt: {analysis: {patterns: [{name: x, regex: y, risk_increase: 2}]}}\n",
          "agixt.analysis.patterns: risk_increase is not accepted; expected a number between 0 and 1" },
        { "agixt:\n  analysis:\n    patterns:\n      - {nme: x}\n",
          "c.yaml:4: agixt.analysis.patterns: 'nme=x' is not accepted; expected a list of mappings with the keys name, "
          "regex "
          "and risk_increase" },
        { "agixt: {analysis: {patterns: [{name: x, name: y}]}}\n",
          "c.yaml:1: agixt.analysis.patterns: 'name=x name=y' is not accepted; expected a list of mappings with the "
          "keys name, "
          "regex and risk_increase" },
        { "agixt: {analysis: {patterns: [x]}}\n",
          "c.yaml:1: agixt.analysis.patterns: expected a list of mappings with the "
          "keys name, regex and risk_increase, found a single value" },
        { "monitoring: {alerts: {channels: [log, pigeon]}}\n",
          "monitoring.alerts.channels: 'pigeon' is not accepted; expected log, webhook, email:ADDRESS, or "
          "command:, slack:, teams: or matrix: and an absolute path" },
        { "monitoring: {alerts: {channels: ['command:tell']}}\n",
          "monitoring.alerts.channels: 'command:tell' is not accepted; expected log, webhook, email:ADDRESS, or "
          "command:, slack:, teams: or matrix: and an absolute path" },
        { "monitoring: {alerts: {channels: ['slack:url']}}\n",
          "monitoring.alerts.channels: 'slack:url' is not accepted; expected log, webhook, email:ADDRESS, or "
          "command:, slack:, teams: or matrix: and an absolute path" },
        { "monitoring: {alerts: {quiet: '22:00-24:00'}}\n",
          "monitoring.alerts.quiet: '22:00-24:00' is not accepted; expected a span of the day such as "
          "22:00-07:00" },
        { "monitoring: {alerts: {smtp: {password_file: secret}}}\n",
          "monitoring.alerts.smtp.password_file: 'secret' is not accepted; expected an absolute path" },
        { "monitoring: {alerts: {conditions: [{name: nope}]}}\n",
          "monitoring.alerts.conditions: name is not accepted; expected high_failure_rate, excessive_executions, "
          "resource_limit_exceeded or refusal_stream" },
        { "monitoring: {alerts: {conditions: [{name: high_failure_rate, threshold: many}]}}\n",
          "monitoring.alerts.conditions: threshold is not accepted; expected a number such as 0.5 or 100" },
        { "endpoints: {api: {port: 65536}}\n",
          "c.yaml:1: endpoints.api.port: '65536' is not accepted; expected a whole number between 1 and 65535" },
        { "sandbox:\n  resources:\n    low: {memory: 1g}\n",
          "c.yaml:3: unknown key 'sandbox.resources.low'; did you mean 'sandbox.resources.low_risk'?" },
    };
    check_refusals(cases, ARRAY_LEN(cases), config_complaint);
    CHECK_STR(config_complaint("sandbox: {enabled: false}\n"), ""); /* the command line refuses, not the loader */
    CHECK_STR(
        config_complaint("sandbox: {resolvers: [192.0.2.1, \"127.0.0.1:5353\", \"::1\", \"[2001:db8::1]:53\"]}\n"), "");
    CHECK_STR(config_complaint(full_config), "");
}

TEST(records_keep_what_was_written)
{
    struct config c;
    CHECK_EQ(load_config_text(&c, full_config, NULL), 0);
    CHECK_EQ(c.agixt.analysis.patterns.count, 2);
    CHECK_STR(strlist_first(&c.agixt.analysis.patterns), "name=a b\x1fregex=\\beval\\b: [\"x\"]\x1frisk_increase=0.3");
    CHECK_EQ(c.monitoring.alerts.conditions.count, 1); /* the file's replace the three of the default */
    config_done(&c);
    config_defaults(&c);
    CHECK_EQ(c.monitoring.alerts.conditions.count, 4);
    CHECK_EQ(config_check(&c, NULL), 0);
    config_done(&c);
}

/* ---- hostile input ---- */

/* Loads as both, wants a refusal (or not), and no more than a second of a processor for it. */
static void check_hostile(const char *what, const struct buf *b, bool is_refused)
{
    struct timespec from, to;
    struct profile p;
    struct error err = { 0 };
    CHECK(!b->failed);
    profile_defaults(&p);
    (void)clock_gettime(CLOCK_THREAD_CPUTIME_ID, &from);
    int r = yaml_load("p.yaml", b->data, b->size, profile_settings, &p, p.origin, ORIGIN_PROFILE, &err);
    (void)clock_gettime(CLOCK_THREAD_CPUTIME_ID, &to);
    double took = (double)(to.tv_sec - from.tv_sec) + (double)(to.tv_nsec - from.tv_nsec) / 1e9;
    if (took > 1 || (r < 0) != is_refused)
        (void)fprintf(stderr, "# %s: %.3f s, %s\n", what, took, err.text);
    CHECK(took < 1);
    CHECK((r < 0) == is_refused);
    profile_done(&p);
}

static void repeat(struct buf *b, const char *piece, int n)
{
    for (int i = 0; i < n; i++)
        (void)buf_adds(b, piece);
}

TEST(no_input_takes_long)
{
    static const struct {
        const char *what, *head, *piece, *tail;
        int count;
        bool is_refused;
    } cases[] = {
        { "100,000 open brackets", "network: {ports: ", "[", "", 100000, true },
        { "100,000 open braces", "", "{", "", 100000, true },
        { "100,000 nested mappings in one line", "", "{a: ", "", 60000, true },
        { "100,000 dashes", "network:\n  ports:\n    ", "- ", "x\n", 100000, true },
        { "100,000 question marks", "", "? ", "x\n", 100000, true },
        { "a line of 200 KB", "description: ", "xxxxxxxxxx", "\n", 20000, true },
        { "a line of 1 MB", "description: ", "xxxxxxxxxx", "\n", 100000, true },
        { "a quoted text of 200 KB", "description: \"", "\\x41", "\"\n", 50000, true },
        { "100,000 unknown keys", "", "k: 1\n", "", 50000, true },
        { "one key 100,000 times", "", "name: x\n", "", 30000, true },
        { "100,000 items", "network: {ports: [", "1,", "1]}\n", 100000, true },
        { "100,000 variables", "environment: {default_env: {", "A1: b,", "}}\n", 40000, true },
        { "100,000 records", "kill_switches: [", "{},", "]\n", 80000, true },
        { "100,000 directives", "", "%TAG !a! x\n", "---\n", 20000, true },
        { "100,000 anchors", "network: {ports: [", "&a,", "]}\n", 80000, true },
        { "100,000 comments", "", "# c\n", "name: x\n", 60000, false },
        { "100,000 blank lines", "", "\n", "name: x\n", 200000, false },
        { "200 KB of blanks in a line", "name: x", "          ", "\n", 20000, false },
        { "100,000 documents", "", "---\n", "", 60000, true },
        { "a block text of 60,000 lines", "description: |\n", "  x\n", "", 60000, true },
        { "a key of 200 KB", "", "kkkkkkkkkk", ": 1\n", 20000, true },
        { "1,000 commas", "network: {ports: [", ",", "]}\n", 1000, true },
    };
    for (size_t i = 0; i < ARRAY_LEN(cases); i++) {
        struct buf b;
        buf_init(&b, 4 * MIB);
        (void)buf_adds(&b, cases[i].head);
        repeat(&b, cases[i].piece, cases[i].count);
        (void)buf_adds(&b, cases[i].tail);
        check_hostile(cases[i].what, &b, cases[i].is_refused);
        buf_done(&b);
    }
}

TEST(many_distinct_variables_and_items_have_their_bounds)
{
    struct buf b;
    buf_init(&b, MIB);
    (void)buf_adds(&b, "environment:\n  default_env:\n");
    for (int i = 0; i < 1024; i++)
        (void)buf_addf(&b, "    A%d: x\n", i);
    check_hostile("1,024 variables", &b, false);
    (void)buf_adds(&b, "    B: x\n");
    check_hostile("1,025 variables", &b, true);
    buf_done(&b);
    buf_init(&b, MIB);
    (void)buf_adds(&b, "network:\n  ports:\n");
    repeat(&b, "    - 1\n", 1024);
    check_hostile("1,024 items", &b, false);
    repeat(&b, "    - 1\n", 1);
    check_hostile("1,025 items", &b, true);
    buf_done(&b);
}

TEST(mutated_profiles_never_crash_the_loader)
{
    static char text[YAML_MAX_BYTES];
    FILE *f = fopen(SOURCE_DIR "/profiles/medium-risk.yaml", "re");
    CHECK(f);
    size_t size = fread(text, 1, sizeof text, f);
    CHECK_EQ(fclose(f), 0);
    CHECK(size > 1000);
    static const char odd[] = ":-[]{}#&*!|>'\"%@`,? \n\t\0\xff\xc3";
    uint64_t seed = 42;
    for (int round = 0; round < 3000; round++) {
        struct profile p;
        struct error err = { 0 };
        char *copy = malloc(size);
        CHECK(copy);
        memcpy(copy, text, size);
        for (int i = 0; i < 1 + round % 4; i++) {
            seed = seed * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407);
            copy[(seed >> 33) % size] = odd[(seed >> 20) % (sizeof odd - 1)];
        }
        profile_defaults(&p);
        if (yaml_load("p.yaml", copy, size, profile_settings, &p, p.origin, ORIGIN_PROFILE, &err) == 0)
            (void)profile_check(&p, &err);
        else
            CHECK(str_starts(err.text, "p.yaml:"));
        profile_done(&p);
        free(copy);
    }
}

/* ---- configuration over profile ---- */

TEST(the_configuration_overrides_only_what_it_gives_and_only_its_level)
{
    struct config c;
    struct profile p;
    CHECK_EQ(
        load_config_text(
            &c, "sandbox:\n  resources:\n    high_risk: {memory: 64m, network: none}\n    low_risk: {cpu: 3}\n", NULL),
        0);
    CHECK_EQ(load_text(&p, "risk_level: high\nresources: {memory: 200m, cpu: 0.7, timeout: 9}\n", NULL), 0);
    CHECK_EQ(config_apply(&c, &p, NULL), 0);
    CHECK_EQ(p.resources.memory, 64 * MIB);
    CHECK_EQ(p.resources.cpu, 700);
    CHECK_EQ(p.resources.timeout, 9000);
    CHECK_EQ(p.network.mode, NETWORK_NONE);
    CHECK_EQ(p.origin[profile_find_key("resources.memory")].source, ORIGIN_CONFIG);
    CHECK_EQ(p.origin[profile_find_key("resources.memory")].line, 3);
    CHECK_EQ(p.origin[profile_find_key("resources.cpu")].source, ORIGIN_PROFILE);
    CHECK_EQ(p.origin[profile_find_key("network.mode")].source, ORIGIN_CONFIG);
    profile_done(&p);
    config_done(&c);
}

TEST(blocked_lists_of_the_configuration_are_added_at_their_level)
{
    static const char text[] =
        "languages:\n  python:\n    blocked_modules: {high_risk: [re, os], medium_risk: [ctypes]}\n"
        "  bash:\n    blocked_commands: {medium_risk: [ls]}\n";
    static const char *const python[] = { "[a]", "[a, ctypes]", "[a, re, os]" };
    static const char *const bash[] = { "[b]", "[b, ls]", "[b]" };
    for (int level = 0; level < RISK_COUNT; level++) {
        struct config c;
        struct profile p;
        CHECK_EQ(load_config_text(&c, text, NULL), 0);
        CHECK_EQ(load_text(&p, "languages: {python: {blocked_modules: [a]}, bash: {blocked_commands: [b]}}\n", NULL),
                 0);
        p.risk_level = (uint8_t)level;
        CHECK_EQ(config_apply(&c, &p, NULL), 0);
        CHECK_STR(value_of(profile_settings, &p, "languages.python.blocked_modules"), python[level]);
        CHECK_STR(value_of(profile_settings, &p, "languages.bash.blocked_commands"), bash[level]);
        CHECK_EQ(p.origin[profile_find_key("languages.python.blocked_modules")].source,
                 level == RISK_LOW ? ORIGIN_PROFILE : ORIGIN_CONFIG);
        CHECK_EQ(config_apply(&c, &p, NULL), 0); /* twice adds nothing */
        CHECK_STR(value_of(profile_settings, &p, "languages.python.blocked_modules"), python[level]);
        profile_done(&p);
        config_done(&c);
    }
}

TEST(images_of_the_configuration_fill_gaps_only)
{
    struct config c;
    struct profile p;
    CHECK_EQ(load_config_text(&c, "languages: {python: {default_image: a}, node: {default_image: b}}\n", NULL), 0);
    CHECK_EQ(load_text(&p, "languages: {python: {image: mine}}\n", NULL), 0);
    CHECK_EQ(config_apply(&c, &p, NULL), 0);
    CHECK_STR(p.languages[LANG_PYTHON].image, "mine");
    CHECK_STR(p.languages[LANG_NODE].image, "b");
    CHECK_STR(p.languages[LANG_BASH].image, "debian:12-slim"); /* the configuration's own default */
    profile_done(&p);
    config_done(&c);
}

TEST(the_configuration_forbids_compiling_at_high_and_the_profile_at_any_level)
{
    struct config c;
    struct profile p;
    CHECK_EQ(load_config_text(&c, "languages: {go: {allow_compilation: false}}\n", NULL), 0);
    CHECK_EQ(load_text(&p, "execution: {allow_compilation: true}\n", NULL), 0);
    CHECK_EQ(p.risk_level, RISK_HIGH);
    CHECK(!config_may_compile(&c, &p, LANG_GO));
    CHECK(config_may_compile(&c, &p, LANG_RUST));
    p.risk_level = RISK_MEDIUM;
    CHECK(config_may_compile(&c, &p, LANG_GO));
    p.risk_level = RISK_LOW;
    CHECK(config_may_compile(&c, &p, LANG_GO));
    p.execution.allow_compilation = false;
    CHECK(!config_may_compile(&c, &p, LANG_GO));
    CHECK(!config_may_compile(&c, &p, LANG_RUST));
    profile_done(&p);
    config_done(&c);
}

/* ---- files ---- */

TEST(later_configuration_files_win_key_by_key)
{
    struct loaded l;
    struct error err = { 0 };
    scratch_make();
    const char *system_file = scratch_file(
        "system.yaml", "sandbox:\n  default_risk_level: low\n  resources:\n    low_risk: {cpu: 2, memory: 1g}\n");
    const char *option_file = scratch_file("option.yaml", "\nsandbox: {resources: {low_risk: {cpu: 3}}}\n");
    char absent[128];
    (void)snprintf(absent, sizeof absent, "%s/none/user.yaml", scratch);
    const char *const files[CONFIG_FILE_COUNT] = { system_file, absent, option_file };
    loaded_init(&l);
    CHECK_EQ(load_config(&l, files, &err), 0);
    CHECK_EQ(l.config.sandbox.default_risk_level, RISK_LOW);
    CHECK_EQ(l.config.sandbox.resources[RISK_LOW].cpu, 3000);
    CHECK_EQ(l.config.sandbox.resources[RISK_LOW].memory, GIB);
    struct origin cpu = l.config.origin[config_find_key("sandbox.resources.low_risk.cpu")];
    struct origin memory = l.config.origin[config_find_key("sandbox.resources.low_risk.memory")];
    CHECK(cpu.source == ORIGIN_CONFIG && cpu.file == CONFIG_OPTION && cpu.line == 2);
    CHECK(memory.source == ORIGIN_CONFIG && memory.file == CONFIG_SYSTEM && memory.line == 4);
    CHECK_EQ(l.source_count, 3);
    CHECK(l.sources[0].is_present && !l.sources[1].is_present && l.sources[2].is_present);
    CHECK_STR(l.config_file[CONFIG_USER], absent);
    loaded_done(&l);
    scratch_remove();
}

TEST(files_that_cannot_be_read_are_errors_not_absences)
{
    struct loaded l;
    struct error err = { 0 };
    char path[128], expected[256];
    scratch_make();
    (void)snprintf(path, sizeof path, "%s/none.yaml", scratch);
    loaded_init(&l);
    CHECK_EQ(load_config(&l, (const char *const[]){ NULL, NULL, path }, &err), -ENOENT);
    (void)snprintf(expected, sizeof expected, "%s: there is no such configuration file", path);
    CHECK_STR(err.text, expected);
    CHECK_EQ(err.blame, BLAME_CALLER);
    loaded_done(&l);

    loaded_init(&l);
    CHECK_EQ(load_config(&l, (const char *const[]){ scratch, NULL, NULL }, &err), -EINVAL);
    (void)snprintf(expected, sizeof expected, "%s: not a regular file", scratch);
    CHECK_STR(err.text, expected);
    loaded_done(&l);

    (void)snprintf(path, sizeof path, "%s/fifo", scratch);
    CHECK_EQ(mkfifo(path, 0600), 0);
    loaded_init(&l);
    CHECK_EQ(load_config(&l, (const char *const[]){ NULL, path, NULL }, &err), -EINVAL); /* and does not hang */
    loaded_done(&l);

    loaded_init(&l);
    CHECK_EQ(load_profile(&l, scratch, "high", NULL, &err), -ENOENT);
    CHECK_EQ(err.blame, BLAME_HOST);
    loaded_done(&l);
    loaded_init(&l);
    CHECK_EQ(load_profile(&l, scratch, "extreme", NULL, &err), -EINVAL);
    CHECK_STR(err.text, "unknown risk level 'extreme'; expected low, medium or high");
    loaded_done(&l);
    scratch_remove();
}

TEST(a_checks_error_names_the_file_and_line_of_its_key)
{
    struct loaded l;
    struct error err = { 0 };
    char expected[256];
    scratch_make();
    const char *file = scratch_file("p.yaml", "name: x\nsecurity:\n  user: \"0:0\"\n");
    loaded_init(&l);
    CHECK_EQ(load_profile(&l, SOURCE_DIR, NULL, file, &err), -EINVAL);
    (void)snprintf(expected, sizeof expected, "%s:3: security.user: '0:0' contains root (0); nothing runs as root",
                   file);
    CHECK_STR(err.text, expected);
    loaded_done(&l);
    const char *config = scratch_file("c.yaml", "development:\n  mock_execution: true\n");
    loaded_init(&l);
    CHECK_EQ(load_config(&l, (const char *const[]){ NULL, NULL, config }, &err), -EINVAL);
    (void)snprintf(expected, sizeof expected,
                   "%s:2: development.mock_execution: 'true' is refused: no result is made up", config);
    CHECK_STR(err.text, expected);
    loaded_done(&l);
    scratch_remove();
}

TEST(a_level_file_of_the_configured_directory_comes_first)
{
    struct loaded l;
    struct error err = { 0 };
    char text[256];
    scratch_make();
    (void)scratch_file("high-risk.yaml", "name: mine\nrisk_level: high\n");
    (void)snprintf(text, sizeof text, "sandbox: {paths: {profiles_dir: %s}}\n", scratch);
    const char *config = scratch_file("c.yaml", text);
    const char *const files[CONFIG_FILE_COUNT] = { NULL, NULL, config };
    loaded_init(&l);
    CHECK_EQ(load_config(&l, files, &err), 0);
    CHECK_EQ(load_profile(&l, SOURCE_DIR, "high", NULL, &err), 0);
    CHECK_STR(l.profile.name, "mine");
    loaded_done(&l);
    loaded_init(&l); /* a level that is not there: the installed one, and the absence is a source */
    CHECK_EQ(load_config(&l, files, &err), 0);
    CHECK_EQ(load_profile(&l, SOURCE_DIR, "low", NULL, &err), 0);
    CHECK_STR(l.profile.name, "low-risk");
    CHECK_EQ(l.source_count, 3);
    CHECK(!l.sources[1].is_present && l.sources[2].is_present);
    loaded_done(&l);
    (void)snprintf(text, sizeof text, "sandbox: {paths: {profiles_dir: %s/profles}}\n", scratch);
    (void)scratch_file("c.yaml", text);
    loaded_init(&l); /* a directory that is not there: the installed ones; policy_notices() says so */
    CHECK_EQ(load_config(&l, files, &err), 0);
    CHECK_EQ(load_profile(&l, SOURCE_DIR, "low", NULL, &err), 0);
    CHECK_STR(l.profile.name, "low-risk");
    loaded_done(&l);
    scratch_remove();
}

TEST(the_level_asked_for_and_the_profiles_own_have_to_agree)
{
    struct loaded l;
    struct error err = { 0 };
    char expected[256];
    scratch_make();
    const char *silent = scratch_file("silent.yaml", "name: silent\n");
    const char *low = scratch_file("low.yaml", "name: low\nrisk_level: low\n");
    loaded_init(&l);
    CHECK_EQ(load_profile(&l, SOURCE_DIR, "medium", silent, &err), 0);
    CHECK_EQ(l.profile.risk_level, RISK_MEDIUM);
    loaded_done(&l);
    loaded_init(&l);
    CHECK_EQ(load_profile(&l, SOURCE_DIR, NULL, silent, &err), 0);
    CHECK_EQ(l.profile.risk_level, RISK_HIGH); /* the safe choice */
    loaded_done(&l);
    loaded_init(&l);
    CHECK_EQ(load_profile(&l, SOURCE_DIR, NULL, low, &err), 0);
    CHECK_EQ(l.profile.risk_level, RISK_LOW);
    loaded_done(&l);
    loaded_init(&l);
    CHECK_EQ(load_profile(&l, SOURCE_DIR, "high", low, &err), -EINVAL);
    (void)snprintf(expected, sizeof expected, "%s:2: risk_level is low, but high was asked for", low);
    CHECK_STR(err.text, expected);
    loaded_done(&l);
    scratch_remove();
}

/* A profile of these lines, over what is installed for its level. */
static void load_over(const char *text, struct loaded *l)
{
    struct error err = { 0 };
    const char *file = scratch_file("over.yaml", text);
    loaded_init(l);
    if (load_profile(l, SOURCE_DIR, NULL, file, &err) < 0)
        (void)fprintf(stderr, "# %s\n", err.text);
    CHECK_EQ(err.code, 0);
}

TEST(what_a_profile_leaves_out_is_as_installed_for_its_own_level)
{
    scratch_make();
    for (int level = 0; level < RISK_COUNT; level++) {
        struct loaded mine, installed;
        char text[64];
        (void)snprintf(text, sizeof text, "name: mine\nrisk_level: %s\n", risk_level_names[level]);
        load_over(text, &mine);
        loaded_init(&installed);
        CHECK_EQ(load_profile(&installed, SOURCE_DIR, risk_level_names[level], NULL, NULL), 0);
        for (size_t i = 0; i < profile_settings.count; i++) {
            const char *key = profile_settings.table[i].key;
            char wanted[4096];
            if (str_eq(key, "name"))
                continue;
            (void)snprintf(wanted, sizeof wanted, "%s", value_of(profile_settings, &installed.profile, key));
            CHECK_STR(value_of(profile_settings, &mine.profile, key), wanted);
            CHECK_EQ(mine.profile.origin[i].source, str_eq(key, "risk_level") ? ORIGIN_PROFILE : ORIGIN_DEFAULT);
        }
        CHECK_EQ(mine.source_count, 2); /* the installed file, too: another one there is another policy */
        loaded_done(&installed);
        loaded_done(&mine);
    }
    scratch_remove();
}

TEST(limits_that_a_profile_leaves_out_follow_those_that_it_gives)
{
    static const struct follow {
        const char *text;
        uint32_t processes, pids, open_files, descriptors;
    } cases[] = {
        { "risk_level: high\nexecution: {max_processes: 50}\n", 50, 50, 32, 64 },
        { "risk_level: high\nresources: {pids: 3}\n", 3, 3, 32, 64 },
        { "risk_level: high\nresources: {pids: 30}\nexecution: {max_processes: 20}\n", 20, 30, 32, 64 },
        { "risk_level: medium\nexecution: {max_file_descriptors: 64}\n", 20, 20, 64, 64 },
        { "risk_level: high\nexecution: {max_open_files: 100}\n", 5, 10, 100, 100 },
        { "risk_level: high\nexecution: {max_open_files: 32, max_file_descriptors: 16}\n", 5, 10, 32, 16 },
    };
    scratch_make();
    for (size_t i = 0; i < ARRAY_LEN(cases); i++) {
        struct loaded l;
        load_over(cases[i].text, &l);
        CHECK_EQ(l.profile.execution.max_processes, cases[i].processes);
        CHECK_EQ(l.profile.resources.pids, cases[i].pids);
        CHECK_EQ(l.profile.execution.max_open_files, cases[i].open_files);
        CHECK_EQ(l.profile.execution.max_file_descriptors, cases[i].descriptors);
        loaded_done(&l);
    }
    struct loaded l;
    load_over("risk_level: low\nresources: {storage: 64m}\n", &l);
    CHECK_EQ(l.profile.filesystem.temp_size, 32 * MIB);
    loaded_done(&l);
    scratch_remove();
}

TEST(outputs_and_channels_are_texts_or_mappings)
{
    struct config c;
    CHECK_EQ(load_config_text(&c,
                              "monitoring:\n  logging:\n    output:\n      - file: /var/log/x=y.log\n      - stdout: "
                              "true\n      - stderr: false\n      - /z.log\n  alerts:\n    channels:\n      - type: "
                              "log\n        level: warn\n      - {type: command, path: /bin/tell}\n      - webhook\n",
                              NULL),
             0);
    CHECK_STR(value_of(config_settings, &c, "monitoring.logging.output"), "[\"/var/log/x=y.log\", stdout, /z.log]");
    CHECK_STR(value_of(config_settings, &c, "monitoring.alerts.channels"),
              "[\"log:warn\", \"command:/bin/tell\", webhook]");
    config_done(&c);
    static const struct refusal cases[] = {
        { "monitoring: {logging: {output: [{flie: /x}]}}\n",
          "monitoring.logging.output: 'flie=/x' is not accepted; "
          "expected stderr, stdout, journald, syslog, syslog-rfc5424, one of the last three with :PATH, or an absolute "
          "path" },
        { "monitoring: {logging: {output: [journalled]}}\n",
          "monitoring.logging.output: 'journalled' is not accepted; expected stderr, stdout, journald, syslog, "
          "syslog-rfc5424, one of the last three with :PATH, or an absolute path" },
        { "monitoring: {logging: {output: [\"syslog:x\"]}}\n",
          "monitoring.logging.output: 'syslog:x' is not accepted; expected stderr, stdout, journald, syslog, "
          "syslog-rfc5424, one of the last three with :PATH, or an absolute path" },
        { "monitoring: {logging: {output: [{file: x}]}}\n", "c.yaml:1: monitoring.logging.output: 'file=x' is not "
                                                            "accepted; expected a list of texts, or of mappings with "
                                                            "the keys file, stdout and stderr" },
        { "monitoring: {logging: {output: [{file: /x, stdout: true}]}}\n",
          "c.yaml:1: monitoring.logging.output: 'file=/x stdout=true' is not accepted; expected a list of texts, or of "
          "mappings with the keys file, stdout and stderr" },
        { "monitoring: {alerts: {channels: [{type: email}]}}\n",
          "monitoring.alerts.channels: 'email' is not accepted; expected log, webhook, email:ADDRESS, or "
          "command:, slack:, teams: or matrix: and an absolute path" },
        { "monitoring: {alerts: {channels: [{type: log, level: loud}]}}\n",
          "monitoring.alerts.channels: 'log:loud' is not accepted; expected log, webhook, email:ADDRESS, or "
          "command:, slack:, teams: or matrix: and an absolute path" },
        { "monitoring: {alerts: {channels: [{type: log, type: log}]}}\n",
          "c.yaml:1: monitoring.alerts.channels: 'type=log type=log' is not accepted; expected a list of texts, "
          "or of "
          "mappings with the keys type, level and path" },
    };
    check_refusals(cases, ARRAY_LEN(cases), config_complaint);
}

TEST(words_of_other_programs_are_read_as_ours)
{
    struct config c;
    struct profile p;
    CHECK_EQ(load_config_text(&c, "docker: {images: {pull_policy: if_not_present}}\n", NULL), 0);
    CHECK_STR(value_of(config_settings, &c, "docker.images.pull_policy"), "missing");
    config_done(&c);
    CHECK_EQ(load_text(&p, "logging: {output: /var/log/sandbox/low-risk}\n", NULL), 0);
    CHECK_STR(p.logging.output, "/var/log/sandbox/low-risk");
    profile_done(&p);
    CHECK_EQ(load_text(&p, "logging: {output: no}\n", NULL), 0);
    CHECK_STR(p.logging.output, "false");
    profile_done(&p);
    CHECK_EQ(load_text(&p, "logging: {output: low-risk}\n", NULL), -EINVAL);
    profile_done(&p);
}

TEST(a_filters_path_is_relative_to_its_profile)
{
    struct loaded l;
    char expected[256];
    scratch_make();
    const char *file = scratch_file("p.yaml", "security: {seccomp: ./f.json}\n");
    loaded_init(&l);
    CHECK_EQ(load_profile(&l, SOURCE_DIR, NULL, file, NULL), 0);
    (void)snprintf(expected, sizeof expected, "%s/./f.json", scratch);
    CHECK_STR(l.profile.security.seccomp, expected);
    loaded_done(&l);
    scratch_remove();
}
