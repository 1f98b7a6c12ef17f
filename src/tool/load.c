#include "tool/load.h"

#include "config/yaml.h"

#include <fcntl.h>
#include <stdio.h>
#include <sys/stat.h>

void loaded_init(struct loaded *l)
{
    memset(l, 0, sizeof *l);
    config_defaults(&l->config);
    profile_defaults(&l->profile);
}

void loaded_done(struct loaded *l)
{
    config_done(&l->config);
    profile_done(&l->profile);
    free(l->profile_file);
    for (uint32_t i = 0; i < l->source_count; i++)
        source_done(&l->sources[i]);
    memset(l, 0, sizeof *l);
}

/* ---- files ---- */

/* All of a regular file, at most max bytes; caller frees *ret. An absent one is the caller's to judge: no text. */
static int read_file(const char *path, size_t max, char **ret, size_t *ret_size, struct error *err)
{
    /* O_NONBLOCK: a FIFO without a writer must not block us */
    cleanup(closep) int fd = open(path, O_RDONLY | O_NONBLOCK | O_NOCTTY | O_CLOEXEC);
    cleanup(freep) char *data = NULL;
    struct stat st;
    size_t size = 0;
    if (fd < 0 && (errno == ENOENT || errno == ENOTDIR))
        return -ENOENT;
    if (fd < 0 || fstat(fd, &st) < 0)
        return err_set(err, -errno, BLAME_CALLER, NULL, "%s: %s", path, strerror(errno));
    if (!S_ISREG(st.st_mode))
        return err_set(err, -EINVAL, BLAME_CALLER, NULL, "%s: not a regular file", path);
    if (st.st_size < 0 || (uint64_t)st.st_size > max)
        return err_set(err, -EFBIG, BLAME_CALLER, NULL, "%s: larger than %zu KiB", path, max / 1024);
    data = malloc((size_t)st.st_size + 1);
    if (!data)
        return err_set(err, -ENOMEM, BLAME_US, NULL, "%s: out of memory", path);
    while (size < (size_t)st.st_size) {
        ssize_t n = read(fd, data + size, (size_t)st.st_size - size);
        if (n < 0 && errno == EINTR)
            continue;
        if (n < 0)
            return err_set(err, -errno, BLAME_CALLER, NULL, "%s: %s", path, strerror(errno));
        if (n == 0)
            break; /* it was shortened: what we read is what counts */
        size += (size_t)n;
    }
    data[size] = '\0';
    *ret = TAKE_PTR(data);
    *ret_size = size;
    return 0;
}

int source_read(const char *path, size_t max_bytes, struct compiled_source *ret, struct error *err)
{
    char *data = NULL;
    size_t size = 0;
    int r = read_file(path, max_bytes, &data, &size, err);
    if (r < 0 && r != -ENOENT)
        return r;
    char *copy = strdup(path);
    if (!copy) {
        free(data);
        return err_set(err, -ENOMEM, BLAME_US, NULL, "%s: out of memory", path);
    }
    *ret = (struct compiled_source){ .path = copy, .is_present = r == 0, .content = { data, (uint32_t)size } };
    return 0;
}

void source_done(struct compiled_source *s)
{
    free((char *)s->path);
    free((void *)s->content.data);
    *s = (struct compiled_source){ 0 };
}

int load_source(struct loaded *l, const char *path, size_t max_bytes, const struct compiled_source **ret,
                struct error *err)
{
    assert(l->source_count < COMPILED_SOURCES_MAX); /* three configurations, two profiles, a filter */
    int r = source_read(path, max_bytes, &l->sources[l->source_count], err);
    if (r < 0)
        return r;
    *ret = &l->sources[l->source_count++];
    return 0;
}

/* ---- errors with a place ---- */

/* A check's text begins with the key it is about: put file and line of that key before it. */
static int locate(const struct loaded *l, struct settings s, const struct origin *origins, const char *fallback,
                  struct error *err)
{
    char key[SETTING_KEY_MAX];
    size_t n = strcspn(err->text, ": ");
    if (n >= sizeof key)
        return err_wrap(err, "%s", fallback);
    memcpy(key, err->text, n);
    key[n] = '\0';
    const struct setting *found = setting_find(s, key);
    const struct origin *o = found ? &origins[found - s.table] : NULL;
    if (o && o->source == ORIGIN_CONFIG)
        return err_wrap(err, "%s:%u", l->config_file[o->file], o->line);
    if (o && o->source == ORIGIN_PROFILE)
        return err_wrap(err, "%s:%u", l->profile_file, o->line);
    return err_wrap(err, "%s", fallback);
}

/* ---- configuration ---- */

static int load_config_file(struct loaded *l, int file, const char *path, struct error *err)
{
    struct origin given[ARRAY_LEN(l->config.origin)] = { 0 };
    const struct compiled_source *s;
    const char *name = file == CONFIG_OPTION && l->option_name ? l->option_name : path;
    int r = load_source(l, path, YAML_MAX_BYTES, &s, err);
    if (r < 0)
        return r;
    if (!s->is_present && file == CONFIG_OPTION) {
        (void)err_set(err, -ENOENT, BLAME_CALLER, NULL, "%s: there is no such configuration file", name);
        return err_remedy(err, "give --config an existing file, or leave it out");
    }
    l->config_file[file] = name;
    if (!s->is_present)
        return 0;
    r = yaml_load(name, s->content.data, s->content.size, config_settings, &l->config, given, ORIGIN_CONFIG, err);
    for (size_t i = 0; r == 0 && i < config_settings.count; i++)
        if (given[i].source == ORIGIN_CONFIG) {
            given[i].file = (uint8_t)file;
            l->config.origin[i] = given[i];
        }
    return r;
}

int load_config(struct loaded *l, const char *const files[CONFIG_FILE_COUNT], struct error *err)
{
    const char *last = "configuration";
    for (int f = 0; f < CONFIG_FILE_COUNT; f++) {
        if (!files[f])
            continue;
        int r = load_config_file(l, f, files[f], err);
        if (r < 0)
            return r;
        last = l->config_file[f];
    }
    int r = config_check(&l->config, err);
    return r < 0 ? locate(l, config_settings, l->config.origin, last, err) : 0;
}

/* ---- profile ---- */

static int find_level(const char *level, struct error *err)
{
    int found = risk_level_find(level);
    if (found >= 0)
        return found;
    return err_set(err, -EINVAL, BLAME_CALLER, NULL, "unknown risk level '%.40s'; expected low, medium or high", level);
}

static int find_installed(struct loaded *l, const char *data_dir, const char *level, const struct compiled_source **ret,
                          struct error *err)
{
    char path[4096];
    (void)snprintf(path, sizeof path, "%s/profiles/%s-risk.yaml", data_dir, level);
    int r = load_source(l, path, YAML_MAX_BYTES, ret, err);
    if (r < 0 || (*ret)->is_present)
        return r;
    (void)err_set(err, -ENOENT, BLAME_HOST, NULL, "%s: the profile of level %s is not installed", path, level);
    return err_remedy(err, "install sandbox-agent again");
}

/* The level's file: in the configured directory, else the installed one. */
static int find_level_file(struct loaded *l, const char *data_dir, const char *level,
                           const struct compiled_source **ret, struct error *err)
{
    char path[4096];
    const char *own = l->config.sandbox.paths.profiles_dir;
    if (own) {
        (void)snprintf(path, sizeof path, "%s/%s-risk.yaml", own, level);
        int r = load_source(l, path, YAML_MAX_BYTES, ret, err);
        if (r < 0 || (*ret)->is_present)
            return r;
    }
    return find_installed(l, data_dir, level, ret, err);
}

static int find_profile(struct loaded *l, const char *data_dir, const char *level, const char *file,
                        const struct compiled_source **ret, struct error *err)
{
    if (!file)
        return find_level_file(l, data_dir, level, ret, err);
    int r = load_source(l, file, YAML_MAX_BYTES, ret, err);
    if (r < 0 || (*ret)->is_present)
        return r;
    (void)err_set(err, -ENOENT, BLAME_CALLER, NULL, "%s: there is no such profile file", file);
    return err_remedy(err, "give --profile an existing file, or choose a level with --risk-level");
}

/* The level asked for and the level the file stands for have to be one. */
static int settle_level(struct loaded *l, int level, bool is_asked, struct error *err)
{
    int i = profile_find_key("risk_level");
    assert(i >= 0);
    if (l->profile.origin[i].source == ORIGIN_DEFAULT) {
        if (is_asked)
            l->profile.risk_level = (uint8_t)level;
        return 0;
    }
    if (!is_asked || l->profile.risk_level == level)
        return 0;
    return err_set(err, -EINVAL, BLAME_CALLER, NULL, "%s:%u: risk_level is %s, but %s was asked for", l->profile_file,
                   l->profile.origin[i].line, risk_level_names[l->profile.risk_level], risk_level_names[level]);
}

/* A filter's file is named relative to the profile that names it. */
static int resolve_seccomp(struct profile *p, const char *profile_file, struct error *err)
{
    const char *slash = strrchr(profile_file, '/');
    const char *name = p->security.seccomp;
    char path[4096];
    if (!strchr(name, '/') || name[0] == '/' || !slash)
        return 0;
    int n = snprintf(path, sizeof path, "%.*s/%s", (int)(slash - profile_file), profile_file, name);
    if (n < 0 || (size_t)n >= sizeof path)
        return err_set(err, -ENAMETOOLONG, BLAME_CALLER, NULL, "security.seccomp: the path is too long");
    const struct setting *s = setting_find(profile_settings, "security.seccomp");
    setting_clear(s, p);
    return setting_parse(s, p, path, err);
}

/* Is the profile's file one of ours? By its name: a copy of it elsewhere says the same anyway. */
static bool is_installed(const struct loaded *l, const char *data_dir)
{
    size_t n = strlen(data_dir);
    return strncmp(l->profile_file, data_dir, n) == 0 && str_starts(l->profile_file + n, "/profiles/") &&
           !strchr(l->profile_file + n + strlen("/profiles/"), '/');
}

/* The keys that a file leaves out are those of the installed profile of the level that it stands for: read that one,
 * then the file over it. */
static int load_over_installed(struct loaded *l, const char *data_dir, const struct compiled_source *file,
                               struct error *err)
{
    enum risk_level level = (enum risk_level)l->profile.risk_level;
    const struct compiled_source *base;
    int r = find_installed(l, data_dir, risk_level_names[level], &base, err);
    if (r < 0)
        return r;
    profile_done(&l->profile);
    profile_defaults(&l->profile);
    r = yaml_load(base->path, base->content.data, base->content.size, profile_settings, &l->profile, l->profile.origin,
                  ORIGIN_DEFAULT, err);
    memset(l->profile.origin, 0, sizeof l->profile.origin);
    if (r == 0)
        r = yaml_load(file->path, file->content.data, file->content.size, profile_settings, &l->profile,
                      l->profile.origin, ORIGIN_PROFILE, err);
    l->profile.risk_level = (uint8_t)level; /* the file need not say what it is asked for */
    return r;
}

int load_profile(struct loaded *l, const char *data_dir, const char *level, const char *file, struct error *err)
{
    const struct compiled_source *s;
    bool is_asked = level || !file;
    if (!level)
        level = risk_level_names[l->config.sandbox.default_risk_level];
    int number = find_level(level, err);
    int r = number < 0 ? number : find_profile(l, data_dir, level, file, &s, err);
    if (r < 0)
        return r;
    l->profile_file = strdup(s->path);
    if (!l->profile_file)
        return err_set(err, -ENOMEM, BLAME_US, NULL, "%s: out of memory", s->path);
    r = yaml_load(s->path, s->content.data, s->content.size, profile_settings, &l->profile, l->profile.origin,
                  ORIGIN_PROFILE, err);
    if (r < 0 || (r = settle_level(l, number, is_asked, err)) < 0)
        return r;
    if (!is_installed(l, data_dir) && (r = load_over_installed(l, data_dir, s, err)) < 0)
        return r;
    profile_follow(&l->profile);
    if ((r = config_apply(&l->config, &l->profile, err)) < 0)
        return r;
    if ((r = profile_check(&l->profile, err)) < 0)
        return locate(l, profile_settings, l->profile.origin, l->profile_file, err);
    return resolve_seccomp(&l->profile, l->profile_file, err);
}

void find_user_config(char *out, size_t size)
{
    const char *xdg = getenv("XDG_CONFIG_HOME"), *home = getenv("HOME");
    if (xdg && xdg[0] == '/')
        (void)snprintf(out, size, "%s/sandbox-agent/config.yaml", xdg);
    else if (home && home[0] == '/')
        (void)snprintf(out, size, "%s/.config/sandbox-agent/config.yaml", home);
    else
        out[0] = '\0';
}
