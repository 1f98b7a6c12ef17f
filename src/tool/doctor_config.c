/* doctor_config.c - the configuration and the three profiles, read as every run reads them.
 *
 * A broken file refuses every run. What they ask of this machine is kept for the probes.
 */
#include "tool/doctor.h"
#include "tool/load.h"

#include <stdio.h>
#include <sys/stat.h>

static void personal_path(char *ret, size_t size)
{
    const char *base = getenv("XDG_CONFIG_HOME"), *home = getenv("HOME");
    bool has_base = base && base[0] == '/';
    ret[0] = '\0';
    if (has_base || (home && home[0] == '/'))
        (void)snprintf(ret, size, "%s%s/sandbox-agent/config.yaml", has_base ? base : home, has_base ? "" : "/.config");
}

static void add_profile(struct wishes *w, const struct profile *p)
{
    uint64_t cores = MAX_OF((p->resources.cpu + 999) / 1000, 1u);
    w->nproc = MAX_OF(w->nproc, (uint64_t)p->resources.pids);
    w->nofile = MAX_OF(w->nofile, (uint64_t)MAX_OF(p->execution.max_file_descriptors, p->execution.max_open_files));
    w->fsize_bytes = MAX_OF(w->fsize_bytes, p->execution.max_file_size);
    w->cpu_s = MAX_OF(w->cpu_s, cores * p->resources.timeout / 1000);
    w->require[p->risk_level] = p->security.require;
    w->has_bridge[p->risk_level] = p->network.mode == NETWORK_BRIDGE;
}

/* Texts that there is no memory for are as if the configuration had not said them. */
static void add_config(struct wishes *w, const struct config *c)
{
    if (!w->log_dir && c->sandbox.paths.log_dir && !str_eq(c->sandbox.paths.log_dir, "/var/log/sandbox"))
        w->log_dir = strdup(c->sandbox.paths.log_dir);
    if (!w->state_dir && c->sandbox.paths.state_dir)
        w->state_dir = strdup(c->sandbox.paths.state_dir);
    if (!w->socket)
        w->socket = strdup(c->docker.daemon.socket);
    if (!w->runtime && c->docker.daemon.runtime)
        w->runtime = strdup(c->docker.daemon.runtime);
    struct stat st;
    const char *profiles = c->sandbox.paths.profiles_dir;
    if (!w->absent_profiles && profiles && (stat(profiles, &st) < 0 || !S_ISDIR(st.st_mode)))
        w->absent_profiles = strdup(profiles);
    if (!w->artifacts && c->security.store_artifacts.path)
        w->artifacts = strdup(c->security.store_artifacts.path);
    w->kept_logs.days = c->monitoring.logging.retention_days;
    w->kept_logs.max_bytes = c->monitoring.logging.max_total_size;
    w->kept_artifacts.days = c->security.store_artifacts.retention_days;
    w->kept_artifacts.max_bytes = c->security.store_artifacts.max_total_size;
    w->kept_caches.days = c->sandbox.cache.retention_days;
    w->kept_caches.max_bytes = c->sandbox.cache.max_total_size;
    w->backend = c->sandbox.backend;
    w->accept_missing = c->docker.container.accept_missing;
    const char *network = c->docker.container.network;
    w->has_engine_network = network && *network && !str_eq(network, "none");
}

/* One level at a time: a struct loaded holds one profile. The files of the configuration are noted once. */
static int read_level(struct doctor *d, struct loaded *l, const char *level, const char *const *files,
                      struct error *err)
{
    struct wishes *w = &d->wishes;
    int r = load_config(l, files, err);
    bool is_first = json_array_size(w->config_files) == 0 && !w->log_dir && w->profile_count == 0;
    for (uint32_t i = 0; is_first && i < l->source_count; i++)
        if (l->sources[i].is_present)
            (void)json_array_append_new(w->config_files, text_json(l->sources[i].path));
    if (r < 0)
        return r;
    add_config(w, &l->config);
    r = load_profile(l, d->tool->data_dir, level, NULL, err);
    if (r < 0)
        return r;
    add_profile(w, &l->profile);
    w->profile_count++;
    return 0;
}

void wishes_read(struct doctor *d)
{
    char system_path[4096], own_path[4096];
    cleanup(freep) struct loaded *l = malloc(sizeof *l);
    d->wishes = (struct wishes){ .config_files = json_array() };
    personal_path(own_path, sizeof own_path);
    if (!l || doctor_path(d, system_path, "/etc/sandbox-agent/config.yaml") < 0) {
        (void)err_set(&d->wishes.err, -ENOMEM, BLAME_HOST, NULL, "the configuration could not be read");
        return;
    }
    const char *const files[CONFIG_FILE_COUNT] = { system_path, own_path[0] ? own_path : NULL, d->config };
    for (int level = 0, r = 0; level < RISK_COUNT && r >= 0; level++) {
        struct error err = { 0 }; /* loading also fills it on its way past files that may be absent */
        loaded_init(l);
        r = read_level(d, l, risk_level_names[level], files, &err);
        loaded_done(l);
        if (r < 0)
            d->wishes.err = err;
    }
}

void wishes_done(struct wishes *w)
{
    json_decref(w->config_files);
    free(w->log_dir);
    free(w->state_dir);
    free(w->artifacts);
    free(w->absent_profiles);
    free(w->socket);
    free(w->runtime);
    *w = (struct wishes){ 0 };
}

void probe_configuration(struct doctor *d, struct check *c)
{
    const struct wishes *w = &d->wishes;
    const char *first = json_string_value(json_array_get(w->config_files, 0));
    const char *second = json_string_value(json_array_get(w->config_files, 1)),
               *third = json_string_value(json_array_get(w->config_files, 2));
    fact_take(c, "files", json_incref(w->config_files));
    fact_text(c, "error", w->err.code ? w->err.text : NULL);
    fact_text(c, "absent_profiles_dir", w->absent_profiles);
    check_say(c, CHECK_OK, "%s%s%s%s%s; profiles are in order", first ? first : "none, defaults hold",
              second ? ", " : "", second ? second : "", third ? ", " : "", third ? third : "");
    if (w->absent_profiles) {
        check_add(c, CHECK_WARN,
                  "sandbox.paths.profiles_dir %s: there is no such directory: the installed profiles are used",
                  w->absent_profiles);
        check_remedy(c, "make it, or remove sandbox.paths.profiles_dir from the configuration");
    }
    if (!w->err.code)
        return;
    check_say(c, CHECK_FAIL, "%s", w->err.text);
    if (w->err.remedy[0])
        check_remedy(c, "%s", w->err.remedy);
}
