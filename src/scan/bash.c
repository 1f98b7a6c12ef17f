/* bash.c - bash: one walk in source order, values on the way out (bash.h).
 *
 * CALL facts: name is the command's without its directory, args[0] the whole line with holes ({}) for what is not
 * known, args[1...] single words. Commands behind sudo, env, xargs, timeout, find -exec ... are calls of their own.
 * What eval, sh -c, trap, a pipe into a shell or a here-document would run is parsed in its turn. Flows:
 *
 *   decode-then-exec, download-then-exec, pipe-to-shell   what a shell or interpreter is fed with
 *   computed-command     the command's name was typed in, read from a file or cut out of other text; chosen-command: it
 * is a parameter or a variable; made-command: it is put together to hide it; glob-command: it is found by a pattern
 * (/???/c?t); hidden-program: it is a hidden file below /tmp computed-eval        eval or sh -c of a text that is not
 * known reverse-shell        a shell and nc, telnet, socat ... in one pipeline secret-then-send, profile-then-send
 * files of secrets, the environment; what the host says of itself env-dump, env-search                  the environment
 * is printed; searched for secrets fork-loop, endless-loop, endless-output (yes), self-run, kill-found, trace-found (of
 * processes that were searched for) delete-tree, delete-variable-tree, delete-outside, delete-many; delete-kind: of one
 * kind, below the working directory; empty-many: a loop over files overwrites them; file-write: bash_write.c
 *   asks                 read -p, with the text from it on; not where the program's own text, pipe or file is what it
 * reads own-answer           what may ask is given the program's own text, pipe or file to read
 */
#include "scan/bash.h"
#include "scan/embedded.h"
#include "scan/secret.h"

static const struct ir_rule rules[] = {
    { "&", IR_THREAD, 0 },
    { "==", IR_ALL, B_WORD },
    { "=~", IR_ALL, B_WORD },
    { "ansi_c_string", IR_ALL, B_ANSI },
    { "arithmetic_expansion", IR_ALL, B_ARITHMETIC },
    { "array", IR_ALL, B_ARRAY },
    { "c_style_for_statement", IR_ALL, B_C_FOR },
    { "command", IR_ALL, B_COMMAND },
    { "command_name", IR_ALL, B_COMMAND_NAME },
    { "command_substitution", IR_ALL, B_COMMAND_SUBSTITUTION },
    { "comment", IR_DROP, 0 },
    { "compound_statement", IR_ALL, B_COMPOUND },
    { "concatenation", IR_CUSTOM, B_CONCATENATION },
    { "declaration_command", IR_ALL, B_DECLARATION },
    { "expansion", IR_ALL, B_EXPANSION },
    { "file_redirect", IR_ALL, B_FILE_REDIRECT },
    { "for_statement", IR_ALL, B_FOR },
    { "function_definition", IR_ALL, B_FUNCTION },
    { "heredoc_body", IR_ALL, B_HEREDOC_BODY },
    { "heredoc_redirect", IR_ALL, B_HEREDOC },
    { "herestring_redirect", IR_ALL, B_HERESTRING },
    { "list", IR_ALL, B_LIST },
    { "number", IR_ALL, B_NUMBER },
    { "pipeline", IR_ALL, B_PIPELINE },
    { "process_substitution", IR_ALL, B_PROCESS_SUBSTITUTION },
    { "raw_string", IR_ALL, B_RAW },
    { "redirected_statement", IR_ALL, B_REDIRECTED },
    { "simple_expansion", IR_ALL, B_SIMPLE_EXPANSION },
    { "special_variable_name", IR_ALL, B_SPECIAL },
    { "string", IR_ALL, B_STRING },
    { "subscript", IR_ALL, B_SUBSCRIPT },
    { "subshell", IR_ALL, B_SUBSHELL },
    { "test_command", IR_ALL, B_TEST },
    { "unset_command", IR_ALL, B_UNSET },
    { "variable_assignment", IR_ALL, B_ASSIGNMENT },
    { "variable_name", IR_ALL, B_VARIABLE },
    { "while_statement", IR_ALL, B_WHILE },
    { "word", IR_ALL, B_WORD },
};

static const char *source(const struct sh *s, uint32_t node)
{
    return s->e->c->text + ir_at(s->e, node)->start;
}
static uint32_t width(const struct sh *s, uint32_t node)
{
    return ir_at(s->e, node)->end - ir_at(s->e, node)->start;
}
static bool says(const struct sh *s, uint32_t node, const char *text)
{
    return width(s, node) == strlen(text) && memcmp(source(s, node), text, width(s, node)) == 0;
}
static const char *copy(struct sh *s, const struct tv *v)
{
    char out[512];
    uint32_t used = 0;
    for (uint32_t i = 0; v->text && i < v->count && used < sizeof out - 1; i++)
        if (v->text[i])
            out[used++] = v->text[i];
    out[used] = 0;
    return v->text ? arena_copy(s->s->c->arena, out) : NULL;
}

/* The words that begin with a slash, with {} before it: they are below another root. */
static const char *below_root(struct sh *s, const char *words)
{
    char out[2048];
    size_t used = 0;
    for (size_t i = 0; words[i] && used + sizeof SH_HOLE < sizeof out; i++) {
        if (words[i] == '/' && (i == 0 || words[i - 1] == ' ')) {
            memcpy(out + used, SH_HOLE, 2);
            used += 2;
        }
        out[used++] = words[i];
    }
    out[used] = 0;
    return arena_copy(s->s->c->arena, out);
}

/* chroot DIR passwd -d root is passwd --root DIR -d root. */
static const char *for_other_root(struct sh *s, const char *name, const char *line)
{
    char out[2048];
    size_t n = strlen(name);
    const struct effects does = effects_of(LANG_BASH, name, n);
    if (effects_has(&does, EF_ROOT_OPTION) && str_starts(line, name)) {
        (void)snprintf(out, sizeof out, "%s --root " SH_HOLE "%s", name, line + n);
        return arena_copy(s->s->c->arena, out);
    }
    return line;
}

static void put_below_root(struct sh *s, struct fact *f)
{
    bool is_write = f->kind == FACT_FLOW && str_eq(f->name, "file-write");
    if (f->kind == FACT_CALL && f->args[0])
        f->args[0] = for_other_root(s, f->name, f->args[0]);
    if (is_write && f->args[0] && !strchr(f->args[0], '/'))
        f->args[0] = SH_HOLE "/"; /* what chpasswd and crontab are given */
    for (uint32_t i = 0; i < (is_write ? 1 : f->arg_count); i++)
        if (f->args[i])
            f->args[i] = below_root(s, f->args[i]);
}

void sh_change_root(struct sh *s, int by)
{
    s->s->other_roots = (uint32_t)((int)s->s->other_roots + by);
    s->s->c->is_below_root = s->s->other_roots > 0;
}

void sh_tell(struct sh *s, uint32_t node, struct fact *f)
{
    if (s->s->other_roots)
        put_below_root(s, f);
    f->byte = s->fixed_byte == SH_NOWHERE ? ir_at(s->e, node)->start : s->fixed_byte;
    (void)fact_emit(s->s->c, f); /* when the bound is reached, scan_stop() says so, too */
}

void sh_flow(struct sh *s, uint32_t node, const char *name, const char *about)
{
    struct fact f = { .kind = FACT_FLOW, .name = name, .arg_count = about != NULL, .args = { about } };
    sh_tell(s, node, &f);
}

/* --- where a command's input comes from ------------------------------------------------------------- */

static uint32_t herestring_of(const struct sh *s, uint32_t node)
{
    if (sh_kind(s, node) == B_REDIRECTED || sh_kind(s, node) == B_COMMAND)
        SH_PARTS(c, s, node)
    if (sh_kind(s, c) == B_HERESTRING)
        return c;
    return 0;
}

static uint32_t input_node(const struct sh *s, uint32_t node)
{
    for (int level = 0; level < 13; level++, node = s->at[node].parent) {
        const uint32_t above = s->at[node].parent, text = herestring_of(s, node);
        if (text)
            return text;
        if (!above || sh_kind(s, above) == B_FUNCTION || sh_kind(s, above) == B_COMMAND_SUBSTITUTION)
            return 0;
        if (sh_kind(s, above) == B_PIPELINE && s->at[node].before)
            return s->at[node].before;
    }
    return 0;
}

static void tell_pipe(struct sh *s, uint32_t left, uint32_t right)
{
    struct sh_command a = { 0 }, b = { 0 };
    uint32_t l = left, r = right;
    if (sh_kind(s, l) == B_REDIRECTED)
        l = ir_part(s->e, l, ROLE_BODY);
    if (sh_kind(s, r) == B_REDIRECTED)
        r = ir_part(s->e, r, ROLE_BODY);
    if (!r || sh_kind(s, r) != B_COMMAND || !sh_gather(s, r, &b, false))
        return;
    bool has_left = l && sh_kind(s, l) == B_COMMAND && sh_gather(s, l, &a, false);
    struct fact f = { .kind = FACT_PIPE,
                      .name = b.name,
                      .arg_count = has_left ? 3 : 0,
                      .args = { has_left ? a.name : NULL, has_left ? a.line : NULL, has_left ? b.line : NULL } };
    sh_tell(s, right, &f);
}

static struct tv leave_pipeline(struct sh *s, uint32_t node)
{
    struct tv v = { 0 };
    uint32_t flags = 0, before = 0;
    SH_PARTS(c, s, node)
    {
        if (before)
            tell_pipe(s, before, c);
        before = c;
        v = s->at[c].value;
        flags |= v.taint;
    }
    if (flags & SH_SHELL && flags & SH_PEER)
        sh_flow(s, node, "reverse-shell", NULL);
    v.taint |= flags & (SH_SHELL | SH_PEER);
    return v;
}

/* --- redirections --------------------------------------------------------------------------------------- */

static struct tv tell_redirect(struct sh *s, uint32_t node)
{
    struct tv v = { 0 };
    uint32_t to = ir_part(s->e, node, ROLE_RIGHT);
    const char *t = source(s, node), *name = NULL;
    uint32_t n = width(s, node), i = 0;
    while (i < n && t[i] >= '0' && t[i] <= '9')
        i++;
    if (i < n && t[i] == '&')
        i++;
    if (!to || i >= n)
        return v;
    if (t[i] == '<')
        name = "<";
    else if (t[i] == '>')
        name = i + 1 < n && t[i + 1] == '>' ? ">>" : ">";
    const char *target = copy(s, &s->at[to].value);
    if (!name || (target && target[0] >= '0' && target[0] <= '9') || (target && str_eq(target, "/dev/null")))
        return v;
    struct fact f = { .kind = FACT_REDIRECT,
                      .name = name,
                      .arg_count = 1,
                      .args = { target },
                      .has_dynamic_args = !target || s->at[to].value.taint & SH_PARTIAL };
    sh_tell(s, node, &f);
    if (target && t[i] == '<' && secret_place_in(target, strlen(target))) {
        s->s->seen |= SH_SECRET;
        v.taint |= SH_SECRET;
    }
    return v;
}

static void remember_download(struct sh *s, const struct tv *path)
{
    const char *t = copy(s, path);
    const char *slash = t ? strrchr(t, '/') : NULL;
    if (t && s->s->download_count < SH_MAX_DOWNLOADS && (slash ? slash + 1 : t)[0])
        s->s->downloads[s->s->download_count++] = slash ? slash + 1 : t;
}

/* Where the here-document ends: the grammar takes a line that only begins with the word for the end. */
static uint32_t heredoc_end(const struct sh *s, uint32_t body, const char *word, const char *word_end)
{
    const char *at = source(s, body), *end = s->e->c->text + s->e->c->size;
    const bool may_indent = word + 2 < word_end && word[2] == '-';
    word += MIN_OF(2 + may_indent, word_end - word);
    while (word < word_end && strchr(" \t'\"\\", *word))
        word++;
    size_t n = 0;
    while (word + n < word_end && !strchr(" \t'\"\\;|&<>)", word[n]))
        n++;
    while (n && at < end) {
        const char *line_end = memchr(at, '\n', (size_t)(end - at)), *from = at;
        line_end = line_end ? line_end : end;
        while (may_indent && from < line_end && *from == '\t')
            from++;
        if ((size_t)(line_end - from) == n && memcmp(from, word, n) == 0)
            return (uint32_t)(at - s->e->c->text);
        at = line_end + 1;
    }
    return ir_at(s->e, body)->end;
}

/* What a here-document says. <<'E' is read as it stands, and so is one that is too long for a value, and what the
 * grammar has cut. */
static struct tv heredoc_text(struct sh *s, uint32_t redirect, uint32_t body)
{
    const char *word = source(s, redirect), *end = memchr(word, '\n', width(s, redirect));
    uint32_t n = end ? (uint32_t)(end - word) : width(s, redirect);
    bool is_quoted = memchr(word, '\'', n) || memchr(word, '"', n) || memchr(word, '\\', n);
    struct tv v = s->at[body].value;
    uint32_t last = heredoc_end(s, body, word, word + n);
    bool is_cut = last > ir_at(s->e, body)->end;
    if (is_quoted || !v.text || is_cut)
        v = (struct tv){ .text = source(s, body),
                         .count = is_cut ? last - ir_at(s->e, body)->start : width(s, body),
                         .taint = v.taint };
    return v;
}

/* `printed`: of cat it is the document. */
static void judge_heredoc(struct sh *s, uint32_t statement, uint32_t redirect, struct tv *printed)
{
    struct sh_command k, reader = { .name = "" }, writer = { .name = "" };
    bool is_decoded = false, is_hex = false;
    uint32_t body = ir_part(s->e, statement, ROLE_BODY), text = 0;
    if (body && sh_kind(s, body) == B_LIST)
        body = sh_last_of(s, body); /* mkdir d && cat > d/f <<E: the grammar takes both */
    if (body && sh_kind(s, body) == B_COMMAND && sh_gather(s, body, &k, false)) {
        is_decoded = sh_is_decoder(&k), is_hex = str_eq(k.name, "xxd");
        writer = k;
        if (sh_reads_program(&k))
            reader = k;
    }
    SH_PARTS(c, s, redirect)
    {
        if (sh_kind(s, c) == B_HEREDOC_BODY)
            text = c;
        for (uint32_t p = c; sh_kind(s, c) != B_HEREDOC_BODY && p < s->at[c].after; p++)
            if (sh_kind(s, p) == B_COMMAND && sh_gather(s, p, &k, false) && sh_reads_program(&k))
                reader = k; /* cat <<E | python3 */
    }
    if (!text)
        return;
    struct tv v = heredoc_text(s, redirect, text);
    if (writer.name[0])
        sh_write_heredoc(s, statement, redirect, text, &writer, v);
    if (str_eq(writer.name, "cat") && writer.count == 1)
        *printed = v;
    if (!reader.name[0] && writer.count)
        sh_feed(s, text, &writer, &v);
    if (!reader.name[0])
        return;
    if (is_decoded) { /* base64 -d <<E | sh */
        sh_flow(s, redirect, "decode-then-exec", NULL);
        v = sh_decode(s, &v, is_hex);
    }
    sh_change_root(s, reader.is_in_chroot);
    sh_run_program(s, text, &reader, "here-document", &v);
    sh_change_root(s, -reader.is_in_chroot);
}

/* --- questions and answers --------------------------------------------------------------------------------- */

/* What the node reads is the program's own: a pipe, a text, a file. A terminal that it opens is not. */
static bool is_fed(const struct sh *s, uint32_t node)
{
    for (uint32_t at = node; at; at = s->at[at].parent) {
        if (s->at[at].has_redirect)
            SH_PARTS(c, s, at)
            {
                const char *t = source(s, c), *end = t + width(s, c);
                while (t < end && *t >= '0' && *t <= '9')
                    t++;
                if (sh_kind(s, c) == B_HERESTRING || sh_kind(s, c) == B_HEREDOC)
                    return true;
                if (sh_kind(s, c) == B_FILE_REDIRECT && t < end && *t == '<') {
                    uint32_t from = ir_part(s->e, c, ROLE_RIGHT);
                    return !from || !sh_is(&s->at[from].value, "/dev/tty");
                }
            }
        const uint32_t above = s->at[at].parent;
        if (sh_kind(s, above) == B_FUNCTION)
            break;
        if (sh_kind(s, above) == B_PIPELINE && s->at[at].before)
            return true;
    }
    return s->input != NULL;
}

/* Of the program's own function of that name in this text; 0: there is none. */
static uint32_t body_of(const struct sh *s, const char *name)
{
    struct tv f = eval_get(s->e, name, strlen(name), SCOPE_FILE, NULL);
    return f.kind == TV_FUNCTION && f.text == s->e->c->text ? ir_part(s->e, f.head, ROLE_BODY) : 0;
}

/* A function that reads, or calls another one, which may. */
static bool may_ask(struct sh *s, const char *name)
{
    uint32_t body = body_of(s, name);
    if (!body)
        return true;
    for (uint32_t i = body; i < s->at[body].after; i++) {
        if (sh_kind(s, i) != B_COMMAND_NAME)
            continue;
        struct tv v = eval_get(s->e, source(s, i), width(s, i), SCOPE_FILE, NULL);
        if (says(s, i, "read") || says(s, i, "eval") || v.kind == TV_FUNCTION)
            return true;
    }
    return false;
}

/* Whatever may ask, or run what asks: the shell itself (exec <), another one, a function, a file that was written. */
static bool takes_answers(struct sh *s, const struct sh_command *k)
{
    if (!k->name[0] || sh_does(k, EF_SHELL) || str_eq(k->name, "eval") || str_eq(k->name, "source") ||
        str_eq(k->name, "."))
        return true;
    if (sh_is_function(s, k->name))
        return may_ask(s, k->name);
    SH_PARTS(c, s, k->node)
    {
        const struct tv *v = &s->at[c].value;
        size_t n;
        if (sh_kind(s, c) == B_COMMAND_NAME && says(s, c, "exec"))
            return true;
        const char *text = v->text ? embedded_written(s->s->c, v->text, v->count, &n) : NULL;
        if (text && memmem(text, n, "read ", strlen("read ")))
            return true;
    }
    return false;
}

static void judge_question(struct sh *s, const struct sh_command *k)
{
    bool has_prompt = false;
    for (uint32_t i = 1; i < k->count; i++)
        has_prompt |= sh_begins(&k->words[i], "-") && memchr(k->words[i].text, 'p', k->words[i].count);
    if (str_eq(k->name, "read") && has_prompt && !sh_is_function(s, k->name) && !is_fed(s, k->node)) {
        const char *from = source(s, k->node);
        SH_PARTS(c, s, k->node)
        if (sh_kind(s, c) == B_COMMAND_NAME)
            from = source(s, c);
        size_t rest = (size_t)(s->e->c->text + s->e->c->size - from);
        sh_flow(s, k->node, "asks", arena_printf(s->s->c->arena, "%.*s", (int)MIN_OF(rest, 800u), from));
    } else if (takes_answers(s, k) && is_fed(s, k->node)) {
        sh_flow(s, k->node, "own-answer", k->line);
    }
}

static struct tv run_command(struct sh *s, uint32_t node)
{
    struct sh_command k;
    if (!sh_gather(s, node, &k, true))
        return (struct tv){ 0 };
    judge_question(s, &k);
    uint32_t input = input_node(s, node);
    const struct tv *read = !input ? s->input : &s->at[input].value;
    if (sh_is_function(s, k.name)) {
        sh_call_function(s, node, &k, read);
        return (struct tv){ .taint = k.taint };
    }
    sh_change_root(s, k.is_in_chroot);
    sh_write_command(s, &k, input);
    struct tv v = sh_judge(s, &k, read);
    sh_change_root(s, -k.is_in_chroot);
    return v;
}

/* A loop over files outside, ... > "$f": the target is the loop's variable and nothing else. */
static bool is_overwriting_all(const struct sh *s, uint32_t redirect, uint32_t to)
{
    const struct tv *v = &s->at[to].value;
    const char *t = source(s, to);
    uint32_t n = width(s, to);
    if (source(s, redirect)[0] != '>' || (width(s, redirect) > 1 && source(s, redirect)[1] == '>') || !v->count ||
        !memchr(v->text, '*', v->count))
        return false;
    if (n > 2 && t[0] == '"')
        t++, n -= 2;
    bool is_variable = n > 1 && t[0] == '$' && !memchr(t + 1, '.', n - 1) && !memchr(t + 1, '/', n - 1) &&
                       !memchr(t + 1, '$', n - 1);
    return is_variable && (v->text[0] == '~' || (v->text[0] == '/' && !sh_begins(v, "/tmp") &&
                                                 !sh_begins(v, "/proc/") && !sh_begins(v, "/sys/")));
}

static struct tv leave_redirected(struct sh *s, uint32_t node)
{
    uint32_t body = ir_part(s->e, node, ROLE_BODY);
    struct tv v = { 0 };
    bool has_heredoc = false;
    if (body)
        v = sh_kind(s, body) == B_COMMAND ? run_command(s, body) : s->at[body].value;
    SH_PARTS(c, s, node)
    {
        if (sh_kind(s, c) == B_HEREDOC) {
            judge_heredoc(s, node, c, &v);
            has_heredoc = true;
        }
        if (sh_kind(s, c) != B_FILE_REDIRECT)
            continue;
        uint32_t to = ir_part(s->e, c, ROLE_RIGHT);
        v.taint |= s->at[c].value.taint & SH_SECRET;
        if (!to || !s->at[to].value.text || source(s, c)[0] == '<')
            continue;
        bool is_peer = s->at[to].value.count > 9 && memcmp(s->at[to].value.text, "/dev/tcp/", 9) == 0;
        if (v.taint & SH_NETWORK)
            remember_download(s, &s->at[to].value);
        if (is_overwriting_all(s, c, to))
            sh_flow(s, node, "empty-many", copy(s, &s->at[to].value));
        if (is_peer && (v.taint | s->s->seen) & (SH_SECRET | SH_ENV))
            sh_flow(s, node, "secret-then-send", NULL);
    }
    if (!has_heredoc)
        sh_write_redirected(s, node, body, &v);
    if (body)
        s->at[body].value = v;
    return v;
}

/* --- loops and functions ----------------------------------------------------------------------------------- */

static bool is_command_named(struct sh *s, uint32_t node, const char *name, uint32_t len)
{
    return sh_kind(s, node) == B_COMMAND_NAME && width(s, node) == len && memcmp(source(s, node), name, len) == 0;
}

struct body {
    bool has_background, has_exit, has_pause;
};

static struct body look_into(struct sh *s, uint32_t node)
{
    struct body b = { 0 };
    uint32_t end = MIN_OF(s->at[node].after, node + 4000);
    for (uint32_t i = node + 1; i < end; i++) {
        b.has_background |= ir_at(s->e, i)->op == IR_THREAD;
        if (sh_kind(s, i) != B_COMMAND_NAME)
            continue;
        const struct effects does = effects_of(LANG_BASH, source(s, i), width(s, i));
        const uint32_t behind = ir_at(s->e, s->at[i].parent)->next;
        b.has_exit |= effects_has(&does, EF_LEAVE);
        b.has_pause |= effects_has(&does, EF_PAUSE) && !(behind && ir_at(s->e, behind)->op == IR_THREAD);
    }
    return b;
}

/* kill "$i" within: the loop's own variable. */
static bool kills_its_variable(struct sh *s, uint32_t loop, uint32_t body)
{
    uint32_t name = ir_part(s->e, loop, ROLE_LEFT), n = 0;
    const char *t = source(s, !name ? loop : name), *end = s->e->c->text + ir_at(s->e, body)->start;
    if (!name) { /* for ((i = 2; ... */
        t = memchr(t, '(', (size_t)(end - t));
        while (t && t < end && (*t == '(' || *t == ' '))
            t++;
    }
    while (t && t + n < end && n < 40 && (t[n] == '_' || (t[n] | 0x20) >= 'a') && (t[n] | 0x20) <= 'z')
        n++;
    for (uint32_t i = body, last = MIN_OF(s->at[body].after, body + 4000); n && i < last; i++) {
        uint32_t command = s->at[i].parent;
        if (!is_command_named(s, i, "kill", 4) || !command)
            continue;
        SH_PARTS(c, s, command)
        {
            const char *word = source(s, c), *hit = memmem(word, width(s, c), t, n);
            if (sh_role(s, c) == ROLE_ARGS && hit && hit > word && (hit[-1] == '$' || hit[-1] == '{'))
                return true;
        }
    }
    return false;
}

static void judge_loop(struct sh *s, uint32_t node)
{
    static const char *const always[] = { "true",     ":",          "[ 1 ]",     "[[ 1 ]]", "((1))", "(( 1 ))",
                                          "[ true ]", "[[ true ]]", "/bin/true", "[ : ]",   "false" };
    bool is_endless = false, is_long = false;
    uint32_t condition = ir_part(s->e, node, ROLE_CONDITION), body = ir_part(s->e, node, ROLE_BODY);
    if (!body)
        return;
    const char *head = source(s, node);
    uint32_t n = ir_at(s->e, body)->start - ir_at(s->e, node)->start;
    if (sh_kind(s, node) == B_WHILE)
        for (size_t i = 0; condition && i < ARRAY_LEN(always); i++)
            is_endless |= says(s, condition, always[i]) && (head[0] == 'u') == str_eq(always[i], "false");
    else if (sh_kind(s, node) == B_C_FOR)
        is_endless = memmem(head, n, ";;", 2) && !condition;
    for (uint32_t i = 0, run = 0; i < n && sh_kind(s, node) != B_WHILE; i++) {
        run = head[i] >= '0' && head[i] <= '9' ? run + 1 : 0;
        is_long |= run >= 4;
    }
    if (!is_endless && !is_long)
        return;
    struct body b = look_into(s, body);
    if (is_long && kills_its_variable(s, node, body))
        sh_flow(s, node, "kill-found", NULL);
    if (b.has_background && !b.has_pause)
        sh_flow(s, node, "fork-loop", NULL);
    else if (is_endless && !b.has_exit && !b.has_pause)
        sh_flow(s, node, "endless-loop", NULL);
}

static bool is_in_pipeline(const struct sh *s, uint32_t node)
{
    for (int level = 0; node && level < 4; level++)
        if (sh_kind(s, node = s->at[node].parent) == B_PIPELINE)
            return true;
    return false;
}

/* f() { f | f & }: a function that starts itself more than once, or behind itself. */
static void judge_function(struct sh *s, uint32_t node)
{
    uint32_t name = ir_part(s->e, node, ROLE_NAME), body = ir_part(s->e, node, ROLE_BODY), calls = 0;
    bool is_piped = false;
    if (!name || !body)
        return;
    uint32_t end = MIN_OF(s->at[body].after, body + 2000);
    for (uint32_t i = body; i < end; i++) {
        bool is_self = is_command_named(s, i, source(s, name), width(s, name));
        calls += is_self;
        is_piped |= is_self && is_in_pipeline(s, i);
    }
    struct body b = look_into(s, body);
    if (calls && (b.has_background || (is_piped && calls > 1)) && !b.has_exit)
        sh_flow(s, node, "fork-loop", NULL);
}

static void enter_for(struct sh *s, uint32_t loop)
{
    uint32_t name = ir_part(s->e, loop, ROLE_LEFT);
    struct tv worst = { 0 };
    if (!name)
        return;
    SH_PARTS(c, s, loop)
    {
        const struct tv *v = &s->at[c].value;
        if (sh_role(s, c) != ROLE_RIGHT)
            continue;
        bool is_secret = v->text && secret_place_in(v->text, v->count);
        if (!worst.text || is_secret)
            worst = *v;
        if (is_secret)
            break;
    }
    if (worst.text && worst.taint & SH_SPLIT) {
        const char *space = memchr(worst.text, ' ', worst.count);
        worst.count = space ? (uint32_t)(space - worst.text) : worst.count;
    }
    sh_set(s, source(s, name), width(s, name), worst);
}

/* --- values on the way out ------------------------------------------------------------------------------------ */

static struct tv substitution(struct sh *s, uint32_t node, struct tv v)
{
    while (v.text && v.count && v.text[v.count - 1] == '\n')
        v.count--;
    v.taint = (v.taint | SH_SPLIT) & (uint32_t)~SH_SHELL;
    if (sh_kind(s, node) == B_PROCESS_SUBSTITUTION && v.text && source(s, node)[0] == '<') {
        const char *path = arena_printf(s->s->c->arena, "/dev/fd/{}/%u", node); /* a file for the command's eyes only */
        uint32_t byte = s->fixed_byte == SH_NOWHERE ? ir_at(s->e, node)->start : s->fixed_byte;
        embedded_file(s->s->c, path, strlen(path), v.text, v.count, byte, false);
        v.text = path;
        v.count = (uint32_t)strlen(path);
    } else if (sh_kind(s, node) == B_PROCESS_SUBSTITUTION) {
        v.text = NULL;
    }
    return v;
}

static struct tv array(struct sh *s, uint32_t node)
{
    char out[2048];
    size_t used = 0;
    uint32_t flags = SH_SPLIT;
    SH_PARTS(c, s, node)
    {
        const struct tv *v = &s->at[c].value;
        flags |= v->taint | (v->text ? 0 : SH_PARTIAL);
        const char *t = v->text ? v->text : SH_HOLE;
        uint32_t n = v->text ? v->count : 2;
        if (n + 2 > sizeof out - used)
            return (struct tv){ .taint = flags };
        if (used)
            out[used++] = ' ';
        memcpy(out + used, t, n);
        used += n;
    }
    return sh_make(s, out, used, flags);
}

static void assignment(struct sh *s, uint32_t node)
{
    uint32_t name = ir_part(s->e, node, ROLE_NAME), value = ir_part(s->e, node, ROLE_RIGHT);
    if (!name)
        return;
    struct tv v = !value ? (struct tv){ .text = "" } : s->at[value].value;
    uint32_t at = ir_at(s->e, name)->end, len = width(s, name);
    struct fact f = { .kind = FACT_NAME,
                      .name = copy(s, &(struct tv){ .text = source(s, name), .count = MIN_OF(len, 100u) }),
                      .arg_count = 1,
                      .args = { v.text ? copy(s, &v) : SH_HOLE } };
    sh_tell(s, node, &f);
    if (sh_kind(s, name) == B_SUBSCRIPT)
        return;
    bool is_set;
    struct tv old = eval_get(s->e, source(s, name), len, SCOPE_FILE, &is_set);
    if (at < ir_at(s->e, node)->end && s->e->c->text[at] == '+' && old.text && v.text && old.count + v.count < 2000) {
        char out[2048];
        memcpy(out, old.text, old.count);
        memcpy(out + old.count, v.text, v.count);
        v = sh_make(s, out, old.count + v.count, old.taint | v.taint | SH_MADE);
    }
    /* x=$(something unknown) does not make us forget what x may be */
    if (!v.text && !(v.taint & ~(uint32_t)(SH_COMPUTED | SH_SPLIT)) && is_set)
        return;
    sh_set(s, source(s, name), len, v);
}

static void tell_name(struct sh *s, uint32_t node)
{
    struct tv v = { .text = source(s, node), .count = MIN_OF(width(s, node), 100u) };
    if (v.count > 2 && v.text[0] == '$' && v.text[1] == '{')
        v.text += 2, v.count -= 3;
    else if (v.count > 1 && v.text[0] == '$')
        v.text++, v.count--;
    if (v.count < 4 || v.text[0] < 'A' ||
        v.text[0] > 'Z') /* the environment's names; a script's own are of no interest */
        return;
    struct fact f = { .kind = FACT_NAME, .name = copy(s, &v) };
    sh_tell(s, node, &f);
}

/* unset x and unset -f x, which the grammar takes for no command. */
static void tell_unset(struct sh *s, uint32_t node)
{
    struct fact f = { .kind = FACT_CALL, .name = "unset" };
    f.args[f.arg_count++] = copy(s, &(struct tv){ .text = source(s, node), .count = width(s, node) });
    SH_PARTS(c, s, node)
    if (f.arg_count < FACT_MAX_ARGS)
        f.args[f.arg_count++] = copy(s, &s->at[c].value);
    sh_tell(s, node, &f);
}

/* declare -F, typeset -f */
static bool is_listing_functions(const struct sh *s, uint32_t node)
{
    const char *dash = memchr(source(s, node), '-', width(s, node));
    return dash && dash + 1 < source(s, node) + width(s, node) && (dash[1] | 0x20) == 'f';
}

/* What is evaluated in a node's parts, as a whole, is `v`. */
static struct tv value_of(struct sh *s, uint32_t node, struct tv v)
{
    const uint32_t above = s->at[node].parent;
    switch ((enum sh_kind)sh_kind(s, node)) {
    case B_WORD:
    case B_NUMBER:
    case B_RAW:
    case B_ANSI:
    case B_STRING:
    case B_HEREDOC_BODY:
    case B_CONCATENATION:
    case B_VARIABLE:
    case B_SPECIAL:
        return sh_word(s, node);
    case B_SIMPLE_EXPANSION:
    case B_EXPANSION:
        tell_name(s, node);
        return sh_word(s, node);
    case B_COMMAND_SUBSTITUTION:
    case B_PROCESS_SUBSTITUTION:
        return substitution(s, node, v);
    case B_COMMAND: /* what is redirected is run when it is known where to */
        return sh_kind(s, above) == B_REDIRECTED && sh_role(s, node) == ROLE_BODY ? (struct tv){ 0 }
                                                                                  : run_command(s, node);
    case B_REDIRECTED:
        return leave_redirected(s, node);
    case B_PIPELINE:
        return leave_pipeline(s, node);
    case B_FILE_REDIRECT:
        return tell_redirect(s, node);
    case B_ARRAY:
        return array(s, node);
    case B_ASSIGNMENT:
        assignment(s, node);
        return (struct tv){ 0 };
    case B_FUNCTION:
        judge_function(s, node);
        return (struct tv){ 0 };
    case B_DECLARATION:
        v.taint |= is_listing_functions(s, node) ? SH_OWN : 0;
        return v;
    case B_UNSET:
        tell_unset(s, node);
        return (struct tv){ 0 };
    case B_WHILE:
    case B_FOR:
    case B_C_FOR:
        judge_loop(s, node);
        return v;
    case B_TEST:
        return (struct tv){ 0 };
    default:
        return v;
    }
}

static struct tv leave(struct eval *e, uint32_t node, struct tv v)
{
    struct sh *s = e->own;
    const uint32_t above = s->at[node].parent, next = ir_at(e, node)->next;
    s->at[node].value = value_of(s, node, v);
    if (sh_kind(s, above) == B_FOR && next && sh_role(s, next) == ROLE_BODY)
        enter_for(s, above);
    return s->at[node].value;
}

static bool is_plain_value(const struct sh *s, uint32_t node)
{
    uint8_t kind = sh_kind(s, node);
    return kind == B_WORD || kind == B_RAW || kind == B_NUMBER ||
           (kind == B_STRING && !memchr(source(s, node), '$', width(s, node)));
}

bool sh_is_function(struct sh *s, const char *name)
{
    return eval_get(s->e, name, strlen(name), SCOPE_FILE, NULL).kind == TV_FUNCTION;
}

/* Functions and cleanups are written before what they use is set: constants and temporary files are known from the
 * start. */
static void hoist(struct sh *s)
{
    for (uint32_t i = 1; i < s->e->ir.count; i++) {
        const uint8_t kind = sh_kind(s, i);
        uint32_t name = kind == B_ASSIGNMENT || kind == B_FUNCTION ? ir_part(s->e, i, ROLE_NAME) : 0;
        bool is_set = !name;
        if (name)
            (void)eval_get(s->e, source(s, name), width(s, name), SCOPE_FILE, &is_set);
        uint32_t value = is_set ? 0 : ir_part(s->e, i, ROLE_RIGHT);
        if (is_set)
            continue;
        if (kind == B_FUNCTION)
            sh_set(s, source(s, name), width(s, name),
                   (struct tv){ .kind = TV_FUNCTION, .text = s->e->c->text, .head = i });
        else if (value && memmem(source(s, value), MIN_OF(width(s, value), 200u), "mktemp", 6))
            sh_set(s, source(s, name), width(s, name), sh_text("/tmp/" SH_HOLE, 7, SH_PARTIAL | SH_TEMPORARY));
        else if (value && is_plain_value(s, value))
            sh_set(s, source(s, name), width(s, name), sh_word(s, value));
    }
}

static bool is_redirect(uint8_t kind)
{
    return kind == B_HERESTRING || kind == B_HEREDOC || kind == B_FILE_REDIRECT;
}

static bool begin(struct eval *e)
{
    struct sh *s = e->own;
    s->e = e;
    s->at = calloc(e->ir.count, sizeof *s->at);
    if (!s->at) {
        e->c->is_cut = true;
        return false;
    }
    for (uint32_t i = e->ir.count - 1; i > 0; i--) { /* parts stand behind what they are of */
        s->at[i].after = i + 1;
        for (uint32_t p = ir_at(e, i)->first, before = 0; p; before = p, p = ir_at(e, p)->next) {
            s->at[p].parent = i;
            s->at[p].before = before;
            s->at[i].has_redirect |= is_redirect(sh_kind(s, p));
            s->at[i].after = s->at[p].after;
        }
    }
    hoist(s);
    return true;
}

/* Braces and the like stand for themselves in a word. */
static uint32_t lower(struct eval *e, const struct ir_rule *rule)
{
    uint32_t node = ir_leaf(e, IR_ALL), last = 0;
    if (!node)
        return 0;
    ir_at(e, node)->sign = rule->sign;
    e->ir.depth++;
    for (bool more = eval_down(e); more; more = eval_next(e))
        ir_add(e, node, &last, ts_node_is_named(eval_here(e)) ? ir_here(e) : ir_leaf(e, IR_NONE), ROLE_NONE);
    e->ir.depth--;
    return node;
}

/* What a command was given in a text that the program runs. */
bool sh_run_text(struct sh *s, uint32_t node, const char *text, uint32_t len, const struct tv *input)
{
    struct sh_state *state = s->s;
    struct sh inner = { .s = state, .input = input };
    if (!text || len < 2 || len > 16384 || state->nesting >= SH_MAX_NESTING || state->nested_texts >= SH_MAX_NESTED)
        return false;
    TSParser *parser = ts_parser_new();
    TSTree *tree = NULL;
    ts_parser_set_timeout_micros(parser, 20000);
    if (ts_parser_set_language(parser, s->s->language))
        tree = ts_parser_parse_string(parser, NULL, text, len);
    if (tree) {
        struct scan_ctx c = *s->e->c; /* facts are told with the outermost one */
        c.text = text;
        c.size = len;
        inner.fixed_byte = s->fixed_byte == SH_NOWHERE ? ir_at(s->e, node)->start : s->fixed_byte;
        state->nesting++;
        state->nested_texts++;
        eval_nested(s->e, &c, ts_tree_root_node(tree), &inner);
        s->e->c->steps = c.steps;
        s->e->c->is_cut |= c.is_cut;
        if (inner.at)
            state->text_flags |= inner.at[1].value.taint & (SH_SECRET | SH_ENV);
        free(inner.at);
        state->nesting--;
        ts_tree_delete(tree);
    }
    ts_parser_delete(parser);
    return tree != NULL;
}

/* --- calls of the program's own functions ---------------------------------------------------------------------- */

/* eval, or an interpreter, stands somewhere in it. */
static bool runs_a_text(const struct sh *s, uint32_t body)
{
    uint32_t end = MIN_OF(s->at[body].after, body + 4000);
    for (uint32_t i = body; i < end; i++)
        if ((sh_kind(s, i) == B_WORD || sh_kind(s, i) == B_COMMAND_NAME) &&
            (says(s, i, "eval") || says(s, i, "ssh") || says(s, i, "su") ||
             embedded_interpreter(source(s, i), width(s, i)) != EMBEDDED_LANGUAGES))
            return true;
    return false;
}

/* The body, with "$@" as the call has it. */
static struct tv body_text(struct sh *s, uint32_t body, uint32_t call)
{
    static const char *const all[] = { "\"$@\"", "\"${@}\"", "$@" };
    const char *t = source(s, body), *end = t + width(s, body), *first = NULL, *last = NULL;
    char out[8192];
    size_t used = 0;
    SH_PARTS(c, s, call)
    if (sh_role(s, c) == ROLE_ARGS) {
        first = first ? first : source(s, c);
        last = source(s, c) + width(s, c);
    }
    while (t < end) {
        const char *piece = t;
        size_t n = 1, taken = 1;
        for (size_t i = 0; i < ARRAY_LEN(all); i++)
            if ((size_t)(end - t) >= strlen(all[i]) && memcmp(t, all[i], strlen(all[i])) == 0 && taken == 1) {
                taken = strlen(all[i]);
                piece = first ? first : "";
                n = first ? (size_t)(last - first) : 0;
            }
        if (n > sizeof out - used)
            return (struct tv){ 0 };
        memcpy(out + used, piece, n);
        used += n;
        t += taken;
    }
    return sh_make(s, out, used, 0);
}

void sh_call_function(struct sh *s, uint32_t node, const struct sh_command *k, const struct tv *input)
{
    static const char *const names[] = { "1", "2", "3", "4", "5", "6", "7", "8", "9" };
    bool has_text = input && input->text;
    struct sh_command inner;
    if (sh_inner(s, k, &inner))
        (void)sh_judge(s, &inner, input); /* retry python3 -c TEXT */
    for (uint32_t i = 1; i < k->count; i++)
        has_text |= k->words[i].text && memchr(k->words[i].text, ' ', k->words[i].count);
    if (!has_text || s->s->nesting >= SH_MAX_NESTING || s->s->nested_texts >= SH_MAX_NESTED ||
        s->s->calls_tried >= SH_MAX_CALLS)
        return;
    s->s->calls_tried++;
    uint32_t body = body_of(s, k->name);
    if (!body || !runs_a_text(s, body))
        return;
    struct tv text = body_text(s, body, k->node);
    for (uint32_t i = 0; i < ARRAY_LEN(names); i++)
        sh_set(s, names[i], 1, i + 1 < k->count ? k->words[i + 1] : (struct tv){ 0 });
    struct tv rest = k->count > 1 ? k->words[1] : (struct tv){ 0 };
    sh_set(s, "*", 1, k->count == 2 ? rest : (struct tv){ 0 });
    if (text.text)
        (void)sh_run_text(s, node, text.text, text.count, input);
    for (uint32_t i = 0; i < ARRAY_LEN(names); i++)
        sh_set(s, names[i], 1, (struct tv){ 0 });
    sh_set(s, "*", 1, (struct tv){ 0 });
}

void resolve_bash(struct scan_ctx *c, TSNode root)
{
    static const struct ir_language bash = { .language = LANG_BASH,
                                             .rules = rules,
                                             .rule_count = ARRAY_LEN(rules),
                                             .group = IR_ALL,
                                             .lower = lower,
                                             .least_text = UINT32_MAX,
                                             .begin = begin,
                                             .leave = leave };
    struct sh_state state = { .c = c,
                              .language = ts_tree_language(root.tree),
                              .other_roots = c->is_below_root,
                              .budget = 65536 + 8 * MIN_OF(c->size, 131072u) };
    struct sh s = { .s = &state, .fixed_byte = SH_NOWHERE };
    eval_program(&bash, c, root, &s);
    free(s.at);
}
