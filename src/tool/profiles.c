/* profiles.c - `sandbox-policy profiles ...` and `sandbox-policy config show`: what is in force, and where it was said.
 */
#include "tool/load.h"
#include "tool/tool.h"

#include "base/json.h"
#include "config/setting_json.h"

#include <getopt.h>
#include <stdio.h>
#include <sys/stat.h>

struct view {
    struct tool *tool;
    const char *data_dir, *config_path, *system_config;
    char user_config[4096];
    bool is_json, has_told;
    char **words; /* what is no option */
    int word_count;
};

/* ---- options ---- */

static int view_init(struct view *v, struct tool *t, int argc, char **argv)
{
    static const struct option options[] = {
        { "data-dir", required_argument, NULL, 'd' },
        { "config", required_argument, NULL, 'c' },
        { "system-config", required_argument, NULL, 's' },
        { "json", no_argument, NULL, 'j' },
        { NULL, 0, NULL, 0 },
    };
    *v = (struct view){ .tool = t, .data_dir = t->data_dir, .system_config = SYSTEM_CONFIG };
    find_user_config(v->user_config, sizeof v->user_config);
    int c;
    while ((c = getopt_long(argc, argv, "", options, NULL)) != -1)
        switch (c) {
        case 'd':
            v->data_dir = optarg;
            break;
        case 'c':
            v->config_path = optarg;
            break;
        case 's':
            v->system_config = optarg;
            break;
        case 'j':
            v->is_json = true;
            break;
        default:
            return -EINVAL;
        }
    v->words = argv + optind;
    v->word_count = argc - optind;
    return 0;
}

/* Said once a command. */
static void tell_absent_profiles(struct view *v, const struct config *c)
{
    const char *dir = c->sandbox.paths.profiles_dir;
    struct stat st;
    if (!dir || v->has_told || (stat(dir, &st) == 0 && S_ISDIR(st.st_mode)))
        return;
    v->has_told = true;
    (void)fprintf(stderr,
                  "%s: sandbox.paths.profiles_dir %s: there is no such directory: the installed profiles are used\n",
                  program_invocation_short_name, dir);
}

static int view_config(struct view *v, struct loaded *l, struct error *err)
{
    const char *const files[CONFIG_FILE_COUNT] = { v->system_config, v->user_config[0] ? v->user_config : NULL,
                                                   v->config_path };
    int r = load_config(l, files, err);
    if (r == 0)
        tell_absent_profiles(v, &l->config);
    return r;
}

/* A word with a slash or a dot is a file, anything else a level. */
static int view_profile(struct view *v, struct loaded *l, const char *word, struct error *err)
{
    bool is_file = strpbrk(word, "/.") != NULL;
    int r = view_config(v, l, err);
    return r < 0 ? r : load_profile(l, v->data_dir, is_file ? NULL : word, is_file ? word : NULL, err);
}

/* ---- printing ---- */

struct origins {
    const struct loaded *loaded;
    const struct origin *origin;
};

static void print_origin(void *ctx, size_t i, struct buf *out)
{
    const struct origins *o = ctx;
    struct origin at = o->origin[i];
    if (at.source == ORIGIN_PROFILE)
        (void)buf_addf(out, "%s:%u", o->loaded->profile_file, at.line);
    else if (at.source == ORIGIN_CONFIG)
        (void)buf_addf(out, "%s:%u", o->loaded->config_file[at.file], at.line);
    else
        (void)buf_adds(out, "default");
}

static int print_settings(const struct view *v, struct settings s, const void *base, struct origins *o)
{
    cleanup(buf_done) struct buf out;
    buf_init(&out, 1024 * 1024);
    if (v->is_json) {
        settings_json(s, base, print_origin, o, &out);
        (void)buf_addc(&out, '\n');
    } else {
        settings_print(s, base, print_origin, o, &out);
    }
    return tool_print(&out);
}

/* ---- commands ---- */

static int profiles_show(struct view *v)
{
    struct loaded l;
    struct error err = { 0 };
    loaded_init(&l);
    struct origins o = { &l, l.profile.origin };
    int r = view_profile(v, &l, v->words[1], &err);
    int code = r < 0 ? tool_complain(&err) : print_settings(v, profile_settings, &l.profile, &o);
    loaded_done(&l);
    return code;
}

static void add_row(const struct view *v, const char *level, const struct loaded *l, const struct error *err,
                    struct buf *out)
{
    const char *file = l->profile_file ? l->profile_file : "";
    if (!v->is_json) {
        (void)buf_addf(out, "%-8s %-16s %s\n", level, err->code ? "(broken)" : l->profile.name, file);
        if (!err->code)
            (void)buf_addf(out, "%-8s %s\n", "", l->profile.description);
        return;
    }
    const char *const pairs[][2] = {
        { "risk_level", level },
        { "file", file },
        { err->code ? "error" : "name", err->code ? err->text : l->profile.name },
        { err->code ? NULL : "description", l->profile.description },
    };
    json_open(out, '{');
    for (size_t i = 0; i < ARRAY_LEN(pairs) && pairs[i][0]; i++) {
        json_key(out, pairs[i][0]);
        json_put_string(out, pairs[i][1]);
    }
    json_close(out, '}');
}

/* A level whose file is broken is shown as such and does not hide the others. */
static int profiles_list(struct view *v)
{
    cleanup(buf_done) struct buf out;
    int worst = 0;
    buf_init(&out, 64 * 1024);
    if (v->is_json)
        json_open(&out, '[');
    for (int i = 0; i < RISK_COUNT; i++) {
        struct loaded l;
        struct error err = { 0 };
        loaded_init(&l);
        if (view_profile(v, &l, risk_level_names[i], &err) < 0)
            worst = tool_complain(&err);
        add_row(v, risk_level_names[i], &l, &err, &out);
        loaded_done(&l);
    }
    if (v->is_json)
        (void)buf_adds(&out, "]\n");
    int code = tool_print(&out);
    return code ? code : worst;
}

static bool has_section(struct settings s, const char *key)
{
    const size_t n = strcspn(key, ".");
    for (size_t i = 0; i < s.count; i++)
        if (strncmp(s.table[i].key, key, n) == 0 && s.table[i].key[n] == '.')
            return true;
    return false;
}

/* Does it begin with a section of a configuration, and is it a good one? 1; 0: it is none; 2: a bad one, as was said.
 * The error's field: the key that no profile has. */
static int check_config(const char *file, const struct error *as_profile)
{
    const char *const files[CONFIG_FILE_COUNT] = { [CONFIG_OPTION] = file };
    if (!as_profile->field[0] || !has_section(config_settings, as_profile->field) ||
        has_section(profile_settings, as_profile->field))
        return 0;
    struct loaded l;
    struct error err = { 0 };
    loaded_init(&l);
    int r = load_config(&l, files, &err);
    loaded_done(&l);
    if (r < 0) {
        (void)tool_complain(&err);
        return 2;
    }
    (void)printf("%s: good, a configuration\n", file);
    return 1;
}

/* The file alone; with --config, under that configuration. None of this machine is laid over it. */
static int check_file(const struct view *v, const char *file)
{
    struct loaded l;
    struct error err = { 0 };
    int found = 0;
    loaded_init(&l);
    const char *const files[CONFIG_FILE_COUNT] = { [CONFIG_OPTION] = v->config_path };
    int r = v->config_path ? load_config(&l, files, &err) : 0;
    if (r == 0)
        r = load_profile(&l, v->data_dir, NULL, file, &err);
    if (r == 0)
        (void)printf("%s: good, %s risk\n", file, risk_level_names[l.profile.risk_level]);
    else if ((found = check_config(file, &err)) == 0)
        (void)tool_complain(&err);
    loaded_done(&l);
    return r == 0 || found == 1 ? 0 : 2;
}

static int profiles_check(struct view *v)
{
    int worst = 0;
    for (int i = 1; i < v->word_count; i++)
        if (check_file(v, v->words[i]) != 0)
            worst = 2;
    return worst;
}

int cmd_profiles(struct tool *t, int argc, char **argv)
{
    struct view v;
    if (view_init(&v, t, argc, argv) == 0 && v.word_count >= 1) {
        const char *verb = v.words[0];
        if (str_eq(verb, "list") && v.word_count == 1)
            return profiles_list(&v);
        if (str_eq(verb, "show") && v.word_count == 2)
            return profiles_show(&v);
        if (str_eq(verb, "check") && v.word_count >= 2)
            return profiles_check(&v);
    }
    (void)fprintf(stderr, "usage: profiles list [--json] | show LEVEL|FILE [--json] | check FILE...\n"
                          "       (all: [--config FILE])\n");
    return 2;
}

int cmd_config(struct tool *t, int argc, char **argv)
{
    struct view v;
    if (view_init(&v, t, argc, argv) < 0 || v.word_count != 1 || !str_eq(v.words[0], "show")) {
        (void)fprintf(stderr, "usage: config show [--config FILE] [--json]\n");
        return 2;
    }
    struct loaded l;
    struct error err = { 0 };
    loaded_init(&l);
    struct origins o = { &l, l.config.origin };
    int r = view_config(&v, &l, &err);
    int code = r < 0 ? tool_complain(&err) : print_settings(&v, config_settings, &l.config, &o);
    loaded_done(&l);
    return code;
}
