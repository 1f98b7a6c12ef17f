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

static const char *const kind_names[] = { "",
#define X(kind, name) name,
                                          SH_KINDS(X)
#undef X
};
static const char *const field_names[] = { "",
#define X(field, name) name,
                                           SH_FIELDS(X)
#undef X
};
static struct flat_grammar grammar = { .kinds = kind_names,
                                       .fields = field_names,
                                       .kind_count = B_KINDS,
                                       .field_count = G_FIELDS,
                                       .whole = { B_COMMENT, B_RAW } };

static const char *source(const struct sh *s, uint32_t node)
{
    return s->flat.text + s->flat.nodes[node].start;
}
static uint32_t width(const struct sh *s, uint32_t node)
{
    return s->flat.nodes[node].end - s->flat.nodes[node].start;
}
static bool says(const struct sh *s, uint32_t node, const char *text)
{
    return width(s, node) == strlen(text) && memcmp(source(s, node), text, width(s, node)) == 0;
}
static const char *copy(struct sh *s, const struct sh_value *v)
{
    char out[512];
    uint32_t used = 0;
    for (uint32_t i = 0; v->text && i < v->len && used < sizeof out - 1; i++)
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
    static const char *const takers[] = { "passwd",  "chpasswd", "useradd",  "usermod",  "adduser",
                                          "userdel", "groupadd", "groupmod", "systemctl" };
    char out[2048];
    size_t n = strlen(name);
    for (size_t i = 0; i < ARRAY_LEN(takers); i++)
        if (str_eq(name, takers[i]) && str_starts(line, name)) {
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
    f->byte = s->fixed_byte == FLAT_NONE ? s->flat.nodes[node].start : s->fixed_byte;
    (void)fact_emit(s->s->c, f); /* when the bound is reached, scan_stop() says so, too */
}

void sh_flow(struct sh *s, uint32_t node, const char *name, const char *about)
{
    struct fact f = { .kind = FACT_FLOW, .name = name, .arg_count = about != NULL, .args = { about } };
    sh_tell(s, node, &f);
}

/* --- where a command's input comes from ------------------------------------------------------------- */

static uint32_t input_node(const struct sh *s, uint32_t node)
{
    const struct flat *f = &s->flat;
    uint32_t at = node;
    FLAT_CHILDREN(c, f, node)
    if (f->nodes[c].kind == B_HERESTRING)
        return c;
    for (int level = 0; level < 12; level++) {
        uint32_t above = f->nodes[at].parent, before = FLAT_NONE;
        if (above == FLAT_NONE || f->nodes[above].kind == B_FUNCTION || f->nodes[above].kind == B_COMMAND_SUBSTITUTION)
            return FLAT_NONE;
        if (f->nodes[above].kind == B_REDIRECTED || f->nodes[above].kind == B_COMMAND)
            FLAT_CHILDREN(c, f, above)
        if (f->nodes[c].kind == B_HERESTRING)
            return c;
        if (f->nodes[above].kind == B_PIPELINE) {
            FLAT_CHILDREN(c, f, above)
            {
                if (c == at)
                    break;
                if (f->nodes[c].is_named)
                    before = c;
            }
            if (before != FLAT_NONE)
                return before;
        }
        at = above;
    }
    return FLAT_NONE;
}

static void tell_pipe(struct sh *s, uint32_t left, uint32_t right)
{
    struct sh_command a = { 0 }, b = { 0 };
    uint32_t l = left, r = right;
    if (s->flat.nodes[l].kind == B_REDIRECTED)
        l = flat_field(&s->flat, l, G_BODY);
    if (s->flat.nodes[r].kind == B_REDIRECTED)
        r = flat_field(&s->flat, r, G_BODY);
    if (r == FLAT_NONE || s->flat.nodes[r].kind != B_COMMAND || !sh_gather(s, r, &b, false))
        return;
    bool has_left = l != FLAT_NONE && s->flat.nodes[l].kind == B_COMMAND && sh_gather(s, l, &a, false);
    struct fact f = { .kind = FACT_PIPE,
                      .name = b.name,
                      .arg_count = has_left ? 3 : 0,
                      .args = { has_left ? a.name : NULL, has_left ? a.line : NULL, has_left ? b.line : NULL } };
    sh_tell(s, right, &f);
}

static struct sh_value leave_pipeline(struct sh *s, uint32_t node)
{
    struct sh_value v = { 0 };
    uint32_t flags = 0, before = FLAT_NONE;
    FLAT_CHILDREN(c, &s->flat, node)
    {
        if (!s->flat.nodes[c].is_named || s->flat.nodes[c].kind == B_COMMENT)
            continue;
        if (before != FLAT_NONE)
            tell_pipe(s, before, c);
        before = c;
        v = s->values[c];
        flags |= v.flags;
    }
    if (flags & SH_SHELL && flags & SH_PEER)
        sh_flow(s, node, "reverse-shell", NULL);
    v.flags |= flags & (SH_SHELL | SH_PEER);
    return v;
}

/* --- redirections --------------------------------------------------------------------------------------- */

static void tell_redirect(struct sh *s, uint32_t node)
{
    uint32_t to = flat_field(&s->flat, node, G_DESTINATION);
    const char *t = source(s, node), *name = NULL;
    uint32_t n = width(s, node), i = 0;
    while (i < n && t[i] >= '0' && t[i] <= '9')
        i++;
    if (i < n && t[i] == '&')
        i++;
    if (to == FLAT_NONE || i >= n)
        return;
    if (t[i] == '<')
        name = "<";
    else if (t[i] == '>')
        name = i + 1 < n && t[i + 1] == '>' ? ">>" : ">";
    const char *target = copy(s, &s->values[to]);
    if (!name || (target && target[0] >= '0' && target[0] <= '9') || (target && str_eq(target, "/dev/null")))
        return;
    struct fact f = { .kind = FACT_REDIRECT,
                      .name = name,
                      .arg_count = 1,
                      .args = { target },
                      .has_dynamic_args = !target || s->values[to].flags & SH_PARTIAL };
    sh_tell(s, node, &f);
    if (target && t[i] == '<' && secret_place_in(target, strlen(target))) {
        s->s->seen |= SH_SECRET;
        s->values[node].flags |= SH_SECRET;
    }
}

static void remember_download(struct sh *s, const struct sh_value *path)
{
    const char *t = copy(s, path);
    const char *slash = t ? strrchr(t, '/') : NULL;
    if (t && s->s->download_count < SH_MAX_DOWNLOADS && (slash ? slash + 1 : t)[0])
        s->s->downloads[s->s->download_count++] = slash ? slash + 1 : t;
}

/* Where the here-document ends: the grammar takes a line that only begins with the word for the end. */
static uint32_t heredoc_end(const struct sh *s, uint32_t body, const char *word, const char *word_end)
{
    const char *at = source(s, body), *end = s->flat.text + s->flat.size;
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
            return (uint32_t)(at - s->flat.text);
        at = line_end + 1;
    }
    return s->flat.nodes[body].end;
}

/* What a here-document says. <<'E' is read as it stands, and so is one that is too long for a value, and what the
 * grammar has cut. */
static struct sh_value heredoc_text(struct sh *s, uint32_t redirect, uint32_t body)
{
    const char *word = source(s, redirect), *end = memchr(word, '\n', width(s, redirect));
    uint32_t n = end ? (uint32_t)(end - word) : width(s, redirect);
    bool is_quoted = memchr(word, '\'', n) || memchr(word, '"', n) || memchr(word, '\\', n);
    struct sh_value v = s->values[body];
    uint32_t last = heredoc_end(s, body, word, word + n);
    bool is_cut = last > s->flat.nodes[body].end;
    if (is_quoted || !v.text || is_cut)
        v = (struct sh_value){ .text = source(s, body),
                               .len = is_cut ? last - s->flat.nodes[body].start : width(s, body),
                               .flags = v.flags };
    return v;
}

/* `printed`: of cat it is the document. */
static void judge_heredoc(struct sh *s, uint32_t statement, uint32_t redirect, struct sh_value *printed)
{
    struct sh_command k, reader = { .name = "" }, writer = { .name = "" };
    bool is_decoded = false, is_hex = false;
    uint32_t body = flat_field(&s->flat, statement, G_BODY), text = FLAT_NONE;
    if (body != FLAT_NONE && s->flat.nodes[body].kind == B_LIST)
        body = sh_last_of(s, body); /* mkdir d && cat > d/f <<E: the grammar takes both */
    if (body != FLAT_NONE && s->flat.nodes[body].kind == B_COMMAND && sh_gather(s, body, &k, false)) {
        is_decoded = sh_is_decoder(&k), is_hex = str_eq(k.name, "xxd");
        writer = k;
        if (sh_reads_program(&k))
            reader = k;
    }
    FLAT_CHILDREN(c, &s->flat, redirect)
    {
        if (s->flat.nodes[c].kind == B_HEREDOC_BODY)
            text = c;
        for (uint32_t p = c; s->flat.nodes[c].kind != B_HEREDOC_BODY && p < s->flat.nodes[c].after; p++)
            if (s->flat.nodes[p].kind == B_COMMAND && sh_gather(s, p, &k, false) && sh_reads_program(&k))
                reader = k; /* cat <<E | python3 */
    }
    if (text == FLAT_NONE)
        return;
    struct sh_value v = heredoc_text(s, redirect, text);
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
    const struct flat *f = &s->flat;
    for (uint32_t at = node, above; at != FLAT_NONE; at = above) {
        FLAT_CHILDREN(c, f, at)
        {
            const char *t = source(s, c), *end = t + width(s, c);
            while (t < end && *t >= '0' && *t <= '9')
                t++;
            if (f->nodes[c].kind == B_HERESTRING || f->nodes[c].kind == B_HEREDOC)
                return true;
            if (f->nodes[c].kind == B_FILE_REDIRECT && t < end && *t == '<') {
                uint32_t from = flat_field(f, c, G_DESTINATION);
                return from == FLAT_NONE || !sh_is(&s->values[from], "/dev/tty");
            }
        }
        above = f->nodes[at].parent;
        if (above == FLAT_NONE || f->nodes[above].kind == B_FUNCTION)
            break;
        if (f->nodes[above].kind != B_PIPELINE)
            continue;
        FLAT_CHILDREN(c, f, above)
        {
            if (c == at)
                break;
            if (f->nodes[c].is_named)
                return true;
        }
    }
    return s->input != NULL;
}

static uint32_t body_of(const struct sh *s, const char *name);

/* A function that reads, or calls another one, which may. */
static bool may_ask(struct sh *s, const char *name)
{
    uint32_t body = body_of(s, name);
    if (body == FLAT_NONE)
        return true;
    for (uint32_t i = body; i < s->flat.nodes[body].after; i++) {
        if (s->flat.nodes[i].kind != B_COMMAND_NAME)
            continue;
        const struct sh_value *v = sh_variable(s, source(s, i), width(s, i));
        if (says(s, i, "read") || says(s, i, "eval") || (v && v->flags & SH_FUNCTION))
            return true;
    }
    return false;
}

/* Whatever may ask, or run what asks: the shell itself (exec <), another one, a function, a file that was written. */
static bool takes_answers(struct sh *s, const struct sh_command *k)
{
    if (!k->name[0] || sh_is_shell(k->name) || str_eq(k->name, "eval") || str_eq(k->name, "source") ||
        str_eq(k->name, "."))
        return true;
    if (sh_is_function(s, k->name))
        return may_ask(s, k->name);
    FLAT_CHILDREN(c, &s->flat, k->node)
    {
        const struct sh_value *v = &s->values[c];
        size_t n;
        if (s->flat.nodes[c].kind == B_COMMAND_NAME && says(s, c, "exec"))
            return true;
        const char *text = v->text ? embedded_written(s->s->c, v->text, v->len, &n) : NULL;
        if (text && memmem(text, n, "read ", strlen("read ")))
            return true;
    }
    return false;
}

static void judge_question(struct sh *s, const struct sh_command *k)
{
    bool has_prompt = false;
    for (uint32_t i = 1; i < k->count; i++)
        has_prompt |= sh_begins(&k->words[i], "-") && memchr(k->words[i].text, 'p', k->words[i].len);
    if (str_eq(k->name, "read") && has_prompt && !sh_is_function(s, k->name) && !is_fed(s, k->node)) {
        const char *from = source(s, k->node);
        FLAT_CHILDREN(c, &s->flat, k->node)
        if (s->flat.nodes[c].kind == B_COMMAND_NAME)
            from = source(s, c);
        size_t rest = (size_t)(s->flat.text + s->flat.size - from);
        sh_flow(s, k->node, "asks", arena_printf(s->s->c->arena, "%.*s", (int)MIN_OF(rest, 800u), from));
    } else if (takes_answers(s, k) && is_fed(s, k->node)) {
        sh_flow(s, k->node, "own-answer", k->line);
    }
}

static struct sh_value run_command(struct sh *s, uint32_t node)
{
    struct sh_command k;
    if (!sh_gather(s, node, &k, true))
        return (struct sh_value){ 0 };
    judge_question(s, &k);
    uint32_t input = input_node(s, node);
    const struct sh_value *read = input == FLAT_NONE ? s->input : &s->values[input];
    if (sh_is_function(s, k.name)) {
        sh_call_function(s, node, &k, read);
        return (struct sh_value){ .flags = k.flags };
    }
    sh_change_root(s, k.is_in_chroot);
    sh_write_command(s, &k, input);
    struct sh_value v = sh_judge(s, &k, read);
    sh_change_root(s, -k.is_in_chroot);
    return v;
}

/* A loop over files outside, ... > "$f": the target is the loop's variable and nothing else. */
static bool is_overwriting_all(const struct sh *s, uint32_t redirect, uint32_t to)
{
    const struct sh_value *v = &s->values[to];
    const char *t = source(s, to);
    uint32_t n = width(s, to);
    if (source(s, redirect)[0] != '>' || (width(s, redirect) > 1 && source(s, redirect)[1] == '>') || !v->len ||
        !memchr(v->text, '*', v->len))
        return false;
    if (n > 2 && t[0] == '"')
        t++, n -= 2;
    bool is_variable = n > 1 && t[0] == '$' && !memchr(t + 1, '.', n - 1) && !memchr(t + 1, '/', n - 1) &&
                       !memchr(t + 1, '$', n - 1);
    return is_variable && (v->text[0] == '~' || (v->text[0] == '/' && !sh_begins(v, "/tmp") &&
                                                 !sh_begins(v, "/proc/") && !sh_begins(v, "/sys/")));
}

static struct sh_value leave_redirected(struct sh *s, uint32_t node)
{
    uint32_t body = flat_field(&s->flat, node, G_BODY);
    struct sh_value v = { 0 };
    bool has_heredoc = false;
    if (body != FLAT_NONE)
        v = s->flat.nodes[body].kind == B_COMMAND ? run_command(s, body) : s->values[body];
    FLAT_CHILDREN(c, &s->flat, node)
    {
        if (s->flat.nodes[c].kind == B_HEREDOC) {
            judge_heredoc(s, node, c, &v);
            has_heredoc = true;
        }
        if (s->flat.nodes[c].kind != B_FILE_REDIRECT)
            continue;
        uint32_t to = flat_field(&s->flat, c, G_DESTINATION);
        v.flags |= s->values[c].flags & SH_SECRET;
        if (to == FLAT_NONE || !s->values[to].text || source(s, c)[0] == '<')
            continue;
        bool is_peer = s->values[to].len > 9 && memcmp(s->values[to].text, "/dev/tcp/", 9) == 0;
        if (v.flags & SH_NETWORK)
            remember_download(s, &s->values[to]);
        if (is_overwriting_all(s, c, to))
            sh_flow(s, node, "empty-many", copy(s, &s->values[to]));
        if (is_peer && (v.flags | s->s->seen) & (SH_SECRET | SH_ENV))
            sh_flow(s, node, "secret-then-send", NULL);
    }
    if (!has_heredoc)
        sh_write_redirected(s, node, body, &v);
    if (body != FLAT_NONE)
        s->values[body] = v;
    return v;
}

/* --- loops and functions ----------------------------------------------------------------------------------- */

static bool is_command_named(struct sh *s, uint32_t node, const char *name, uint32_t len)
{
    return s->flat.nodes[node].kind == B_COMMAND_NAME && width(s, node) == len &&
           memcmp(source(s, node), name, len) == 0;
}

struct body {
    bool has_background, has_exit, has_pause, has_program;
};

static struct body look_into(struct sh *s, uint32_t node)
{
    struct body b = { 0 };
    static const char *const exits[] = { "break", "exit", "return", "read", "kill" }, *const pauses[] = {
        "sleep", "wait", "inotifywait"
    };
    uint32_t end = MIN_OF(s->flat.nodes[node].after, node + 4000);
    for (uint32_t i = node + 1; i < end; i++) {
        b.has_background |= s->flat.nodes[i].kind == B_AMPERSAND && width(s, i) == 1;
        b.has_program |= s->flat.nodes[i].kind == B_COMMAND_NAME;
        for (size_t e = 0; e < ARRAY_LEN(exits) && s->flat.nodes[i].kind == B_COMMAND_NAME; e++)
            b.has_exit |= is_command_named(s, i, exits[e], (uint32_t)strlen(exits[e]));
        uint32_t behind = s->flat.nodes[s->flat.nodes[i].parent].after;
        bool is_background = behind < s->flat.count && s->flat.nodes[behind].kind == B_AMPERSAND;
        for (size_t e = 0; e < ARRAY_LEN(pauses) && s->flat.nodes[i].kind == B_COMMAND_NAME && !is_background; e++)
            b.has_pause |= is_command_named(s, i, pauses[e], (uint32_t)strlen(pauses[e]));
    }
    return b;
}

/* kill "$i" within: the loop's own variable. */
static bool kills_its_variable(struct sh *s, uint32_t loop, uint32_t body)
{
    uint32_t name = flat_field(&s->flat, loop, G_VARIABLE), n = 0;
    const char *t = source(s, name == FLAT_NONE ? loop : name), *end = s->flat.text + s->flat.nodes[body].start;
    if (name == FLAT_NONE) { /* for ((i = 2; ... */
        t = memchr(t, '(', (size_t)(end - t));
        while (t && t < end && (*t == '(' || *t == ' '))
            t++;
    }
    while (t && t + n < end && n < 40 && (t[n] == '_' || (t[n] | 0x20) >= 'a') && (t[n] | 0x20) <= 'z')
        n++;
    for (uint32_t i = body, last = MIN_OF(s->flat.nodes[body].after, body + 4000); n && i < last; i++) {
        uint32_t command = s->flat.nodes[i].parent;
        if (!is_command_named(s, i, "kill", 4) || command == FLAT_NONE)
            continue;
        FLAT_CHILDREN(c, &s->flat, command)
        {
            const char *word = source(s, c), *hit = memmem(word, width(s, c), t, n);
            if (s->flat.nodes[c].field == G_ARGUMENT && hit && hit > word && (hit[-1] == '$' || hit[-1] == '{'))
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
    uint32_t condition = flat_field(&s->flat, node, G_CONDITION), body = flat_field(&s->flat, node, G_BODY);
    if (body == FLAT_NONE)
        return;
    const char *head = source(s, node);
    uint32_t n = s->flat.nodes[body].start - s->flat.nodes[node].start;
    if (s->flat.nodes[node].kind == B_WHILE)
        for (size_t i = 0; condition != FLAT_NONE && i < ARRAY_LEN(always); i++)
            is_endless |= says(s, condition, always[i]) && (head[0] == 'u') == str_eq(always[i], "false");
    else if (s->flat.nodes[node].kind == B_C_FOR)
        is_endless = memmem(head, n, ";;", 2) && condition == FLAT_NONE;
    for (uint32_t i = 0, run = 0; i < n && s->flat.nodes[node].kind != B_WHILE; i++) {
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

/* f() { f | f & }: a function that starts itself more than once, or behind itself. */
static void judge_function(struct sh *s, uint32_t node)
{
    uint32_t name = flat_field(&s->flat, node, G_NAME), body = flat_field(&s->flat, node, G_BODY), calls = 0;
    bool is_piped = false;
    if (name == FLAT_NONE || body == FLAT_NONE)
        return;
    uint32_t end = MIN_OF(s->flat.nodes[body].after, body + 2000);
    for (uint32_t i = body; i < end; i++) {
        bool is_self = is_command_named(s, i, source(s, name), width(s, name));
        calls += is_self;
        is_piped |= is_self && flat_above(&s->flat, i, B_PIPELINE, 4) != FLAT_NONE;
    }
    struct body b = look_into(s, body);
    if (calls && (b.has_background || (is_piped && calls > 1)) && !b.has_exit)
        sh_flow(s, node, "fork-loop", NULL);
}

static void enter_for(struct sh *s, uint32_t loop)
{
    const struct flat *f = &s->flat;
    uint32_t name = flat_field(f, loop, G_VARIABLE);
    struct sh_value worst = { 0 };
    if (name == FLAT_NONE)
        return;
    FLAT_CHILDREN(c, f, loop)
    {
        const struct sh_value *v = &s->values[c];
        if (f->nodes[c].field != G_VALUE)
            continue;
        bool is_secret = v->text && secret_place_in(v->text, v->len);
        if (!worst.text || is_secret)
            worst = *v;
        if (is_secret)
            break;
    }
    if (worst.text && worst.flags & SH_SPLIT) {
        const char *space = memchr(worst.text, ' ', worst.len);
        worst.len = space ? (uint32_t)(space - worst.text) : worst.len;
    }
    sh_set(s, source(s, name), width(s, name), worst);
}

/* --- the walk -------------------------------------------------------------------------------------------------- */

static struct sh_value union_of(struct sh *s, uint32_t node)
{
    struct sh_value v = { 0 };
    uint32_t count = 0, flags = 0;
    FLAT_CHILDREN(c, &s->flat, node)
    {
        flags |= s->values[c].flags;
        if (s->flat.nodes[c].is_named && s->flat.nodes[c].kind != B_COMMENT) {
            v = s->values[c];
            count++;
        }
    }
    if (count != 1)
        v.text = NULL;
    v.flags = flags;
    return v;
}

static struct sh_value substitution(struct sh *s, uint32_t node)
{
    struct sh_value v = union_of(s, node);
    while (v.text && v.len && v.text[v.len - 1] == '\n')
        v.len--;
    v.flags = (v.flags | SH_SPLIT) & (uint32_t)~SH_SHELL;
    if (s->flat.nodes[node].kind == B_PROCESS_SUBSTITUTION && v.text && source(s, node)[0] == '<') {
        const char *path = arena_printf(s->s->c->arena, "/dev/fd/{}/%u", node); /* a file for the command's eyes only */
        uint32_t byte = s->fixed_byte == FLAT_NONE ? s->flat.nodes[node].start : s->fixed_byte;
        embedded_file(s->s->c, path, strlen(path), v.text, v.len, byte, false);
        v.text = path;
        v.len = (uint32_t)strlen(path);
    } else if (s->flat.nodes[node].kind == B_PROCESS_SUBSTITUTION) {
        v.text = NULL;
    }
    return v;
}

static struct sh_value array(struct sh *s, uint32_t node)
{
    char out[2048];
    size_t used = 0;
    uint32_t flags = SH_SPLIT;
    FLAT_CHILDREN(c, &s->flat, node)
    {
        const struct sh_value *v = &s->values[c];
        if (!s->flat.nodes[c].is_named || s->flat.nodes[c].kind == B_COMMENT)
            continue;
        flags |= v->flags | (v->text ? 0 : SH_PARTIAL);
        const char *t = v->text ? v->text : SH_HOLE;
        uint32_t n = v->text ? v->len : 2;
        if (n + 2 > sizeof out - used)
            return (struct sh_value){ .flags = flags };
        if (used)
            out[used++] = ' ';
        memcpy(out + used, t, n);
        used += n;
    }
    return sh_make(s, out, used, flags);
}

static void assignment(struct sh *s, uint32_t node)
{
    uint32_t name = flat_field(&s->flat, node, G_NAME), value = flat_field(&s->flat, node, G_VALUE);
    if (name == FLAT_NONE)
        return;
    struct sh_value v = value == FLAT_NONE ? (struct sh_value){ .text = "" } : s->values[value];
    uint32_t at = s->flat.nodes[name].end, len = width(s, name);
    struct fact f = { .kind = FACT_NAME,
                      .name = copy(s, &(struct sh_value){ .text = source(s, name), .len = MIN_OF(len, 100u) }),
                      .arg_count = 1,
                      .args = { v.text ? copy(s, &v) : SH_HOLE } };
    sh_tell(s, node, &f);
    if (s->flat.nodes[name].kind == B_SUBSCRIPT)
        return;
    struct sh_value *old = sh_variable(s, source(s, name), len);
    if (at < s->flat.nodes[node].end && s->flat.text[at] == '+' && old && old->text && v.text &&
        old->len + v.len < 2000) {
        char out[2048];
        memcpy(out, old->text, old->len);
        memcpy(out + old->len, v.text, v.len);
        v = sh_make(s, out, old->len + v.len, old->flags | v.flags | SH_MADE);
    }
    if (!v.text && !(v.flags & ~(uint32_t)(SH_COMPUTED | SH_SPLIT)) &&
        old) /* x=$(something unknown) does not make us forget what x may be */
        return;
    sh_set(s, source(s, name), len, v);
}

static void tell_name(struct sh *s, uint32_t node)
{
    struct sh_value v = { .text = source(s, node), .len = MIN_OF(width(s, node), 100u) };
    if (v.len > 2 && v.text[0] == '$' && v.text[1] == '{')
        v.text += 2, v.len -= 3;
    else if (v.len > 1 && v.text[0] == '$')
        v.text++, v.len--;
    if (v.len < 4 || v.text[0] < 'A' ||
        v.text[0] > 'Z') /* the environment's names; a script's own are of no interest */
        return;
    struct fact f = { .kind = FACT_NAME, .name = copy(s, &v) };
    sh_tell(s, node, &f);
}

/* unset x and unset -f x, which the grammar takes for no command. */
static void tell_unset(struct sh *s, uint32_t node)
{
    struct fact f = { .kind = FACT_CALL, .name = "unset" };
    f.args[f.arg_count++] = copy(s, &(struct sh_value){ .text = source(s, node), .len = width(s, node) });
    FLAT_CHILDREN(c, &s->flat, node)
    if (s->flat.nodes[c].is_named && f.arg_count < FACT_MAX_ARGS)
        f.args[f.arg_count++] = copy(s, &s->values[c]);
    sh_tell(s, node, &f);
}

/* declare -F, typeset -f */
static bool is_listing_functions(const struct sh *s, uint32_t node)
{
    const char *dash = memchr(source(s, node), '-', width(s, node));
    return dash && dash + 1 < source(s, node) + width(s, node) && (dash[1] | 0x20) == 'f';
}

static void leave(struct sh *s, uint32_t node)
{
    const struct flat_node *n = &s->flat.nodes[node];
    switch (n->kind) {
    case B_WORD:
    case B_NUMBER:
    case B_RAW:
    case B_ANSI:
    case B_STRING:
    case B_HEREDOC_BODY:
    case B_CONCATENATION:
    case B_VARIABLE:
    case B_SPECIAL:
        s->values[node] = sh_word(s, node);
        break;
    case B_SIMPLE_EXPANSION:
    case B_EXPANSION:
        s->values[node] = sh_word(s, node);
        tell_name(s, node);
        break;
    case B_COMMAND_SUBSTITUTION:
    case B_PROCESS_SUBSTITUTION:
        s->values[node] = substitution(s, node);
        break;
    case B_COMMAND:
        if (n->parent == FLAT_NONE || s->flat.nodes[n->parent].kind != B_REDIRECTED || n->field != G_BODY)
            s->values[node] = run_command(s, node);
        break;
    case B_REDIRECTED:
        s->values[node] = leave_redirected(s, node);
        break;
    case B_PIPELINE:
        s->values[node] = leave_pipeline(s, node);
        break;
    case B_FILE_REDIRECT:
        tell_redirect(s, node);
        break;
    case B_ARRAY:
        s->values[node] = array(s, node);
        break;
    case B_ASSIGNMENT:
        assignment(s, node);
        break;
    case B_FUNCTION:
        judge_function(s, node);
        break;
    case B_DECLARATION:
        s->values[node] = union_of(s, node);
        if (is_listing_functions(s, node))
            s->values[node].flags |= SH_OWN;
        break;
    case B_UNSET:
        tell_unset(s, node);
        break;
    case B_WHILE:
    case B_FOR:
    case B_C_FOR:
        judge_loop(s, node);
        s->values[node] = union_of(s, node);
        break;
    case B_COMMENT:
    case B_TEST:
        break;
    default:
        s->values[node] = union_of(s, node);
    }
}

static bool is_plain_value(const struct sh *s, uint32_t node)
{
    uint8_t kind = s->flat.nodes[node].kind;
    return kind == B_WORD || kind == B_RAW || kind == B_NUMBER ||
           (kind == B_STRING && !memchr(source(s, node), '$', width(s, node)));
}

bool sh_is_function(struct sh *s, const char *name)
{
    struct sh_value *v = sh_variable(s, name, (uint32_t)strlen(name));
    return v && v->flags & SH_FUNCTION;
}

/* Functions and cleanups are written before what they use is set: constants and temporary files are known from the
 * start. */
static void hoist(struct sh *s)
{
    const struct flat *f = &s->flat;
    for (uint32_t i = 0; i < f->count; i++) {
        uint32_t name = f->nodes[i].kind == B_ASSIGNMENT || f->nodes[i].kind == B_FUNCTION ? flat_field(f, i, G_NAME)
                                                                                           : FLAT_NONE;
        if (name == FLAT_NONE || sh_variable(s, source(s, name), width(s, name)))
            continue;
        uint32_t value = flat_field(f, i, G_VALUE);
        if (f->nodes[i].kind == B_FUNCTION)
            sh_set(s, source(s, name), width(s, name), (struct sh_value){ .flags = SH_FUNCTION });
        else if (value != FLAT_NONE && memmem(source(s, value), MIN_OF(width(s, value), 200u), "mktemp", 6))
            sh_set(s, source(s, name), width(s, name),
                   (struct sh_value){ .text = "/tmp/" SH_HOLE, .len = 7, .flags = SH_PARTIAL | SH_TEMPORARY });
        else if (value != FLAT_NONE && is_plain_value(s, value))
            sh_set(s, source(s, name), width(s, name), sh_word(s, value));
    }
}

static void walk(struct sh *s)
{
    uint32_t open[SCAN_MAX_DEPTH + 2], depth = 0;
    hoist(s);
    for (uint32_t i = 0; i < s->flat.count && !scan_stop(s->s->c);) {
        while (depth && i >= s->flat.nodes[open[depth - 1]].after)
            leave(s, open[--depth]);
        const struct flat_node *n = &s->flat.nodes[i];
        if (n->kind == B_DO_GROUP && n->parent != FLAT_NONE && s->flat.nodes[n->parent].kind == B_FOR)
            enter_for(s, n->parent);
        if (n->after == i + 1 || n->kind == B_COMMENT) {
            leave(s, i);
            i = n->after;
        } else {
            open[depth++] = i++;
        }
    }
    while (depth && !scan_stop(s->s->c))
        leave(s, open[--depth]);
}

static void resolve(struct sh *s, TSNode root)
{
    if (!flat_build(s->s->c, root, &grammar, &s->flat))
        return;
    s->values = calloc(s->flat.count, sizeof *s->values);
    if (s->values)
        walk(s);
    else
        s->s->c->is_cut = true;
    free(s->values);
    flat_done(&s->flat);
}

bool sh_run_text(struct sh *s, uint32_t node, const char *text, uint32_t len, const struct sh_value *input)
{
    struct sh_state *state = s->s;
    if (!text || len < 2 || len > 16384 || state->nesting >= SH_MAX_NESTING || state->nested_texts >= SH_MAX_NESTED)
        return false;
    struct scan_ctx *c = state->c;
    const char *outer_text = c->text;
    uint32_t outer_size = c->size;
    TSParser *parser = ts_parser_new();
    TSTree *tree = NULL;
    ts_parser_set_timeout_micros(parser, 20000);
    if (ts_parser_set_language(parser, grammar.language))
        tree = ts_parser_parse_string(parser, NULL, text, len);
    if (tree) {
        struct sh inner = { .s = state,
                            .input = input,
                            .fixed_byte = s->fixed_byte == FLAT_NONE ? s->flat.nodes[node].start : s->fixed_byte };
        state->nesting++;
        state->nested_texts++;
        c->text = text; /* for flat_build(); places are told with the outer text */
        c->size = len;
        if (flat_build(c, ts_tree_root_node(tree), &grammar, &inner.flat)) {
            inner.values = calloc(inner.flat.count, sizeof *inner.values);
            c->text = outer_text;
            c->size = outer_size;
            if (inner.values)
                walk(&inner);
            if (inner.values && inner.flat.count)
                state->text_flags |= inner.values[0].flags & (SH_SECRET | SH_ENV);
            free(inner.values);
            flat_done(&inner.flat);
        }
        state->nesting--;
        ts_tree_delete(tree);
    }
    c->text = outer_text;
    c->size = outer_size;
    ts_parser_delete(parser);
    return tree != NULL;
}

/* --- calls of the program's own functions ---------------------------------------------------------------------- */

static uint32_t body_of(const struct sh *s, const char *name)
{
    for (uint32_t i = 0; i < s->flat.count; i++) {
        uint32_t called = s->flat.nodes[i].kind == B_FUNCTION ? flat_field(&s->flat, i, G_NAME) : FLAT_NONE;
        if (called != FLAT_NONE && says(s, called, name))
            return flat_field(&s->flat, i, G_BODY);
    }
    return FLAT_NONE;
}

/* eval, or an interpreter, stands somewhere in it. */
static bool runs_a_text(const struct sh *s, uint32_t body)
{
    uint32_t end = MIN_OF(s->flat.nodes[body].after, body + 4000);
    for (uint32_t i = body; i < end; i++)
        if ((s->flat.nodes[i].kind == B_WORD || s->flat.nodes[i].kind == B_COMMAND_NAME) &&
            (says(s, i, "eval") || says(s, i, "ssh") || says(s, i, "su") ||
             embedded_interpreter(source(s, i), width(s, i)) != EMBEDDED_LANGUAGES))
            return true;
    return false;
}

/* The body, with "$@" as the call has it. */
static struct sh_value body_text(struct sh *s, uint32_t body, uint32_t call)
{
    static const char *const all[] = { "\"$@\"", "\"${@}\"", "$@" };
    const char *t = source(s, body), *end = t + width(s, body), *first = NULL, *last = NULL;
    char out[8192];
    size_t used = 0;
    FLAT_CHILDREN(c, &s->flat, call)
    if (s->flat.nodes[c].field == G_ARGUMENT) {
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
            return (struct sh_value){ 0 };
        memcpy(out + used, piece, n);
        used += n;
        t += taken;
    }
    return sh_make(s, out, used, 0);
}

void sh_call_function(struct sh *s, uint32_t node, const struct sh_command *k, const struct sh_value *input)
{
    static const char *const names[] = { "1", "2", "3", "4", "5", "6", "7", "8", "9" };
    bool has_text = input && input->text;
    struct sh_command inner;
    if (sh_inner(s, k, &inner))
        (void)sh_judge(s, &inner, input); /* retry python3 -c TEXT */
    for (uint32_t i = 1; i < k->count; i++)
        has_text |= k->words[i].text && memchr(k->words[i].text, ' ', k->words[i].len);
    if (!has_text || s->s->nesting >= SH_MAX_NESTING || s->s->nested_texts >= SH_MAX_NESTED ||
        s->s->calls_tried >= SH_MAX_CALLS)
        return;
    s->s->calls_tried++;
    uint32_t body = body_of(s, k->name);
    if (body == FLAT_NONE || !runs_a_text(s, body))
        return;
    struct sh_value text = body_text(s, body, k->node);
    for (uint32_t i = 0; i < ARRAY_LEN(names); i++)
        sh_set(s, names[i], 1, i + 1 < k->count ? k->words[i + 1] : (struct sh_value){ 0 });
    struct sh_value rest = k->count > 1 ? k->words[1] : (struct sh_value){ 0 };
    sh_set(s, "*", 1, k->count == 2 ? rest : (struct sh_value){ 0 });
    if (text.text)
        (void)sh_run_text(s, node, text.text, text.len, input);
    for (uint32_t i = 0; i < ARRAY_LEN(names); i++)
        sh_set(s, names[i], 1, (struct sh_value){ 0 });
    sh_set(s, "*", 1, (struct sh_value){ 0 });
}

void resolve_bash(struct scan_ctx *c, TSNode root)
{
    struct sh_state state = { .c = c, .other_roots = c->is_below_root, .budget = 65536 + 8 * MIN_OF(c->size, 131072u) };
    struct sh s = { .s = &state, .fixed_byte = FLAT_NONE };
    resolve(&s, root);
}
