/* docs.c - `sandbox-policy docs profiles|configuration`: the reference tables, out of the tables of settings.
 *
 * docs/profiles.md and docs/configuration.md are this output; a test compares them, so what people
 * read, what the program accepts and what the shipped files say cannot drift apart.
 */
#include "tool/load.h"
#include "tool/tool.h"

#include <stdio.h>

/* Which test proves a key: by rule test_<key with dots as underscores>, in this file ... */
#define KEY_TESTS   "tests/integration/test_profile_keys.py"
#define WATCH_TESTS "`tests/integration/test_watch.py`"
/* ... except these, by their file: one key more is one row, or one program, in the same tests. */
static const struct test_exception {
    const char *key_start, *test;
} test_exceptions[] = {
    { "rate_limits.", "`tests/unit/test_policy.c`, `tests/integration/test_agents.py`" },
    { "monitoring.", WATCH_TESTS },
    { "kill_switches", WATCH_TESTS },
    { "logging.audit_syscalls", WATCH_TESTS },
    { "detectors.", "`tests/unit/test_watch.c`" }, /* the programs are those of the detectors as shipped */
};

/* ---- Markdown ---- */

static void add_cell(struct buf *out, const char *text)
{
    for (; *text; text++) {
        if (*text == '|')
            (void)buf_addc(out, '\\');
        (void)buf_addc(out, *text);
    }
}

/* A value as code; «·» for nothing at all. */
static void add_value(struct buf *out, const struct setting *s, const void *base)
{
    struct buf text;
    buf_init(&text, 64 * 1024);
    if (!setting_is_unset(s, base))
        setting_print(s, base, &text);
    if (text.size) {
        (void)buf_addc(out, '`');
        add_cell(out, text.data);
        (void)buf_addc(out, '`');
    } else {
        (void)buf_adds(out, "·");
    }
    buf_done(&text);
}

/* A level's value; «=» where it is the default, so that the eye finds what differs. */
static void add_level_value(struct buf *out, const struct setting *s, const void *base, const void *preset)
{
    struct buf mine, theirs;
    buf_init(&mine, 64 * 1024);
    buf_init(&theirs, 64 * 1024);
    setting_print(s, base, &mine);
    setting_print(s, preset, &theirs);
    if (mine.size == theirs.size && mine.size && memcmp(mine.data, theirs.data, mine.size) == 0)
        (void)buf_addc(out, '=');
    else
        add_value(out, s, base);
    buf_done(&mine);
    buf_done(&theirs);
}

static void add_accepts(struct buf *out, const struct setting *s)
{
    struct buf text;
    buf_init(&text, 4096);
    setting_accepts(s, &text);
    add_cell(out, text.data ? text.data : "");
    buf_done(&text);
}

static void add_test(struct buf *out, const char *key)
{
    for (size_t i = 0; i < ARRAY_LEN(test_exceptions); i++)
        if (str_starts(key, test_exceptions[i].key_start)) {
            (void)buf_adds(out, test_exceptions[i].test);
            return;
        }
    (void)buf_adds(out, "`test_");
    for (; *key; key++)
        (void)buf_addc(out, *key == '.' ? '_' : *key);
    (void)buf_addc(out, '`');
}

/* ---- profiles.md ---- */

static const char profiles_head[] =
    "<!-- written by `sandbox-policy docs profiles`; change the tables in src/config/profile.c instead -->\n"
    "# Profiles\n"
    "\n"
    "A profile says in one YAML file what code of one risk level may do. Three are installed: `low-risk.yaml`,\n"
    "`medium-risk.yaml` and `high-risk.yaml`; `sandbox.paths.profiles_dir` in the configuration names a directory\n"
    "of your own, and `--profile FILE` a single file. A key that a file leaves out is as in the installed profile\n"
    "of the file's `risk_level`. A file without `risk_level` is for the level that is asked for with it, otherwise\n"
    "for high, whose values are the column *default*. Profiles written for the original sandbox scripts load\n"
    "unchanged: [migration](migration.md).\n"
    "\n"
    "- Unknown and duplicate keys are errors that name file, line and the nearest known key. Anchors, aliases,\n"
    "  tags, merge keys and directives are not accepted; a file is at most 256 KiB.\n"
    "- Sizes: `512m`, `1g`, `65536`, `64MiB` (binary units). Times: `30` is seconds; `500ms`, `5m`, `1h`. CPU:\n"
    "  `0.25` cores.\n"
    "- A list may be written as one value; an empty list is `[]`. `allowed_modules: all` is no restriction, `[]`\n"
    "  allows none.\n"
    "- `sandbox-agent profiles check FILE` checks a file; `sandbox-agent profiles show LEVEL|FILE` prints every\n"
    "  value in force and the file and line it comes from; `--dry-run` shows the same for a run.\n"
    "- Laid over the profile, in this order: `sandbox.resources.<level>` of the configuration, then the options of\n"
    "  the command line.\n"
    "- `resources.io` holds for all processes of a run together, and for each disk that its files lie on: `/usr`\n"
    "  and the volumes. Reading what the page cache has costs nothing. On cgroup v1 only direct writes to a volume\n"
    "  are held back, not those that the kernel writes later; network file systems, FUSE and ZFS are never.\n"
    "  `isolation.missing` says both (`io: ...`).\n"
    "- What cannot be enforced on a host is listed under `isolation.missing` of the result; what `security.require`\n"
    "  names is refused instead, with the remedy.\n"
    "\n"
    "`=` stands for the default, `·` for nothing. The tests of the last column are in\n"
    "`" KEY_TESTS "`, unless it names a file.\n"
    "\n"
    "| key | accepts | default | low | medium | high | meaning | enforced by | test |\n"
    "|---|---|---|---|---|---|---|---|---|\n";

static void profile_row(struct buf *out, size_t i, const struct profile *preset,
                        const struct loaded shipped[RISK_COUNT])
{
    const struct setting *s = &profile_settings.table[i];
    (void)buf_addf(out, "| `%s` | ", s->key);
    add_accepts(out, s);
    (void)buf_adds(out, " | ");
    add_value(out, s, preset);
    for (int level = 0; level < RISK_COUNT; level++) {
        (void)buf_adds(out, " | ");
        add_level_value(out, s, &shipped[level].profile, preset);
    }
    (void)buf_adds(out, " | ");
    add_cell(out, s->help);
    (void)buf_adds(out, " | ");
    add_cell(out, s->enforced_by);
    (void)buf_adds(out, " | ");
    add_test(out, s->key);
    (void)buf_adds(out, " |\n");
}

static int docs_profiles(struct tool *t, struct buf *out)
{
    struct loaded *shipped = calloc(RISK_COUNT + 1, sizeof *shipped); /* the last one stays as defaults are */
    struct error err = { 0 };
    int r = 0;
    if (!shipped)
        return tool_complain((err_set(&err, -ENOMEM, BLAME_US, NULL, "out of memory"), &err));
    for (int level = 0; level <= RISK_COUNT; level++)
        loaded_init(&shipped[level]);
    for (int level = 0; level < RISK_COUNT && r == 0; level++)
        r = load_profile(&shipped[level], t->data_dir, risk_level_names[level], NULL, &err);
    if (r == 0) {
        (void)buf_adds(out, profiles_head);
        for (size_t i = 0; i < profile_settings.count; i++)
            profile_row(out, i, &shipped[RISK_COUNT].profile, shipped);
    }
    for (int level = 0; level <= RISK_COUNT; level++)
        loaded_done(&shipped[level]);
    free(shipped);
    return r < 0 ? tool_complain(&err) : 0;
}

/* ---- configuration.md ---- */

static const char configuration_head[] =
    "<!-- written by `sandbox-policy docs configuration`; change the tables in src/config/config.c instead -->\n"
    "# Configuration\n"
    "\n"
    "Read in this order, a later file winning key by key: `/etc/sandbox-agent/config.yaml`,\n"
    "`$XDG_CONFIG_HOME/sandbox-agent/config.yaml` (`~/.config` if unset), and the file of `--config`. The first two\n"
    "may be absent. No file is needed: every key has a default. `sandbox-agent config show` prints the values in\n"
    "force and where each was said.\n"
    "\n"
    "- Unknown and duplicate keys are errors that name file, line and the nearest known key; the same plain YAML as\n"
    "  in [profiles](profiles.md).\n"
    "- `agixt.execution.fallback_to_direct: true` and `development.mock_execution: true` are refused: code never\n"
    "  runs outside a sandbox, and no result is made up.\n"
    "- A key whose default is · has none: it changes something only where a file gives it.\n"
    "- *Used by* says what reads a key.\n"
    "\n"
    "| key | accepts | default | meaning | used by |\n"
    "|---|---|---|---|---|\n";

static int docs_configuration(struct tool *t, struct buf *out)
{
    struct config *preset = calloc(1, sizeof *preset);
    (void)t;
    if (!preset) {
        out->failed = true; /* tool_print() says so */
        return 0;
    }
    config_defaults(preset);
    (void)buf_adds(out, configuration_head);
    for (size_t i = 0; i < config_settings.count; i++) {
        const struct setting *s = &config_settings.table[i];
        (void)buf_addf(out, "| `%s` | ", s->key);
        add_accepts(out, s);
        (void)buf_adds(out, " | ");
        add_value(out, s, preset);
        (void)buf_adds(out, " | ");
        add_cell(out, s->help);
        (void)buf_adds(out, " | ");
        add_cell(out, s->enforced_by);
        (void)buf_adds(out, " |\n");
    }
    config_done(preset);
    free(preset);
    return 0;
}

static const struct page {
    const char *name;
    int (*write)(struct tool *t, struct buf *out);
} pages[] = {
    { "profiles", docs_profiles },
    { "configuration", docs_configuration },
};

int cmd_docs(struct tool *t, int argc, char **argv)
{
    for (size_t i = 0; argc == 2 && i < ARRAY_LEN(pages); i++) {
        if (!str_eq(pages[i].name, argv[1]))
            continue;
        cleanup(buf_done) struct buf out;
        buf_init(&out, 1024 * 1024);
        int code = pages[i].write(t, &out);
        return code ? code : tool_print(&out);
    }
    (void)fprintf(stderr, "usage: sandbox-policy docs profiles|configuration\n");
    return 2;
}
