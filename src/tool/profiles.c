/* profiles.c - `sandbox-policy profiles ...` and `sandbox-policy config show`: what is in force, and where it was said. */
#include "tool/load.h"
#include "tool/tool.h"

#include <getopt.h>
#include <jansson.h>
#include <stdio.h>

#define SYSTEM_CONFIG "/etc/sandbox-agent/config.yaml"

struct view {
    struct tool *tool;
    const char *data_dir, *config_path, *system_config;
    char user_config[4096];
    bool is_json;
    char **words; /* what is no option */
    int word_count;
};

/* ---- options ---- */

static void find_user_config(char *out, size_t size)
{
    const char *xdg = getenv("XDG_CONFIG_HOME"), *home = getenv("HOME");
    if (xdg && xdg[0] == '/')
        (void)snprintf(out, size, "%s/sandbox-agent/config.yaml", xdg);
    else if (home && home[0] == '/')
        (void)snprintf(out, size, "%s/.config/sandbox-agent/config.yaml", home);
    else
        out[0] = '\0';
}

static int view_init(struct view *v, struct tool *t, int argc, char **argv)
{
    static const struct option options[] = {
        { "data-dir", required_argument, NULL, 'd' },      { "config", required_argument, NULL, 'c' },
        { "system-config", required_argument, NULL, 's' }, { "json", no_argument, NULL, 'j' },
        { NULL, 0, NULL, 0 },
    };
    *v = (struct view){ .tool = t, .data_dir = t->data_dir, .system_config = SYSTEM_CONFIG };
    find_user_config(v->user_config, sizeof v->user_config);
    int c;
    while ((c = getopt_long(argc, argv, "", options, NULL)) != -1)
        switch (c) {
        case 'd': v->data_dir = optarg; break;
        case 'c': v->config_path = optarg; break;
        case 's': v->system_config = optarg; break;
        case 'j': v->is_json = true; break;
        default: return -EINVAL;
        }
    v->words = argv + optind;
    v->word_count = argc - optind;
    return 0;
}

static int view_config(const struct view *v, struct loaded *l, struct error *err)
{
    const char *const files[CONFIG_FILE_COUNT] = { v->system_config, v->user_config[0] ? v->user_config : NULL,
                                                   v->config_path };
    return load_config(l, files, err);
}

/* A word with a slash or a dot is a file, anything else a level. */
static int view_profile(const struct view *v, struct loaded *l, const char *word, struct error *err)
{
    bool is_file = strpbrk(word, "/.") != NULL;
    int r = view_config(v, l, err);
    return r < 0 ? r : load_profile(l, v->data_dir, is_file ? NULL : word, is_file ? word : NULL, err);
}

/* ---- values as JSON ---- */

/* {"k": "v"} out of «k=v<separator>k=v». */
static json_t *json_record(const char *record, char separator)
{
    json_t *o = json_object();
    for (const char *part = record;;) {
        size_t n = strcspn(part, (char[]){ separator, '\0' });
        const char *eq = memchr(part, '=', n);
        if (eq) {
            char *key = strndup(part, (size_t)(eq - part));
            if (key)
                (void)json_object_set_new(o, key, json_stringn(eq + 1, n - (size_t)(eq - part) - 1));
            free(key);
        }
        if (!part[n])
            return o;
        part += n + 1;
    }
}

static json_t *json_map(const struct strlist *l)
{
    json_t *o = json_object();
    STRLIST_FOREACH(item, l) {
        json_t *pair = json_record(item, '\0');
        (void)json_object_update(o, pair);
        json_decref(pair);
    }
    return o;
}

static json_t *json_list(const struct strlist *l, bool is_records)
{
    json_t *a = json_array();
    STRLIST_FOREACH(item, l)
        (void)json_array_append_new(a, is_records ? json_record(item, RECORD_SEPARATOR) : json_string(item));
    return a;
}

static json_t *json_flags(const struct setting *s, uint32_t bits)
{
    json_t *a = json_array();
    for (size_t i = 0; s->choices[i]; i++)
        if (bits & UINT32_C(1) << i)
            (void)json_array_append_new(a, json_string(s->choices[i]));
    return a;
}

/* Sizes in bytes, times in seconds, CPU in cores. */
static json_t *json_value(const struct setting *s, const void *base)
{
    const void *m = (const char *)base + s->offset;
    if (setting_is_unset(s, base))
        return json_null();
    switch (s->type) {
    case SET_BOOL: return json_boolean(*(const bool *)m);
    case SET_UINT: return json_integer(*(const uint32_t *)m);
    case SET_SIZE: return json_integer((json_int_t)*(const uint64_t *)m);
    case SET_CPU:
    case SET_RATIO: return json_real(*(const uint32_t *)m / 1000.0);
    case SET_DURATION: return json_real((double)*(const uint64_t *)m / 1000.0);
    case SET_ENUM: return json_string(s->choices[*(const uint8_t *)m]);
    case SET_FLAGS: return json_flags(s, *(const uint32_t *)m);
    case SET_STRING: return json_string(*(const char *const *)m);
    case SET_LIST: return json_list(m, false);
    case SET_RECORDS: return json_list(m, true);
    case SET_MAP: return json_map(m);
    case SET_USER: {
        const struct user_ids *ids = m;
        return json_sprintf("%u:%u", ids->uid, ids->gid);
    }
    }
    return json_null();
}

/* The object that a dotted key lies in, made as needed; *ret_last is the key's last word. */
static json_t *json_section(json_t *root, const char *key, const char **ret_last)
{
    const char *dot;
    for (; (dot = strchr(key, '.')); key = dot + 1) {
        char word[SETTING_KEY_MAX];
        (void)snprintf(word, sizeof word, "%.*s", (int)(dot - key), key);
        json_t *child = json_object_get(root, word);
        if (!child) {
            child = json_object();
            (void)json_object_set_new(root, word, child);
        }
        root = child;
    }
    *ret_last = key;
    return root;
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

static int print_json(json_t *root)
{
    cleanup(buf_done) struct buf out;
    buf_init(&out, 1024 * 1024);
    char *text = root ? json_dumps(root, JSON_INDENT(2) | JSON_REAL_PRECISION(9)) : NULL;
    if (text)
        (void)buf_addf(&out, "%s\n", text);
    else
        out.failed = true; /* out of memory: tool_print() says so */
    free(text);
    json_decref(root);
    return tool_print(&out);
}

static json_t *json_settings(struct settings s, const void *base, struct origins *o)
{
    json_t *values = json_object(), *origins = json_object();
    for (size_t i = 0; i < s.count; i++) {
        struct buf text;
        const char *last;
        json_t *section = json_section(values, s.table[i].key, &last);
        (void)json_object_set_new(section, last, json_value(&s.table[i], base));
        buf_init(&text, 8192);
        print_origin(o, i, &text);
        (void)json_object_set_new(origins, s.table[i].key, json_string(text.data ? text.data : ""));
        buf_done(&text);
    }
    return json_pack("{s:o,s:o}", "values", values, "origins", origins);
}

static int print_settings(const struct view *v, struct settings s, const void *base, struct origins *o)
{
    if (v->is_json)
        return print_json(json_settings(s, base, o));
    cleanup(buf_done) struct buf out;
    buf_init(&out, 1024 * 1024);
    settings_print(s, base, print_origin, o, &out);
    return tool_print(&out);
}

/* ---- commands ---- */

static int profiles_show(const struct view *v)
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

/* One row; a level whose file is broken is shown as such and does not hide the others. */
static int list_row(const struct view *v, const char *level, struct buf *text, json_t *rows)
{
    struct loaded l;
    struct error err = { 0 };
    loaded_init(&l);
    int r = view_profile(v, &l, level, &err);
    const char *file = l.profile_file ? l.profile_file : "";
    if (r < 0) {
        (void)tool_complain(&err);
        (void)buf_addf(text, "%-8s %-16s %s\n", level, "(broken)", file);
        (void)json_array_append_new(rows, json_pack("{s:s,s:s,s:s}", "risk_level", level, "file", file, "error", err.text));
    } else {
        (void)buf_addf(text, "%-8s %-16s %s\n         %s\n", level, l.profile.name, file, l.profile.description);
        (void)json_array_append_new(rows, json_pack("{s:s,s:s,s:s,s:s}", "risk_level", level, "name", l.profile.name,
                                                    "description", l.profile.description, "file", file));
    }
    loaded_done(&l);
    return r < 0 ? 2 : 0;
}

static int profiles_list(const struct view *v)
{
    cleanup(buf_done) struct buf text;
    json_t *rows = json_array();
    int worst = 0;
    buf_init(&text, 64 * 1024);
    for (int i = 0; i < RISK_COUNT; i++)
        if (list_row(v, risk_level_names[i], &text, rows) != 0)
            worst = 2;
    int code;
    if (v->is_json) {
        code = print_json(rows);
    } else {
        json_decref(rows);
        code = tool_print(&text);
    }
    return code ? code : worst;
}

/* The file alone: no configuration of this machine is laid over it. */
static int check_file(const struct view *v, const char *file)
{
    struct loaded l;
    struct error err = { 0 };
    loaded_init(&l);
    int r = load_profile(&l, v->data_dir, NULL, file, &err);
    if (r < 0)
        (void)tool_complain(&err);
    else
        (void)printf("%s: good, %s risk\n", file, risk_level_names[l.profile.risk_level]);
    loaded_done(&l);
    return r < 0 ? 2 : 0;
}

static int profiles_check(const struct view *v)
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
