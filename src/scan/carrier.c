/* carrier.c - commands out of makefiles, tables, settings and JSON. Where it can be, what is made of a text has its
 * lines where they were. */
#include "scan/carrier.h"

#include "base/buf.h"
#include "base/utf8.h"
#include "scan/digits.h"

#define MOST_BYTES (EMBEDDED_MAX_BYTES + 4096u)
#define JSON_DEPTH 32u
#define JSON_AGAIN 3u /* JSON in a text of JSON */

struct span {
    const char *at, *end;
};

static size_t width(struct span s)
{
    return (size_t)(s.end - s.at);
}

static bool is_blank(char c)
{
    return c == ' ' || c == '\t' || c == '\r';
}

static bool is_name(char c)
{
    return c == '_' || (c >= '0' && c <= '9') || ((c | 0x20) >= 'a' && (c | 0x20) <= 'z');
}

static struct span trimmed(struct span s)
{
    while (s.at < s.end && is_blank(*s.at))
        s.at++;
    while (s.end > s.at && is_blank(s.end[-1]))
        s.end--;
    return s;
}

static struct span next_line(struct span *rest)
{
    const char *end = memchr(rest->at, '\n', width(*rest));
    struct span line = { rest->at, end ? end : rest->end };
    rest->at = end ? end + 1 : rest->end;
    return line;
}

static bool begins(struct span s, const char *word)
{
    size_t n = strlen(word);
    return width(s) >= n && memcmp(s.at, word, n) == 0;
}

static bool is_one_of(struct span s, const char *const *words)
{
    for (; *words; words++)
        if (strlen(*words) == width(s) && strncasecmp(*words, s.at, width(s)) == 0)
            return true;
    return false;
}

static void queue(struct scan_ctx *c, uint8_t language, const char *how, const struct buf *b, uint32_t byte)
{
    const char *kept = b->failed || !b->size ? NULL : arena_copy_bytes(c->arena, b->data, b->size);
    bool is_empty = true;
    for (size_t i = 0; kept && i < b->size; i++)
        is_empty &= kept[i] == '\n' || is_blank(kept[i]);
    if (kept && !is_empty)
        embedded_perhaps(c, language, how, kept, b->size, byte);
}

/* ---- makefiles ---- */

/* $(CC) is a variable, $(shell x) a command, $$x the shell's. */
static void add_recipe(struct buf *b, struct span s)
{
    for (const char *p = s.at; p < s.end; p++) {
        struct span rest = { p, s.end };
        if (begins(rest, "$$")) {
            (void)buf_addc(b, '$');
            p++;
        } else if (begins(rest, "$(shell ")) {
            (void)buf_adds(b, "$(");
            p += strlen("$(shell ") - 1;
        } else if (begins(rest, "$(")) {
            const char *end = memchr(p, ')', width(rest));
            (void)buf_adds(b, "${");
            for (p += 2; p < (end ? end : s.end); p++)
                if (is_name(*p))
                    (void)buf_addc(b, *p);
            (void)buf_addc(b, '}');
        } else {
            (void)buf_addc(b, *p);
        }
    }
}

/* X = value, X := value: the shell's assignment. */
static void add_variable(struct buf *b, struct span line)
{
    const char *eq = memchr(line.at, '=', width(line));
    if (!eq)
        return;
    struct span name = { line.at, eq };
    while (name.end > name.at && strchr(":?+! \t", name.end[-1]))
        name.end--;
    for (const char *p = name.at; p < name.end; p++)
        if (!is_name(*p))
            return;
    struct span value = trimmed((struct span){ eq + 1, line.end });
    if (!width(name) || memchr(value.at, '\'', width(value)))
        return;
    (void)buf_add(b, name.at, width(name));
    (void)buf_adds(b, begins(value, "$(shell ") ? "=\"" : "='");
    add_recipe(b, value);
    (void)buf_adds(b, begins(value, "$(shell ") ? "\"" : "'");
}

static void unpack_make(struct scan_ctx *c, struct span rest)
{
    struct buf b;
    bool goes_on = false;
    buf_init(&b, MOST_BYTES);
    while (rest.at < rest.end) {
        struct span line = next_line(&rest);
        if (line.at < line.end && (*line.at == '\t' || goes_on)) {
            while (!goes_on && line.at < line.end && (is_blank(*line.at) || strchr("@-+", *line.at)))
                line.at++;
            add_recipe(&b, line);
            goes_on = line.at < line.end && line.end[-1] == '\\';
        } else if (line.at < line.end && *line.at != '#') {
            add_variable(&b, line);
        }
        (void)buf_addc(&b, '\n');
    }
    queue(c, LANG_BASH, "recipes", &b, 0);
    buf_done(&b);
}

/* ---- cron ---- */

static struct span without_words(struct span s, unsigned count)
{
    for (; count; count--) {
        while (s.at < s.end && !is_blank(*s.at))
            s.at++;
        while (s.at < s.end && is_blank(*s.at))
            s.at++;
    }
    return s;
}

static void unpack_cron(struct scan_ctx *c, struct span rest, bool has_user)
{
    struct buf b;
    buf_init(&b, MOST_BYTES);
    while (rest.at < rest.end) {
        struct span line = trimmed(next_line(&rest));
        bool is_entry = width(line) && (*line.at == '@' || *line.at == '*' || (*line.at >= '0' && *line.at <= '9'));
        if (is_entry) {
            line = without_words(line, (*line.at == '@' ? 1 : 5) + has_user);
            (void)buf_add(&b, line.at, width(line));
        }
        (void)buf_addc(&b, '\n');
    }
    queue(c, LANG_BASH, "table", &b, 0);
    buf_done(&b);
}

/* ---- settings with a command behind a key ---- */

static void add_word(struct buf *b, const char *text, size_t size)
{
    (void)buf_adds(b, b->size ? " '" : "'");
    for (size_t i = 0; i < size; i++)
        if (text[i] == '\'')
            (void)buf_adds(b, "'\\''");
        else if (text[i])
            (void)buf_addc(b, text[i]);
    (void)buf_addc(b, '\'');
}

/* [sh, -c, "text"], as YAML and Docker have it. */
static void add_list(struct buf *b, struct span s)
{
    struct buf line;
    buf_init(&line, MOST_BYTES);
    for (s.at++; s.at < s.end && *s.at != ']';) {
        s = trimmed(s);
        char quote = s.at < s.end && (*s.at == '"' || *s.at == '\'') ? *s.at : '\0';
        const char *from = s.at += quote != '\0';
        while (s.at < s.end && (quote ? *s.at != quote : *s.at != ',' && *s.at != ']'))
            s.at += 1 + (quote == '"' && *s.at == '\\' && s.at + 1 < s.end);
        add_word(&line, from, (size_t)(MIN_OF(s.at, s.end) - from));
        while (s.at < s.end && *s.at != ',' && *s.at != ']')
            s.at++;
        s.at += s.at < s.end && *s.at == ',';
    }
    if (line.size)
        (void)buf_add(b, line.data, line.size);
    buf_done(&line);
}

static void add_value(struct buf *b, struct span value)
{
    value = trimmed(value);
    while (value.at < value.end && strchr("-@:+!", *value.at)) /* a unit's */
        value.at++;
    if (begins(value, "[")) {
        add_list(b, value);
        return;
    }
    bool is_quoted = width(value) > 1 && (*value.at == '"' || *value.at == '\'') && value.end[-1] == *value.at &&
                     !memchr(value.at + 1, *value.at, width(value) - 2);
    value.at += is_quoted;
    value.end -= is_quoted;
    (void)buf_add(b, value.at, width(value));
}

/* The key's value; false: the line has no key that a command stands behind. */
static bool keyed(struct span line, struct span *ret)
{
    static const char *const keys[] = { "command",       "commands",
                                        "cmd",           "run",
                                        "script",        "entrypoint",
                                        "entry",         "shell",
                                        "runcmd",        "bootcmd",
                                        "program",       "before_script",
                                        "after_script",  "before_install",
                                        "install",       "postCreateCommand",
                                        "args",          "exec",
                                        "execstart",     "execstartpre",
                                        "execstartpost", "execstop",
                                        "execreload",    "execstoppost",
                                        "execcondition", "ansible.builtin.shell",
                                        "web",           "worker",
                                        "raw",           "onstart",
                                        "test",          NULL };
    struct span key = line;
    if (begins(line, "RUN ") || begins(line, "CMD ") || begins(line, "ENTRYPOINT ")) {
        key.at = memchr(line.at, ' ', width(line));
        *ret = trimmed((struct span){ key.at, line.end });
        while (begins(*ret, "--"))
            *ret = without_words(*ret, 1);
        return true;
    }
    while (key.at < key.end && (is_blank(*key.at) || *key.at == '-' || *key.at == '"'))
        key.at++;
    const char *p = key.at;
    while (p < key.end && (is_name(*p) || *p == '-' || *p == '.'))
        p++;
    key.end = p;
    while (p < line.end && (is_blank(*p) || *p == '"' || *p == '+'))
        p++;
    if (p == line.end || (*p != ':' && *p != '=') || !is_one_of(key, keys))
        return false;
    *ret = trimmed((struct span){ p + 1, line.end });
    return true;
}

static size_t indent_of(struct span line)
{
    size_t n = 0;
    while (n < width(line) && (line.at[n] == ' ' || line.at[n] == '\t'))
        n++;
    return n;
}

static void unpack_keyed(struct scan_ctx *c, struct span rest)
{
    struct buf b;
    buf_init(&b, MOST_BYTES);
    size_t block = SIZE_MAX; /* the indentation of the key whose lines these are; SIZE_MAX: none */
    bool goes_on = false;
    while (rest.at < rest.end) {
        struct span line = next_line(&rest), value = { 0 };
        struct span bare = trimmed(line);
        size_t indent = indent_of(line);
        bool is_item = begins(bare, "- ");
        if (block != SIZE_MAX && width(bare) && indent <= block && !(is_item && indent == block))
            block = SIZE_MAX;
        bool has_key = !goes_on && block == SIZE_MAX && keyed(line, &value);
        if (goes_on) {
            (void)buf_add(&b, line.at, width(line));
        } else if (has_key && (!width(value) || *value.at == '|' || *value.at == '>')) {
            block = indent;
        } else if (has_key) {
            add_value(&b, value);
        } else if (block != SIZE_MAX && width(bare) && is_item) {
            add_value(&b, (struct span){ bare.at + 2, bare.end });
        } else if (block != SIZE_MAX) {
            (void)buf_add(&b, bare.at, width(bare));
        }
        goes_on = (goes_on || has_key) && width(bare) && bare.end[-1] == '\\';
        (void)buf_addc(&b, '\n');
    }
    queue(c, LANG_BASH, "settings", &b, 0);
    buf_done(&b);
}

/* ---- what Python reads when it starts ---- */

static void unpack_pth(struct scan_ctx *c, struct span rest)
{
    struct buf b;
    buf_init(&b, MOST_BYTES);
    while (rest.at < rest.end) {
        struct span line = next_line(&rest);
        if (begins(line, "import ") || begins(line, "import\t"))
            (void)buf_add(&b, line.at, width(line));
        (void)buf_addc(&b, '\n');
    }
    queue(c, LANG_PYTHON, "paths", &b, 0);
    buf_done(&b);
}

/* ---- JSON ---- */

struct text {
    const char *data; /* NULL: none */
    size_t size;
    uint32_t byte;
};

/* What an object says that matters. */
struct json_object {
    struct text command, code, path, content, input, tool, language, source, kind;
    struct buf args; /* behind a command: words in quotes */
};

struct json {
    struct scan_ctx *c;
    const char *text;
    size_t size, at;
    unsigned depth, again;
};

static void unpack_json(struct scan_ctx *c, const char *text, size_t size, unsigned again);

static char json_peek(struct json *j)
{
    while (j->at < j->size && (is_blank(j->text[j->at]) || j->text[j->at] == '\n'))
        j->at++;
    return j->at < j->size ? j->text[j->at] : '\0';
}

static bool json_hex(struct json *j, uint32_t *ret)
{
    uint32_t code = 0;
    for (unsigned i = 0; i < 4; i++) {
        int digit = j->at < j->size ? hex_digit(j->text[j->at]) : -1;
        if (digit < 0)
            return false;
        code = code << 4 | (uint32_t)digit;
        j->at++;
    }
    *ret = code;
    return true;
}

static void add_code(struct buf *b, uint32_t code)
{
    unsigned n = code < 0x80 ? 1 : code < 0x800 ? 2 : 3;
    static const uint8_t first[] = { 0, 0, 0xc0, 0xe0 };
    char out[3];
    for (unsigned i = n; i-- > 1; code >>= 6)
        out[i] = (char)(0x80 | (code & 63));
    out[0] = (char)(first[n] | code);
    (void)buf_add(b, out, n);
}

/* From a quote to behind the closing one, escapes undone. */
static struct text json_string(struct json *j)
{
    struct text t = { .byte = (uint32_t)j->at };
    struct buf b;
    buf_init(&b, MOST_BYTES);
    for (j->at++; j->at < j->size && j->text[j->at] != '"'; j->at++) {
        uint32_t code;
        char c = j->text[j->at];
        if (c != '\\' || j->at + 1 >= j->size) {
            (void)buf_addc(&b, c);
            continue;
        }
        c = j->text[++j->at];
        static const char simple[] = "n\nt\tr\rb\bf\f";
        const char *known = strchr(simple, c);
        if (c == 'u' && (j->at++, json_hex(j, &code))) {
            add_code(&b, code);
            j->at--;
        } else if (c != 'u') {
            (void)buf_addc(&b, c && known && (known - simple) % 2 == 0 ? known[1] : c);
        }
    }
    j->at += j->at < j->size;
    t.data = b.failed ? NULL : arena_copy_bytes(j->c->arena, b.size ? b.data : "", b.size);
    t.size = b.size;
    buf_done(&b);
    return t;
}

static bool says(struct text t, const char *const *words)
{
    return t.data && is_one_of((struct span){ t.data, t.data + t.size }, words);
}

static bool holds(struct text t, const char *word)
{
    return t.data && memmem(t.data, t.size, word, strlen(word));
}

static uint8_t language_said(struct text t)
{
    if (holds(t, "python") || holds(t, "ipython") || holds(t, "jupyter") || holds(t, "code_interpreter"))
        return LANG_PYTHON;
    if (holds(t, "javascript") || holds(t, "node") || holds(t, "typescript"))
        return LANG_NODE;
    if (holds(t, "bash") || holds(t, "shell") || holds(t, "terminal") || holds(t, "exec") || holds(t, "command") ||
        holds(t, "run") || (t.data && t.size == 2 && memcmp(t.data, "sh", 2) == 0))
        return LANG_BASH;
    return EMBEDDED_LANGUAGES;
}

static uint8_t language_guessed(struct text t)
{
    uint8_t first = embedded_by_first_line(t.data, t.size);
    if (first != EMBEDDED_LANGUAGES)
        return first;
    if (holds(t, "require(") || holds(t, "const ") || holds(t, "=>") || holds(t, "console."))
        return LANG_NODE;
    if (holds(t, "import ") || holds(t, "print(") || holds(t, "def ") || holds(t, "open("))
        return LANG_PYTHON;
    return LANG_BASH;
}

/* A notebook's cell: !command and %%bash are the shell's. */
static void queue_cell(struct json *j, struct text t)
{
    struct span rest = { t.data, t.data + t.size };
    struct buf python, shell;
    bool is_shell = begins(rest, "%%bash") || begins(rest, "%%sh") || begins(rest, "%%script");
    buf_init(&python, MOST_BYTES);
    buf_init(&shell, MOST_BYTES);
    while (rest.at < rest.end) {
        struct span line = next_line(&rest), bare = trimmed(line);
        bool is_command = begins(bare, "!"), is_magic = begins(bare, "%");
        struct buf *to = is_shell || is_command ? &shell : &python;
        if (!is_magic)
            (void)buf_add(to, is_command ? bare.at + 1 : line.at, width(is_command ? bare : line) - is_command);
        (void)buf_addc(&python, '\n');
        (void)buf_addc(&shell, '\n');
    }
    queue(j->c, LANG_PYTHON, "cell", &python, t.byte);
    queue(j->c, LANG_BASH, "cell", &shell, t.byte);
    buf_done(&python);
    buf_done(&shell);
}

static void queue_text(struct json *j, uint8_t language, const char *how, struct text t)
{
    if (t.data && t.size)
        embedded_perhaps(j->c, language, how, t.data, t.size, t.byte);
}

static void end_object(struct json *j, struct json_object *o)
{
    uint8_t said = language_said(o->language);
    if (said == EMBEDDED_LANGUAGES)
        said = language_said(o->tool);
    if (o->path.data && o->content.data)
        embedded_file(j->c, o->path.data, o->path.size, o->content.data, o->content.size, o->content.byte, false);
    if (o->command.data && o->args.size) { /* {"command": "npx", "args": ["-y", "x"]} */
        struct buf line;
        buf_init(&line, MOST_BYTES);
        (void)buf_add(&line, o->command.data, o->command.size);
        (void)buf_addc(&line, ' ');
        (void)buf_add(&line, o->args.data, o->args.size);
        queue(j->c, LANG_BASH, "command", &line, o->command.byte);
        buf_done(&line);
    } else {
        queue_text(j, LANG_BASH, "command", o->command);
    }
    if (o->code.data)
        queue_text(j, said < LANG_COUNT ? said : language_guessed(o->code), "code", o->code);
    if (o->input.data && !o->code.data && !o->command.data && said < LANG_COUNT)
        queue_text(j, said, "input", o->input);
    if (o->source.data && !holds(o->kind, "markdown") && !holds(o->kind, "raw"))
        queue_cell(j, o->source);
    buf_done(&o->args);
}

static const char *const commands[] = { "command",
                                        "cmd",
                                        "shell",
                                        "bash",
                                        "sh",
                                        "script",
                                        "run",
                                        "exec",
                                        "shell_command",
                                        "command_line",
                                        "cmdline",
                                        "entrypoint",
                                        "postCreateCommand",
                                        "postStartCommand",
                                        "onCreateCommand",
                                        NULL };
static const char *const codes[] = { "code", "python", "javascript", "program", "snippet", "python_code", NULL };

static void keep_text(struct json *j, struct json_object *o, struct text key, struct text value)
{
    static const char *const paths[] = { "path", "file", "file_path", "filename", "filepath", "target", NULL };
    static const char *const contents[] = { "content", "contents", "file_text", "text", "body", "data", NULL };
    static const char *const inputs[] = { "input", "arguments", "args", "parameters", "action_input", NULL };
    static const char *const tools[] = { "tool", "name", "tool_name", "action", "function", "recipient", NULL };
    static const char *const languages[] = { "language", "lang", "runtime", "interpreter", "type", NULL };
    const char *brace = value.data ? value.data : "";
    if (value.size > 8 && (brace[0] == '{' || brace[0] == '[') && j->again && carrier_is_call(value.data, value.size))
        unpack_json(j->c, value.data, value.size, j->again - 1);
    else if (says(key, commands))
        o->command = value;
    else if (says(key, codes))
        o->code = value;
    else if (says(key, paths))
        o->path = value;
    else if (says(key, contents))
        o->content = value;
    else if (says(key, inputs))
        o->input = value;
    else if (says(key, tools))
        o->tool = value;
    else if (says(key, languages))
        o->language = value;
    else if (says(key, (const char *const[]){ "cell_type", NULL }))
        o->kind = value;
}

/* ["sh", "-c", "text"] is a command, a notebook's source is the text of its lines. */
static void keep_list(struct json *j, struct json_object *o, struct text key, const struct buf *words,
                      const struct buf *joined, uint32_t byte)
{
    if (says(key, (const char *const[]){ "source", NULL }) && joined->size) {
        o->source = (struct text){ .data = arena_copy_bytes(j->c->arena, joined->data, joined->size),
                                   .size = joined->size,
                                   .byte = byte };
    } else if (says(key, (const char *const[]){ "args", "arguments", NULL }) && words->size) {
        buf_done(&o->args);
        buf_init(&o->args, MOST_BYTES);
        (void)buf_add(&o->args, words->data, words->size);
    } else if (says(key, (const char *const[]){ "command", "cmd", "argv", "entrypoint", "exec", NULL })) {
        queue(j->c, LANG_BASH, "command", words, byte);
    }
}

static void json_value(struct json *j, struct json_object *above, struct text key, bool is_script);

static void json_list(struct json *j, struct json_object *above, struct text key)
{
    struct buf words, joined;
    const uint32_t byte = (uint32_t)j->at;
    buf_init(&words, MOST_BYTES);
    buf_init(&joined, MOST_BYTES);
    for (j->at++; json_peek(j) && json_peek(j) != ']';) {
        size_t before = j->at;
        if (json_peek(j) == '"') {
            struct text t = json_string(j);
            if (t.data)
                add_word(&words, t.data, t.size);
            if (t.data)
                (void)buf_add(&joined, t.data, t.size);
            if (says(key, (const char *const[]){ "commands", "steps", "runcmd", "script", NULL }))
                queue_text(j, LANG_BASH, "command", t);
        } else {
            json_value(j, above, (struct text){ 0 }, false);
        }
        if (json_peek(j) == ',' || j->at == before)
            j->at++;
    }
    j->at += j->at < j->size;
    keep_list(j, above, key, &words, &joined, byte);
    buf_done(&words);
    buf_done(&joined);
}

static void json_object(struct json *j, struct text key, bool is_script)
{
    struct json_object o = { 0 };
    bool has_scripts = is_script || says(key, (const char *const[]){ "scripts", "hooks", NULL });
    for (j->at++; json_peek(j) && json_peek(j) != '}';) {
        size_t before = j->at;
        if (json_peek(j) == '"') {
            struct text name = json_string(j);
            if (json_peek(j) == ':') {
                j->at++;
                json_value(j, &o, name, has_scripts);
            }
        }
        if (json_peek(j) == ',' || j->at == before)
            j->at++;
    }
    j->at += j->at < j->size;
    end_object(j, &o);
}

static void json_value(struct json *j, struct json_object *above, struct text key, bool is_script)
{
    char c = json_peek(j);
    if (j->depth >= JSON_DEPTH) {
        j->at = j->size;
        return;
    }
    j->depth++;
    if (c == '{') {
        json_object(j, key, false);
    } else if (c == '[') {
        json_list(j, above, key);
    } else if (c == '"') {
        struct text t = json_string(j);
        if (is_script)
            queue_text(j, LANG_BASH, "script", t);
        else if (t.data && says(key, (const char *const[]){ "source", NULL }))
            above->source = t;
        else if (t.data)
            keep_text(j, above, key, t);
    } else {
        while (j->at < j->size && !strchr(",]}\n", j->text[j->at]))
            j->at++;
    }
    j->depth--;
}

static void unpack_json(struct scan_ctx *c, const char *text, size_t size, unsigned again)
{
    struct json j = { .c = c, .text = text, .size = size, .again = again };
    while (json_peek(&j)) { /* several, one a line */
        struct json_object none = { 0 };
        size_t before = j.at;
        json_value(&j, &none, (struct text){ 0 }, false);
        buf_done(&none.args);
        j.at += j.at == before;
    }
}

uint8_t carrier_guess(const char *text, size_t size)
{
    return language_guessed((struct text){ .data = text, .size = size });
}

uint8_t carrier_language(const char *key, size_t key_size, const char *text, size_t size)
{
    struct span k = { key, key + key_size };
    static const char *const languages[] = { "bash", "sh", "shell", "python", "javascript", NULL }; /* of templates */
    bool is_line = (memchr(text, ' ', size) || memchr(text, '\n', size)) && !is_one_of(k, languages);
    if (is_line && is_one_of(k, commands))
        return LANG_BASH;
    return is_line && is_one_of(k, codes) ? carrier_guess(text, size) : EMBEDDED_LANGUAGES;
}

bool carrier_is_call(const char *text, size_t size)
{
    static const char *const keys[] = { "\"command\"",   "\"cmd\"",     "\"code\"",   "\"script\"",
                                        "\"bash\"",      "\"scripts\"", "\"source\"", "\"shell\"",
                                        "\"arguments\"", "\"content\"", "\"input\"" };
    struct span s = { text, text + size };
    while (s.at < s.end && (is_blank(*s.at) || *s.at == '\n'))
        s.at++;
    if (width(s) < 12 || (*s.at != '{' && *s.at != '['))
        return false;
    for (size_t i = 0; i < ARRAY_LEN(keys); i++)
        if (memmem(s.at, width(s), keys[i], strlen(keys[i])))
            return true;
    return false;
}

void carrier_unpack(struct scan_ctx *c, uint8_t language, const char *text, size_t size)
{
    struct span all = { text, text + size };
    switch (language) {
    case EMBEDDED_MAKE:
        unpack_make(c, all);
        break;
    case EMBEDDED_CRON:
    case EMBEDDED_CRON_SYSTEM:
        unpack_cron(c, all, language == EMBEDDED_CRON_SYSTEM);
        break;
    case EMBEDDED_KEYED:
        unpack_keyed(c, all);
        break;
    case EMBEDDED_JSON:
        unpack_json(c, text, size, JSON_AGAIN);
        break;
    case EMBEDDED_PTH:
        unpack_pth(c, all);
        break;
    default:
        break;
    }
}
