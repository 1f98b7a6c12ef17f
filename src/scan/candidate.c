#include "scan/candidate.h"

#include "base/buf.h"
#include "scan/effect.h"
#include "scan/engine.h"
#include "scan/growth.h"
#include "scan/literal.h"
#include "scan/secret.h"

/* ---- what a literal reads as ---- */

/* Something that the tables of a shell's commands know, or an interpreter. */
static bool is_shell_command(const char *line)
{
    /* beside the tables, those that change a system */
    static const char *const names[] = {
        "apt",      "apt-get",  "auditctl",  "chattr",  "chpasswd", "chroot",     "cp",      "cryptsetup", "dd",
        "find",     "groupadd", "insmod",    "install", "iptables", "journalctl", "killall", "ln",         "mkfs",
        "modprobe", "mount",    "mv",        "mysql",   "nft",      "nohup",      "nsenter", "passwd",     "pip",
        "pkill",    "psql",     "rmmod",     "screen",  "service",  "setenforce", "setsid",  "shred",      "sudo",
        "swapoff",  "sysctl",   "systemctl", "tar",     "tee",      "truncate",   "ufw",     "umount",     "useradd",
        "userdel",  "usermod",  "wipefs",    "zfs",     "crontab",  "history",    "restic",  "setcap",     "git",
    };
    size_t n = strcspn(line, " \n");
    const char *slash = memrchr(line, '/', n), *name = slash ? slash + 1 : line;
    n -= (size_t)(name - line);
    for (size_t i = 0; n > 1 && i < ARRAY_LEN(names); i++)
        if (strlen(names[i]) == n && memcmp(names[i], name, n) == 0)
            return true;
    const struct known *k = n > 1 ? effect_find(LANG_BASH, name, n) : NULL;
    bool is_doing = k && k->effects[0] < EF_COMMANDS_END && k->effects[0] != EF_SHELL; /* fish is a word, too */
    return is_doing || (n > 1 && embedded_interpreter(name, n) < LANG_COUNT);
}

/* The language of a text that reads as a program; EMBEDDED_LANGUAGES: none that is known. */
static uint8_t language_of(const char *text)
{
    static const struct {
        const char *words[2];
        uint8_t language;
    } signs[] = { { { "<?php", "(" }, EMBEDDED_PHP },         { { "#cloud-config", ":" }, EMBEDDED_KEYED },
                  { { "$(shell ", "" }, EMBEDDED_MAKE },      { { "\n\t@", ":" }, EMBEDDED_MAKE },
                  { { "require(", ")" }, LANG_NODE },         { { "=> {", "(" }, LANG_NODE },
                  { { "process.env", "(" }, LANG_NODE },      { { "import ", "\n" }, LANG_PYTHON },
                  { { "import os", "(" }, LANG_PYTHON },      { { "__import__(", ")" }, LANG_PYTHON },
                  { { "def ", "):\n" }, LANG_PYTHON },        { { "use Socket", ";" }, EMBEDDED_PERL },
                  { { "[Service]", "Exec" }, EMBEDDED_KEYED } };
    uint8_t language = embedded_by_first_line(text, strlen(text));
    for (size_t i = 0; language == EMBEDDED_LANGUAGES && i < ARRAY_LEN(signs); i++)
        if (strstr(text, signs[i].words[0]) && strstr(text, signs[i].words[1]))
            language = signs[i].language;
    return language;
}

#define PROGRAM_MIN_BYTES 30u

/* ---- what is not known ---- */

static bool is_unknown(const char *arg)
{
    return !arg || str_eq(arg, "{}") || str_eq(arg, "{}/{}") || str_eq(arg, "~/{}");
}

/* Starts a program: its words are for the shell's rules. */
static bool is_command(const struct scan *s, const struct fact *f)
{
    if (f->kind == FACT_FLOW)
        return str_eq(f->name, "command") || str_eq(f->name, "computed-command");
    if (f->kind != FACT_CALL || s->rules->language == LANG_PYTHON) /* has a flow for each */
        return false;
    struct effects e = effects_of(s->rules->language, f->name, strlen(f->name));
    return effects_has(&e, EF_COMMAND) || effects_has(&e, EF_COMMAND_CTX) || effects_has(&e, EF_SPAWN);
}

static bool has_two_places(const char *name)
{
    static const char *const words[] = { "move", "Rename", "rename", "copy", "cp", "ink", NULL };
    for (size_t i = 0; words[i]; i++)
        if (strstr(name, words[i]))
            return true;
    return false;
}

static struct candidates *candidates_of(struct scan *s)
{
    if (!s->candidates)
        s->candidates = arena_zero(&s->arena, sizeof *s->candidates);
    return s->candidates;
}

void candidate_item(struct scan *s, const struct item *item, const struct fact *f)
{
    const struct rule *r = &s->rules->rules[item->rule];
    if (s->is_guessing || r->need || !r->takes_candidates || !(f->kind == FACT_CALL || f->kind == FACT_FLOW) ||
        is_command(s, f))
        return;
    const unsigned places = has_two_places(f->name) ? 2 : 1;
    struct candidates *c = candidates_of(s);
    for (unsigned i = 0; c && i < places && (i == 0 || i < f->arg_count); i++) {
        if (!(item->arg[i] || item->any_arg) || !is_unknown(f->args[i]) || c->act_count == CANDIDATE_MAX_ACTS)
            continue;
        const bool is_below_home = f->args[i] && f->args[i][0] == '~';
        bool is_new = true;
        for (uint32_t k = 0; k < c->act_count; k++)
            is_new &= c->acts[k].item != item || c->acts[k].arg != i || c->acts[k].is_below_home != is_below_home;
        if (is_new)
            c->acts[c->act_count++] = (struct candidate_act){ item, *f, (uint8_t)i, is_below_home };
    }
}

/* Calls of Python whose receiver is the place, or that take one and make no flow of it where it is not known. */
static const char *flow_of(const struct fact *f)
{
    static const struct {
        const char *name, *flow;
    } calls[] = { { "?.read_text", "file-read" },
                  { "?.read_bytes", "file-read" },
                  { "?.open", "file-read" },
                  { "?.unlink", "file-delete" },
                  { "?.write_text", "file-write" },
                  { "?.write_bytes", "file-write" },
                  { "?.rmtree", "file-delete" },
                  { "tarfile.open.add", "file-read" },
                  { "tarfile.TarFile.add", "file-read" },
                  { "?.symlink_to", "file-link" },
                  { "zipfile.ZipFile.write", "file-read" } };
    for (size_t i = 0; i < ARRAY_LEN(calls); i++)
        if (str_eq(f->name, calls[i].name) && (f->name[0] == '?' || (f->arg_count && is_unknown(f->args[0]))))
            return calls[i].flow;
    return NULL;
}

static void on_flow_item(void *ctx, const struct item *item)
{
    struct scan *s = ctx;
    candidate_item(s, item, s->fact);
}

static bool is_write(const struct fact *f)
{
    return strstr(f->name, "write") || strstr(f->name, "Write") || strstr(f->name, "file-put");
}

/* The walk for literals costs a tenth of a scan: only where there is something to find. */
static void look_at_string(struct scan *s, const char *text)
{
    struct candidates *c = candidates_of(s);
    if (c && !c->has_program)
        c->has_program = is_shell_command(text) ||
                         (strlen(text) >= PROGRAM_MIN_BYTES && language_of(text) != EMBEDDED_LANGUAGES);
}

void candidate_fact(struct scan *s, const struct fact *f)
{
    const enum language l = s->rules->language;
    if (f->kind == FACT_STRING && !s->is_guessing && l != LANG_BASH && f->args[0])
        look_at_string(s, f->args[0]);
    if (s->is_guessing || l == LANG_BASH || !(f->kind == FACT_CALL || f->kind == FACT_FLOW))
        return;
    const char *flow = l == LANG_PYTHON && f->kind == FACT_CALL ? flow_of(f) : NULL;
    struct candidates *c = candidates_of(s);
    if (!c)
        return;
    if (flow) {
        struct fact made = { .kind = FACT_FLOW, .name = flow, .byte = f->byte, .has_dynamic_args = true };
        s->fact = &made;
        ruleset_find(s->rules, FACT_FLOW, flow, on_flow_item, s);
        s->fact = NULL;
    }
    bool has_known = false, has_unknown = f->arg_count == 0;
    for (unsigned i = 0; i < f->arg_count; i++) {
        has_known |= f->args[i] && !is_unknown(f->args[i]);
        has_unknown |= !f->args[i] || strstr(f->args[i], "{}");
    }
    if (has_unknown && is_command(s, f) && c->command_count < ARRAY_LEN(c->commands))
        c->commands[c->command_count++] = *f;
    c->has_unknown_write |= is_write(f) && f->arg_count && is_unknown(f->args[0]);
    if (has_known && c->known_count < CANDIDATE_MAX_KNOWN)
        c->known[c->known_count++] = *f;
}

/* ---- what may stand there ---- */

/* Makes a value of its arguments, and does nothing with it. */
static bool is_maker(const struct scan *s, const struct fact *f)
{
    static const char *const names[] = { "joinpath", "append", "add",     "push",    "field",  "dataclass",
                                         "Path",     "join",   "Join",    "resolve", "insert", "namedtuple",
                                         "format",   "new",    "Sprintf", "extend",  "set",    "format!",
                                         "get",      "from",   "into",    "exists",  "glob",   NULL };
    const char *last = f->name;
    for (const char *p = f->name; *p; p++)
        if ((*p == '.' || *p == ':' || *p == '/') && p[1])
            last = p + 1;
    struct effects e = effects_of(s->rules->language, f->name, strlen(f->name));
    for (unsigned i = EF_PASS; i < EF_PATHS_END; i++)
        if (i != EF_PATH_SAME && effects_has(&e, (enum effect)i)) /* what was expanded is followed */
            return true;
    return str_is_one_of(last, names);
}

/* In an act whose argument is known, the literal is where it belongs. */
static bool is_placed(const struct scan *s, const char *text)
{
    const struct candidates *c = s->candidates;
    for (uint32_t i = 0; i < c->known_count; i++) {
        const struct fact *f = &c->known[i];
        for (unsigned k = 0; k < f->arg_count; k++)
            if (f->args[k] && strstr(f->args[k], text) && (f->kind == FACT_FLOW || !is_maker(s, f)))
                return true;
    }
    return false;
}

static bool is_path(const char *text)
{
    size_t n = strlen(text);
    if (n < 2 || n > 256 || strpbrk(text, "\n\"'`$<>|;()") || strstr(text, "://"))
        return false;
    return strchr("/~.", text[0]) || strchr(text, '/') || secret_place_in(text, n);
}

static void try_path(struct scan *s, const struct candidate_act *a, const char *given, uint32_t byte)
{
    const char *text = given;
    struct candidates *c = s->candidates;
    const struct rule *r = &s->rules->rules[a->item->rule];
    if (c->tries == CANDIDATE_MAX_TRIES || s->hits_of[a->item->rule] || r->is_off)
        return;
    c->tries++;
    struct fact f = a->fact;
    if (a->is_below_home && text[0] != '/' && text[0] != '~')
        text = arena_printf(&s->arena, "~/%s", text);
    f.args[a->arg] = text;
    f.arg_count = MAX_OF(f.arg_count, (uint8_t)(a->arg + 1));
    f.byte = byte;
    if (scan_item_holds(s, a->item, &f) && !is_placed(s, given))
        scan_hit_by(s, a->item->rule, byte);
}

static void try_paths(struct scan *s, const struct literals *l)
{
    const struct candidates *c = s->candidates;
    for (uint32_t i = 0; c->act_count && i < l->text_count; i++) {
        const char *text = l->texts[i].text;
        for (uint32_t k = 0; is_path(text) && k < c->act_count; k++)
            try_path(s, &c->acts[k], text, l->texts[i].byte);
    }
}

static const char *joined(struct scan *s, const struct literal_row *row, char between)
{
    struct buf b;
    const char *text = "";
    buf_init(&b, LITERAL_MAX_BYTES);
    for (unsigned i = 0; i < row->count; i++) {
        if (i)
            (void)buf_addc(&b, between);
        (void)buf_adds(&b, row->words[i]);
    }
    if (!b.failed && b.data)
        text = arena_copy_bytes(&s->arena, b.data, b.size);
    buf_done(&b);
    return text;
}

static void try_row_paths(struct scan *s, const struct literals *l)
{
    const struct candidates *c = s->candidates;
    for (uint32_t i = 0; c->act_count && i < l->row_count; i++) {
        const struct literal_row *row = &l->rows[i];
        bool is_fit = row->count <= 6 && !row->is_nested;
        for (unsigned w = 0; w < row->count; w++)
            is_fit &= row->words[w][0] != '-' && strlen(row->words[w]) < 64 && (w == 0 || row->words[w][0] != '/');
        const char *text = is_fit ? joined(s, row, '/') : "";
        if (!is_path(text))
            continue;
        for (uint32_t k = 0; k < c->act_count; k++)
            try_path(s, &c->acts[k], text, row->byte);
    }
}

/* ---- programs ---- */

static void queue(struct scan *s, uint8_t language, const char *text, uint32_t byte)
{
    if (s->candidates->inside == CANDIDATE_MAX_INSIDE)
        return;
    s->candidates->inside++;
    embedded_perhaps(&s->ctx, language, "candidate", text, strlen(text), byte);
}

static bool is_program_name(const char *word)
{
    size_t n = strlen(word);
    return n > 1 && n < 64 &&
           strspn(word, "abcdefghijklmnopqrstuvwxyz0123456789_-./+~ABCDEFGHIJKLMNOPQRSTUVWXYZ") == n && word[0] != '-';
}

static void try_row_command(struct scan *s, const struct literal_row *row)
{
    static const struct fact unknown = { .kind = FACT_FLOW, .name = "command" };
    struct candidates *c = s->candidates;
    for (uint32_t i = 0; i < MAX_OF(c->command_count, 1u); i++) {
        struct embedded_word words[EMBEDDED_MAX_WORDS];
        const struct fact *f = c->command_count ? &c->commands[i] : &unknown;
        unsigned count = 0;
        /* a known program whose words are not known */
        const char *first = f->arg_count && f->args[0] && !is_unknown(f->args[0]) ? f->args[0] : NULL;
        size_t n = first ? strcspn(first, " ") : 0;
        if (first && (first[0] == '{' || (first[n] && !str_eq(first + n, " {}"))))
            continue;
        if (first)
            words[count++] = (struct embedded_word){ first, n };
        else if (!is_program_name(row->words[0]))
            continue;
        for (unsigned w = 0; w < row->count; w++)
            words[count++] = (struct embedded_word){ row->words[w], strlen(row->words[w]) };
        if (c->inside == CANDIDATE_MAX_INSIDE)
            return;
        c->inside++;
        embedded_command(&s->ctx, words, count, NULL, 0, row->byte);
    }
}

static void drop_known_commands(struct candidates *c)
{
    uint32_t kept = 0;
    for (uint32_t i = 0; i < c->command_count; i++) {
        const struct fact *f = &c->commands[i];
        const char *first = f->arg_count ? f->args[0] : NULL;
        bool is_same = false;
        for (uint32_t k = 0; k < kept && !is_same; k++) {
            const char *other = c->commands[k].arg_count ? c->commands[k].args[0] : NULL;
            is_same = is_unknown(first) ? is_unknown(other) : other && str_eq(first, other);
        }
        if (!is_same)
            c->commands[kept++] = *f;
    }
    c->command_count = kept;
}

static void try_commands(struct scan *s, const struct literals *l)
{
    struct candidates *c = s->candidates;
    drop_known_commands(c);
    for (uint32_t i = 0; i < l->row_count; i++)
        if ((c->command_count || is_shell_command(l->rows[i].words[0])) && !is_placed(s, joined(s, &l->rows[i], ' ')))
            try_row_command(s, &l->rows[i]);
}

/* A shell's line or text: begins with a word and has more. */
static bool is_line(const char *text)
{
    size_t n = strcspn(text, " \n");
    char word[64];
    if (n == 0 || n >= sizeof word || !text[n] || strlen(text) < 6)
        return false;
    memcpy(word, text, n);
    word[n] = '\0';
    return is_program_name(word);
}

static bool has_unknown_shell(const struct candidates *c)
{
    for (uint32_t i = 0; i < c->command_count; i++) {
        const char *first = c->commands[i].arg_count ? c->commands[i].args[0] : NULL;
        if (is_unknown(first) || embedded_interpreter(first, strcspn(first, " ")) == LANG_BASH)
            return true;
    }
    return false;
}

static void try_texts(struct scan *s, const struct literals *l)
{
    const struct candidates *c = s->candidates;
    const uint32_t unread = s->ctx.embedded ? s->ctx.embedded->unread : 0;
    bool has_shell = has_unknown_shell(c) || unread >> LANG_BASH & 1;
    for (uint32_t i = 0; i < l->text_count; i++) {
        const char *text = l->texts[i].text;
        bool is_shell = (has_shell || is_shell_command(text)) &&
                        (is_line(text) || (strchr(text, '\n') && strchr(text, ' '))),
             is_code = strchr(text, '(') && strlen(text) > 16;
        if ((!is_shell && !(unread && is_code)) || is_placed(s, text))
            continue;
        if (is_shell)
            queue(s, LANG_BASH, text, l->texts[i].byte);
        if (is_code && unread >> LANG_PYTHON & 1)
            queue(s, LANG_PYTHON, text, l->texts[i].byte);
        if (is_code && unread >> LANG_NODE & 1)
            queue(s, LANG_NODE, text, l->texts[i].byte);
    }
}

static void try_files(struct scan *s, const struct literals *l)
{
    if (!s->candidates->has_unknown_write)
        return;
    for (uint32_t i = 0; i < l->pair_count; i++) {
        const struct literal_pair *p = &l->pairs[i];
        uint8_t language = is_path(p->key) ? embedded_by_name(p->key, strlen(p->key)) : EMBEDDED_LANGUAGES;
        if (language == EMBEDDED_LANGUAGES)
            language = embedded_by_first_line(p->value, strlen(p->value));
        if (language != EMBEDDED_LANGUAGES && !is_placed(s, p->value))
            queue(s, language, p->value, p->byte);
    }
}

static void try_program(struct scan *s, const char *text, uint32_t byte)
{
    size_t n = strlen(text);
    uint8_t language = n < PROGRAM_MIN_BYTES ? EMBEDDED_LANGUAGES : language_of(text);
    if (language != EMBEDDED_LANGUAGES && !is_placed(s, text))
        queue(s, language, text, byte);
}

/* Texts that are written to files that are not known, inserted into others or given to what nobody knows; and a row of
 * lines, or a name and what shall be in the file. */
static void try_programs(struct scan *s, const struct literals *l)
{
    for (uint32_t i = 0; i < l->text_count; i++)
        try_program(s, l->texts[i].text, l->texts[i].byte);
    for (uint32_t i = 0; i < l->row_count; i++) {
        const struct literal_row *row = &l->rows[i];
        const char *name = row->words[0], *text = row->words[1];
        uint8_t language = row->count == 2 && is_path(name) ? embedded_by_name(name, strlen(name)) : EMBEDDED_LANGUAGES;
        if (language != EMBEDDED_LANGUAGES && strlen(text) >= PROGRAM_MIN_BYTES && !is_placed(s, text))
            queue(s, language, text, row->byte);
        else if (row->count > 2)
            try_program(s, joined(s, row, '\n'), row->byte);
    }
}

void candidate_look(struct scan *s, TSNode root)
{
    struct embedded *e = s->ctx.embedded;
    const struct candidates *c = s->candidates;
    if (c && s->rules->language != LANG_BASH && !s->ctx.is_guess && !s->ctx.is_cut &&
        (c->act_count || c->command_count || c->has_unknown_write || c->has_program || (e && e->unread))) {
        static struct literals l; /* one scan at a time */
        s->is_guessing = s->ctx.is_guess = true;
        if (s->growth)
            growth_literals(s->growth, s, root, &l);
        else
            literals_of(&s->ctx, root, &l);
        try_paths(s, &l);
        try_row_paths(s, &l);
        try_commands(s, &l);
        try_texts(s, &l);
        try_files(s, &l);
        try_programs(s, &l);
        s->is_guessing = s->ctx.is_guess = false;
    }
    if (e)
        e->unread = 0;
}
