/* What bash's commands do: what they print, where secrets come from and go to, what is run and what is deleted. */
#include "scan/bash.h"
#include "scan/carrier.h"
#include "scan/secret.h"

static bool has(const char *s, size_t n, const char *word)
{
    return memmem(s, n, word, strlen(word)) != NULL;
}

static bool has_option(const struct sh_command *k, char letter, const char *name)
{
    for (uint32_t i = 1; i < k->count; i++) {
        const struct tv *v = &k->words[i];
        if (!v->text || v->count < 2 || v->text[0] != '-')
            continue;
        if (v->text[1] != '-' ? memchr(v->text, letter, v->count) != NULL : sh_is(v, name))
            return true;
    }
    return false;
}

static uint32_t first_operand(const struct sh_command *k)
{
    for (uint32_t i = 1; i < k->count; i++)
        if (!k->words[i].text || k->words[i].count == 0 || k->words[i].text[0] != '-')
            return i;
    return k->count;
}

static uint8_t language_of(const char *name)
{
    return embedded_interpreter(name, strlen(name));
}

/* --- what is run ------------------------------------------------------------------------------------------ */

static bool is_download(const struct sh *s, const struct tv *v)
{
    for (uint32_t i = 0; v->text && i < s->s->download_count; i++) {
        size_t n = strlen(s->s->downloads[i]);
        bool is_name = v->count == n || (v->count > n && v->text[v->count - n - 1] == '/');
        if (is_name && memcmp(v->text + v->count - n, s->s->downloads[i], n) == 0)
            return true;
    }
    return false;
}

/* A place where programs are installed for later: what runs one from there says so itself. */
static bool is_for_programs(const struct tv *v)
{
    static const char *const places[] = { "/usr/local/bin/", "/usr/bin/", "/opt/", "~/bin/", "~/.local/bin/" };
    for (size_t i = 0; v->text && i < ARRAY_LEN(places); i++)
        if (sh_begins(v, places[i]))
            return !memmem(v->text + strlen(places[i]) - 1, v->count - strlen(places[i]) + 1, "/.", 2);
    return false;
}

/* With all that was fetched so far: a well-known installer is not what a stranger sends. */
static void flow_fetched(struct sh *s, const struct sh_command *k)
{
    struct fact f = {
        .kind = FACT_FLOW, .name = "download-then-exec", .arg_count = 2, .args = { k->line, s->s->fetched }
    };
    sh_tell(s, k->node, &f);
}

/* A text that is run: says where it came from, and looks into it when it is known. */
static void judge_text(struct sh *s, const struct sh_command *k, const struct tv *v, bool is_shell)
{
    if (v->taint & SH_NETWORK)
        flow_fetched(s, k);
    if (v->taint & SH_DECODED)
        sh_flow(s, k->node, "decode-then-exec", k->line);
    if (!is_shell)
        return;
    if (v->text)
        (void)sh_run_text(s, k->node, v->text, v->count, NULL);
    bool is_assigning = v->text && v->count > 3 &&
                        (v->text[2] == '=' || memcmp(v->text + 2, "+=", 2) == 0); /* eval "$name=..." */
    if (!v->text || (v->count >= 2 && memcmp(v->text, SH_HOLE, 2) == 0 && !is_assigning))
        sh_flow(s, k->node, "computed-eval", k->line);
}

static void judge_file_run(struct sh *s, const struct sh_command *k, const struct tv *file, uint8_t language)
{
    if (file->text)
        embedded_run(s->s->c, file->text, file->count, language);
    if (file->taint & SH_NETWORK || is_download(s, file))
        sh_flow(s, k->node, "download-then-exec", k->line);
    else if (file->taint & SH_DECODED)
        sh_flow(s, k->node, "decode-then-exec", k->line);
}

bool sh_reads_program(const struct sh_command *k)
{
    uint8_t language = language_of(k->name);
    if (language == EMBEDDED_LANGUAGES)
        return false;
    for (uint32_t i = 1; i < k->count && language == EMBEDDED_AWK; i++)
        if (sh_is(&k->words[i], "-f"))
            return i + 1 < k->count && (sh_is(&k->words[i + 1], "-") || sh_is(&k->words[i + 1], "/dev/stdin"));
    if (language == EMBEDDED_AWK)
        return false;
    for (uint32_t i = 1; i < k->count; i++) {
        const struct tv *v = &k->words[i];
        if (sh_is(v, "-") || sh_is(v, "/dev/stdin") || sh_is(v, "-s"))
            return true;
        if (!v->text || v->count < 2 || v->text[0] != '-')
            return false; /* a script */
        if (embedded_is_text_option(language, v->text, v->count) || (language == LANG_PYTHON && sh_is(v, "-m")))
            return false;
        i += embedded_is_valued_option(language, v->text, v->count);
    }
    return true;
}

void sh_run_program(struct sh *s, uint32_t node, const struct sh_command *k, const char *how, const struct tv *v)
{
    uint8_t language = language_of(k->name);
    uint32_t byte = s->fixed_byte == SH_NOWHERE ? ir_at(s->e, node)->start : s->fixed_byte;
    if (!v->text || sh_is(v, SH_HOLE))
        embedded_unread(s->s->c, language, byte);
    else if (language == LANG_BASH && sh_run_text(s, node, v->text, v->count, NULL))
        return;
    else
        embedded_add(s->s->c, language, how, v->text, v->count, byte);
}

static void judge_interpreter(struct sh *s, const struct sh_command *k, const struct tv *input, bool is_shell)
{
    uint8_t language = language_of(k->name);
    for (uint32_t i = 1; i < k->count; i++) {
        const struct tv *v = &k->words[i];
        bool is_option = sh_is_option(v);
        if (is_option && embedded_is_text_option(language, v->text, v->count) && i + 1 < k->count) {
            judge_text(s, k, &k->words[i + 1], is_shell);
            if (!is_shell)
                sh_run_program(s, k->node, k, v->text[v->count - 1] == 'c' ? "-c text" : "-e text", &k->words[i + 1]);
            return;
        }
        if (language == LANG_PYTHON && sh_is(v, "-m") && i + 1 < k->count && k->words[i + 1].text) {
            struct tv name = sh_make(s, k->words[i + 1].text, k->words[i + 1].count, 0);
            if (name.text)
                embedded_import(s->s->c, LANG_PYTHON, name.text);
            return;
        }
        if (language == EMBEDDED_AWK && sh_is(v, "-f") && i + 1 < k->count) {
            judge_file_run(s, k, &k->words[i + 1], language);
            return;
        }
        if (is_option || (is_shell && v->text && v->count && v->text[0] == '+')) {
            i += is_option && embedded_is_valued_option(language, v->text, v->count);
            continue;
        }
        if (sh_is(v, "-") || sh_is(v, "/dev/stdin"))
            break;
        if (language == EMBEDDED_AWK)
            sh_run_program(s, k->node, k, "program", v);
        else
            judge_file_run(s, k, v, language);
        return;
    }
    if (!input)
        return;
    if (is_shell && !(input->taint & (SH_NETWORK | SH_DECODED)))
        sh_flow(s, k->node, "pipe-to-shell", k->line);
    judge_text(s, k, input, is_shell && input->text != NULL);
    if (!is_shell && input->text)
        sh_run_program(s, k->node, k, "input", input);
}

/* A text for a shell, which is walked here when it can be. */
static void run_shell_text(struct sh *s, const struct sh_command *k, const char *how, const struct tv *v,
                           const struct tv *input)
{
    uint32_t byte = s->fixed_byte == SH_NOWHERE ? ir_at(s->e, k->node)->start : s->fixed_byte;
    if (!v->text || v->count < 2 || sh_begins(v, SH_HOLE))
        return;
    if (!sh_run_text(s, k->node, v->text, v->count, input))
        embedded_add(s->s->c, LANG_BASH, how, v->text, v->count, byte);
}

/* ssh HOST WORD ...: what the other machine's shell gets. */
static struct tv remote_line(struct sh *s, const struct sh_command *k)
{
    char line[4096];
    size_t used = 0;
    uint32_t i = 1, flags = 0;
    for (; i < k->count && sh_is_option(&k->words[i]); i++)
        i += k->words[i].count == 2 && strchr("bcDEeFIiJLlmOopQRSWw", k->words[i].text[1]) != NULL;
    for (i++; i < k->count; i++) {
        const struct tv *v = &k->words[i];
        const char *t = v->text ? v->text : SH_HOLE;
        size_t n = v->text ? v->count : strlen(SH_HOLE);
        if (n + 2 > sizeof line - used)
            return (struct tv){ 0 };
        if (used)
            line[used++] = ' ';
        memcpy(line + used, t, n);
        used += n;
        flags |= v->taint;
    }
    return sh_make(s, line, used, flags & (SH_NETWORK | SH_DECODED | SH_PARTIAL));
}

/* Other programs that are given a shell's text: su -c TEXT, ssh HOST TEXT, watch TEXT, tmux new -d TEXT. */
static void judge_text_words(struct sh *s, const struct sh_command *k, const struct tv *input)
{
    if (str_eq(k->name, "ssh")) {
        struct tv v = remote_line(s, k);
        run_shell_text(s, k, "command for ssh", &v, input);
        return;
    }
    for (uint32_t i = 1; i < k->count; i++) {
        const struct tv *v = &k->words[i];
        bool is_option = sh_is_option(v),
             is_next = is_option && v->text[1] != '-' &&
                       strchr(str_eq(k->name, "ansible") ? "a" : "c", v->text[v->count - 1]);
        uint32_t size;
        const struct effects o = sh_option(v, &size);
        is_next |= v->count == size && effects_has(&o, EF_TEXT_FOR);
        if (sh_does(k, EF_TEXT_OPTION) && v->count > size && effects_has(&o, EF_TEXT_FOR)) {
            struct tv text = sh_text(v->text + size + 1, v->count - size - 1, 0);
            run_shell_text(s, k, "command", &text, input);
        }
        if (sh_does(k, EF_TEXT_OPTION) && is_next && i + 1 < k->count)
            run_shell_text(s, k, "-c text", &k->words[++i], input);
        else if (sh_does(k, EF_TEXT_OPERAND) && !is_option && v->text && memchr(v->text, ' ', v->count))
            run_shell_text(s, k, "command", v, input);
    }
}

/* Within another tool's text: COPY t FROM PROGRAM 'x', system("x"), .shell x, :!x, --checkpoint-action=exec=x. */
static void judge_marked(struct sh *s, const struct sh_command *k)
{
    static const struct {
        const char *begin;
        char end;
    } marks[] = { { "PROGRAM '", '\'' }, { "system(\"", '"' }, { "system('", '\'' },     { ".shell ", '\0' },
                  { ".system ", '\0' },  { ":!", '\0' },       { "action=exec=", '\0' }, { "commands=[\"", '"' },
                  { "spawn ", '\n' },    { "commands=", '\0' } };
    for (uint32_t i = 1; i < k->count; i++) {
        const struct tv *v = &k->words[i];
        for (size_t m = 0; v->text && m < ARRAY_LEN(marks); m++) {
            const char *at = memmem(v->text, v->count, marks[m].begin, strlen(marks[m].begin));
            if (!at)
                continue;
            at += strlen(marks[m].begin);
            size_t n = v->count - (size_t)(at - v->text);
            const char *end = marks[m].end ? memchr(at, marks[m].end, n) : NULL;
            run_shell_text(s, k, "command",
                           &(struct tv){ .text = at, .count = (uint32_t)(end ? (size_t)(end - at) : n) }, NULL);
            break;
        }
    }
}

/* A table for cron: crontab FILE, crontab - with an input. */
static void judge_table(struct sh *s, const struct sh_command *k, const struct tv *input)
{
    const struct tv *file = k->count > 1 ? &k->words[k->count - 1] : NULL;
    uint32_t byte = s->fixed_byte == SH_NOWHERE ? ir_at(s->e, k->node)->start : s->fixed_byte;
    if (input && input->text)
        embedded_add(s->s->c, EMBEDDED_CRON, "input", input->text, input->count, byte);
    if (file && file->text && !sh_is_option(file))
        embedded_run(s->s->c, file->text, file->count, EMBEDDED_CRON);
}

/* ssh HOST, su - USER without a command: the shell that they start reads the input. */
static bool is_login_shell(struct sh *s, const struct sh_command *k)
{
    if (str_eq(k->name, "ssh")) {
        struct tv line = remote_line(s, k);
        return line.text && !line.count;
    }
    bool has_text = false;
    for (uint32_t i = 1; i < k->count; i++)
        has_text |= sh_is_option(&k->words[i]) && k->words[i].text[k->words[i].count - 1] == 'c';
    return !has_text && (str_eq(k->name, "su") || str_eq(k->name, "newgrp") || str_eq(k->name, "sg"));
}

void sh_feed(struct sh *s, uint32_t node, const struct sh_command *k, const struct tv *input)
{
    struct sh_command inner;
    uint32_t byte = s->fixed_byte == SH_NOWHERE ? ir_at(s->e, node)->start : s->fixed_byte;
    if (sh_is_function(s, k->name))
        sh_call_function(s, node, k, input);
    else if (sh_does(k, EF_RUN_INPUT))
        run_shell_text(s, k, "input", input, NULL);
    else if (str_eq(k->name, "crontab"))
        judge_table(s, k, input);
    else if (sh_does(k, EF_READ) && k->count > 1 && k->words[k->count - 1].text)
        sh_set(s, k->words[k->count - 1].text, k->words[k->count - 1].count, *input);
    else if (sh_inner(s, k, &inner) && sh_reads_program(&inner))
        sh_run_program(s, node, &inner, "here-document", input);
    else if (is_login_shell(s, k))
        run_shell_text(s, k, "input", input, NULL);
    else if (sh_does(k, EF_TEXT_OPERAND) || sh_does(k, EF_TEXT_OPTION))
        judge_text_words(s, k, input);
    else if (sh_does(k, EF_READ_SETTINGS) && input->text)
        embedded_perhaps(s->s->c, str_eq(k->name, "make") ? EMBEDDED_MAKE : EMBEDDED_KEYED, "here-document",
                         input->text, input->count, byte);
    else if ((!k->name[0] || sh_is_wrapper(k)) && input->text) /* "$PYTHON" <<E: which language, the text tells */
        embedded_perhaps(s->s->c, carrier_guess(input->text, input->count), "here-document", input->text, input->count,
                         byte);
    else if (!sh_does(k, EF_SEND) && input->text && carrier_is_call(input->text, input->count))
        embedded_add(s->s->c, EMBEDDED_JSON, "here-document", input->text, input->count, byte);
}

/* "$PYTHON", ${CC}: a tool that the caller chooses by an environment variable, as makefiles and test scripts do. */
static bool is_environment_name(const char *t, uint32_t n)
{
    uint32_t i = 0, letters = 0;
    while (i < n && (t[i] == '"' || t[i] == '$' || t[i] == '{'))
        i++;
    for (; i < n && ((t[i] >= 'A' && t[i] <= 'Z') || t[i] == '_'); i++)
        letters++;
    return letters > 1 && (i == n || t[i] == '"' || t[i] == '}' || t[i] == ' ' || t[i] == ':');
}

/* /tmp/.x/worker, /dev/shm/.m */
static bool is_hidden_below_tmp(const struct tv *v)
{
    static const char *const places[] = { "/tmp/", "/dev/shm/", "/var/tmp/", "/run/shm/" };
    for (size_t i = 0; v->text && i < ARRAY_LEN(places); i++) {
        size_t n = strlen(places[i]);
        if (v->count > n && memcmp(v->text, places[i], n) == 0)
            return memmem(v->text + n - 1, v->count - n + 1, "/.", 2) != NULL;
    }
    return false;
}

/* Tools that run what lies in the directory. */
static void judge_tool(struct sh *s, const struct sh_command *k)
{
    static const struct {
        enum effect effect;
        const char *files;
        uint8_t language;
    } tools[] = { { EF_RUN_GO, "*.go", LANG_GO },
                  { EF_RUN_RUST, "*.rs", LANG_RUST },
                  { EF_RUN_PYTHON, "*.py", LANG_PYTHON },
                  { EF_RUN_NODE, "*.js", LANG_NODE } };
    for (size_t i = 0; i < ARRAY_LEN(tools); i++)
        if (sh_does(k, tools[i].effect))
            embedded_run(s->s->c, tools[i].files, strlen(tools[i].files), tools[i].language);
    for (uint32_t i = 1; i < k->count && str_eq(k->name, "rustc"); i++)
        if (k->words[i].text && embedded_by_name(k->words[i].text, k->words[i].count) == LANG_RUST)
            embedded_run(s->s->c, k->words[i].text, k->words[i].count, LANG_RUST);
}

/* /???/c?t, /bin/c*t: a pattern in the place of a name that is known. /etc/rc.d/S??*, as in a loop over what lies in a
 * directory, hides none. */
static bool is_hidden_by_pattern(const struct tv *v)
{
    static const char *const places[] = { "/bin/", "/usr/bin/", "/sbin/", "/usr/sbin/" };
    const char *slash = v->text && v->count > 2 && v->text[0] == '/' ? memrchr(v->text, '/', v->count) : NULL;
    if (!slash || !(memchr(v->text, '?', v->count) || memchr(v->text, '*', v->count)))
        return false;
    size_t dir = (size_t)(slash - v->text) + 1;
    if (memchr(v->text, '?', dir) || memchr(v->text, '[', dir) || !memchr(slash, '*', v->count - dir + 1))
        return true;
    for (size_t i = 0; i < ARRAY_LEN(places); i++)
        if (dir == strlen(places[i]) && memcmp(v->text, places[i], dir) == 0)
            return true;
    return false;
}

static void judge_name(struct sh *s, const struct sh_command *k)
{
    const struct tv *v = &k->words[0];
    if (v->text && memchr(v->text, '/', v->count))
        embedded_run(s->s->c, v->text, v->count, EMBEDDED_LANGUAGES);
    judge_tool(s, k);
    if (v->taint & SH_NETWORK && !k->name[0])
        sh_flow(s, k->node, "download-then-exec", k->line);
    else if (v->taint & SH_DECODED)
        sh_flow(s, k->node, "decode-then-exec", k->line);
    else if (v->text && is_download(s, v) && memchr(v->text, '/', v->count))
        sh_flow(s, k->node, "download-then-exec", k->line);
    if (is_hidden_by_pattern(v))
        sh_flow(s, k->node, "glob-command", k->line);
    if (k->name[0] && v->taint & SH_MADE && !memchr(v->text, '/', v->count))
        sh_flow(s, k->node, "made-command", k->name);
    if (sh_is(v, "./program.sh") && v->taint & SH_SCRIPT)
        sh_flow(s, k->node, "self-run", k->line);
    if (is_hidden_below_tmp(v))
        sh_flow(s, k->node, "hidden-program", k->line);
    if (!v->text || (v->taint & SH_PARTIAL && v->text[0] == '{')) {
        const char *t = s->e->c->text + ir_at(s->e, k->node)->start;
        uint32_t n = ir_at(s->e, k->node)->end - ir_at(s->e, k->node)->start;
        bool is_own_arguments = n >= 2 && (memcmp(t, "$@", 2) == 0 || (n >= 4 && memcmp(t, "\"$@\"", 4) == 0) ||
                                           memcmp(t, "$*", 2) == 0);
        bool is_path = v->text && memchr(v->text, '/', v->count); /* "$dir"/tool: a known program somewhere */
        bool is_upper = n >= 4 && is_environment_name(t, n);
        bool is_known = is_own_arguments || is_path || (is_upper && !(v->taint & SH_COMPUTED)) ||
                        v->taint & (SH_NETWORK | SH_DECODED | SH_OWN);
        if (!is_known)
            sh_flow(s, k->node, v->taint & SH_COMPUTED ? "computed-command" : "chosen-command", k->line);
    }
}

/* --- what is deleted ------------------------------------------------------------------------------------------ */

static bool is_temporary(const struct tv *v)
{
    return v->taint & SH_TEMPORARY ||
           (v->text && v->count > 5 && memcmp(v->text, "/tmp/", 5) == 0 && v->text[5] != '*' && v->text[5] != '.');
}

static const char *delete_of(const struct tv *v, bool is_tree)
{
    if (is_temporary(v))
        return NULL;
    if (!v->text)
        return is_tree ? "delete-variable-tree" : NULL;
    bool is_outside = v->count && (v->text[0] == '/' || v->text[0] == '~');
    bool is_everything = sh_is(v, "*") || sh_is(v, "./*") || sh_is(v, ".") || sh_is(v, "..") || sh_is(v, "../") ||
                         sh_is(v, "./") || sh_is(v, ".*") || (v->count > 2 && memcmp(v->text, "../", 3) == 0);
    if (is_outside)
        return is_tree ? "delete-tree" : "delete-outside";
    if (is_everything)
        return is_tree ? "delete-tree" : "delete-many";
    if (is_tree && v->taint & SH_PARTIAL && v->count > 1 && memcmp(v->text, SH_HOLE, 2) == 0)
        return "delete-variable-tree";
    return NULL;
}

void sh_judge_delete(struct sh *s, const struct sh_command *k)
{
    bool is_tree = has_option(k, 'r', "--recursive") || has_option(k, 'R', "--recursive"), has_operand = false;
    const char *worst = NULL;
    for (uint32_t i = 1; i < k->count; i++) {
        const struct tv *v = &k->words[i];
        if (v->text && v->count && v->text[0] == '-')
            continue;
        has_operand = true;
        const char *found = delete_of(v, is_tree);
        if (found && (!worst || str_eq(found, "delete-tree") || str_eq(found, "delete-outside")))
            worst = found;
    }
    if (!has_operand && is_tree)
        worst = "delete-many"; /* ... | xargs rm -rf */
    if (worst)
        sh_flow(s, k->node, worst, k->line);
}

/* find . -name '*.o' -delete: one kind of file below the working directory. */
static bool names_kind(const struct tv *v)
{
    uint32_t letters = 0;
    for (uint32_t i = 0; v->text && !(v->taint & SH_PARTIAL) && i < v->count; i++)
        letters += (v->text[i] | 0x20) >= 'a' && (v->text[i] | 0x20) <= 'z';
    return letters > 0;
}

static void judge_find(struct sh *s, const struct sh_command *k)
{
    uint32_t where = first_operand(k);
    bool is_deleting = false, is_kind = false;
    for (uint32_t i = 1; i < k->count; i++)
        is_deleting |= sh_is(&k->words[i], "-delete") || sh_is(&k->words[i], "rm") || sh_is(&k->words[i], "shred");
    for (uint32_t i = 1; i < k->count; i++)
        is_deleting &= !sh_is(&k->words[i], "-empty"); /* nothing is lost */
    if (!is_deleting)
        return;
    for (uint32_t i = 1; i + 1 < k->count; i++)
        is_kind |= sh_is(&k->words[i], "-name") && names_kind(&k->words[i + 1]);
    bool is_outside = where < k->count && k->words[where].text && k->words[where].count &&
                      (k->words[where].text[0] == '/' || k->words[where].text[0] == '~');
    bool is_own = where < k->count && is_temporary(&k->words[where]);
    is_kind = is_kind && where < k->count && k->words[where].text && !(k->words[where].taint & SH_PARTIAL) &&
              !sh_begins(&k->words[where], "..");
    if (!is_own)
        sh_flow(s, k->node, is_outside ? "delete-tree" : is_kind ? "delete-kind" : "delete-many", k->line);
}

/* --- what is sent ------------------------------------------------------------------------------------------------ */

static bool reads_secret_word(const struct tv *v)
{
    return v->text && !(v->taint & SH_MENTION) && secret_place_in(v->text, v->count);
}

/* mail -s report root: to an account of this machine. */
static bool is_local_mail(const struct sh_command *k)
{
    const struct tv *to = &k->words[k->count - 1];
    return sh_does(k, EF_MAIL) && k->count > 1 && to->text && to->count && !(to->taint & SH_PARTIAL) &&
           to->text[0] != '-' && !memchr(to->text, '@', to->count) && !strchr(k->line, '@');
}

/* «localhost», «127.0.0.1:8080/x»; not «localhost.example» and «localhost:1@example». */
static bool is_own_host(const char *host, size_t size)
{
    static const char *const own[] = { "localhost", "[::1]", "::1", "127." };
    const char *end = memchr(host, '/', size);
    const size_t n = end ? (size_t)(end - host) : size;
    for (size_t i = 0; i < ARRAY_LEN(own) && !memchr(host, '@', n); i++) {
        size_t at = strlen(own[i]);
        if (n < at || memcmp(host, own[i], at) != 0)
            continue;
        while (own[i][0] == '1' && at < n && strchr("0123456789.", host[at]))
            at++;
        return at == n || strchr(":?#", host[at]);
    }
    return false;
}

/* Every peer that is named is this machine: curl http://127.0.0.1:$port/ready, nc localhost 80. */
static bool names_own_machine(const struct sh_command *k)
{
    uint32_t own_count = 0;
    for (uint32_t i = 1; i < k->count; i++) {
        const char *t = k->words[i].text;
        const size_t n = k->words[i].count;
        const char *url = t ? memmem(t, n, "://", 3) : NULL;
        const char *host = url ? url + 3 : t;
        const bool is_own = t && is_own_host(host, n - (size_t)(host - t));
        if (url && !is_own)
            return false;
        own_count += is_own;
    }
    return own_count > 0 && sh_does(k, EF_LOCAL);
}

/* rsync between two directories of this machine, logger without -n, and whatever mails to an account of it. */
static bool is_staying(const struct sh_command *k)
{
    if (str_eq(k->name, "logger"))
        return !has_option(k, 'n', "--server");
    if (str_eq(k->name, "rsync"))
        return !strchr(k->line, ':');
    return is_local_mail(k) || names_own_machine(k);
}

/* http://203.0.113.5/, root@203.0.113.5:: a peer without a name. */
static bool names_bare_address(const char *line)
{
    for (const char *at = line; (at = strpbrk(at, ":@ ")); at++) {
        const char *p = str_starts(at, "://") ? at + 3 : at + 1;
        if (*at == ':' && p == at + 1)
            continue;
        const char *user = strpbrk(p, "@/ ");
        if (user && *user == '@')
            p = user + 1;
        size_t n = strspn(p, "0123456789."), dots = 0;
        for (size_t i = 0; i < n; i++)
            dots += p[i] == '.';
        if (dots == 3 && (p[n] == '/' || p[n] == ':' || !p[n] || p[n] == ' ') && !str_starts(p, "10.") &&
            !str_starts(p, "127.") && !str_starts(p, "192.168."))
            return true;
    }
    return false;
}

/* Whether it can carry what was read before, and is not known to: a request with a body, a question with an unknown
 * part, a copy to a peer without a name. A page that is fetched carries nothing. */
static bool may_carry(const struct sh_command *k, const struct tv *input)
{
    if (sh_does(k, EF_HTTP)) {
        static const char *const bodies[] = { " -d",   " --data",        " -F",     " --form",
                                              " -T",   " --upload-file", " --post", " --json",
                                              " -X P", " --request P",   " --body", " POST ",
                                              " PUT " };
        for (size_t i = 0; i < ARRAY_LEN(bodies); i++)
            if (strstr(k->line, bodies[i]))
                return true;
        return false;
    }
    if (sh_does(k, EF_RESOLVE))
        return strstr(k->line, SH_HOLE) != NULL;
    if (sh_does(k, EF_CARRY))
        return names_bare_address(k->line);
    return !(str_eq(k->name, "ssh") || str_eq(k->name, "logger")) || input;
}

static void judge_send(struct sh *s, const struct sh_command *k, const struct tv *input)
{
    uint32_t flags = (k->taint | (input ? input->taint : 0));
    bool names_secret = false;
    if (str_eq(k->name, "openssl") && !strstr(k->line, "s_client"))
        return;
    for (uint32_t i = 1; i < k->count; i++)
        names_secret |= reads_secret_word(&k->words[i]);
    if (str_eq(k->name, "ssh"))
        names_secret = false; /* ssh -i key: the key stays */
    bool is_sent = !is_staying(k);
    bool is_profile = flags & SH_PROFILE || (flags & SH_LABEL && names_bare_address(k->line));
    if (is_sent && (names_secret || flags & (SH_SECRET | SH_ENV) || (s->s->seen & SH_SECRET && may_carry(k, input))))
        sh_flow(s, k->node, "secret-then-send", k->line);
    else if (is_sent && is_profile && !sh_does(k, EF_MAIL))
        sh_flow(s, k->node, "profile-then-send", k->line);
}

/* One line more of what the program did so far. Too much to tell: nothing of it is known. */
static const char *with_line(struct sh *s, const char *before, const char *line)
{
    char all[4096];
    (void)snprintf(all, sizeof all, "%s%.1000s\n", before ? before : "", line);
    const char *kept = strlen(all) + 1 < sizeof all ? arena_copy(s->s->c->arena, all) : NULL;
    return kept ? kept : "?\n";
}

static void note_download(struct sh *s, const struct sh_command *k)
{
    const struct tv *file = NULL;
    for (uint32_t i = 1; i < k->count; i++) {
        const struct tv *v = &k->words[i];
        bool takes = sh_is(v, "-o") || sh_is(v, "-O") || sh_is(v, "--output") || sh_is(v, "--output-document") ||
                     (v->text && v->count > 2 && v->text[0] == '-' && v->text[1] != '-' &&
                      v->text[v->count - 1] == 'o');
        if (takes && i + 1 < k->count && !(str_eq(k->name, "curl") && sh_is(v, "-O")))
            file = &k->words[i + 1];
        else if (!file && v->text && (has(v->text, v->count, "://") || i + 1 == k->count))
            file = v;
    }
    if (!file || !file->text || s->s->download_count == SH_MAX_DOWNLOADS)
        return;
    uint32_t from = file->count;
    while (from > 0 && file->text[from - 1] != '/')
        from--;
    struct tv name = sh_make(s, file->text + from, file->count - from, 0);
    if (name.text && name.count)
        s->s->downloads[s->s->download_count++] = name.text;
}

/* --- what is printed -----------------------------------------------------------------------------------------------
 */

static struct tv echo(struct sh *s, const struct sh_command *k)
{
    char out[4096] = "";
    size_t used = 0;
    uint32_t flags = 0, i = 1;
    bool is_printf = str_eq(k->name, "printf"), reads_escapes = is_printf;
    for (; !is_printf && i < k->count && k->words[i].text && k->words[i].count > 1 && k->words[i].text[0] == '-' &&
           k->words[i].count < 4;
         i++)
        reads_escapes |= memchr(k->words[i].text, 'e', k->words[i].count) != NULL;
    char between = ' ';
    if (is_printf && k->count > 2 && k->words[1].text && k->words[1].text[0] == '%') {
        const struct tv *format = &k->words[i++];
        bool is_by_line = has(format->text, format->count, "\\n") || memchr(format->text, '\n', format->count);
        reads_escapes = has(format->text, format->count, "%b");
        between = is_by_line ? '\n' : ' ';
    }
    for (uint32_t first = i; i < k->count; i++) {
        const char *t = k->words[i].text ? k->words[i].text : SH_HOLE;
        uint32_t n = k->words[i].text ? k->words[i].count : 2;
        flags |= k->words[i].taint | (k->words[i].text ? 0 : SH_PARTIAL);
        if (n + 2 > sizeof out - used)
            return (struct tv){ .taint = flags };
        if (i > first)
            out[used++] = between;
        memcpy(out + used, t, n);
        used += n;
    }
    struct tv v = sh_make(s, out, used, flags & (uint32_t) ~(SH_SPLIT | SH_MADE));
    return reads_escapes ? sh_escapes(s, &v) : v;
}

/* sed s/X//g over a known text. */
static struct tv substitute(struct sh *s, const struct sh_command *k, const struct tv *input)
{
    char out[4096];
    size_t used = 0;
    struct tv v = { .taint = input->taint };
    const struct tv *script = k->count > 1 ? &k->words[k->count - 1] : NULL;
    if (!script || !script->text || script->count < 4 || script->text[0] != 's' || !input->text)
        return v;
    char by = script->text[1];
    const char *a = script->text + 2, *end = script->text + script->count;
    const char *a_end = memchr(a, by, (size_t)(end - a));
    const char *b_end = a_end ? memchr(a_end + 1, by, (size_t)(end - a_end - 1)) : NULL;
    if (!b_end || a_end == a)
        return v;
    for (const char *c = a; c < a_end; c++)
        if (memchr("\\[](){}.*+?^$|", *c, 14))
            return v;
    size_t n = (size_t)(a_end - a), m = (size_t)(b_end - a_end - 1);
    for (uint32_t i = 0; i < input->count;) {
        bool is_hit = input->count - i >= n && memcmp(input->text + i, a, n) == 0;
        if (used + m + 1 > sizeof out)
            return v;
        memcpy(out + used, is_hit ? a_end + 1 : input->text + i, is_hit ? m : 1);
        used += is_hit ? m : 1;
        i += is_hit ? (uint32_t)n : 1;
    }
    bool is_splitting = true; /* s/:/ /g makes words of a list, not a text of another */
    for (const char *p = a_end + 1; p < b_end; p++)
        is_splitting &= *p == ' ';
    bool is_quoting = memmem(a_end + 1, m, a, n) != NULL; /* s/'/'\\''/g hides nothing */
    is_splitting &= b_end > a_end + 1;
    return sh_make(s, out, used,
                   input->taint | (is_splitting || is_quoting || input->taint & SH_PARTIAL ? 0 : SH_DECODED));
}

bool sh_is_decoder(const struct sh_command *k)
{
    if (sh_does(k, EF_BASE64))
        return has_option(k, 'd', "--decode") || has_option(k, 'D', "--decode");
    if (str_eq(k->name, "openssl"))
        return has_option(k, 'd', "-d") && (strstr(k->line, "base64") || strstr(k->line, " enc"));
    if (str_eq(k->name, "xxd"))
        return has_option(k, 'r', "-revert");
    return sh_does(k, EF_DECODE) || (sh_does(k, EF_INFLATE) && has_option(k, 'd', "--decompress"));
}

/* hostname -f, uname -m, id -u: one word, which names a backup or chooses a download. */
static bool is_label(const struct sh_command *k)
{
    if (str_eq(k->name, "hostname"))
        return !has_option(k, 'I', "--all-ip-addresses") && !has_option(k, 'i', "--ip-address");
    return (str_eq(k->name, "uname") && !has_option(k, 'a', "--all")) ||
           (str_eq(k->name, "id") && has_option(k, 'u', "--user") && !has_option(k, 'n', "--name"));
}

static struct tv printed(struct sh *s, const struct sh_command *k, const struct tv *input)
{
    static const struct tv nothing;
    const struct tv *in = input ? input : &nothing;
    uint32_t kept = (in->taint | k->taint) &
                    (SH_NETWORK | SH_DECODED | SH_SECRET | SH_ENV | SH_PROFILE | SH_TEMPORARY | SH_OWN | SH_LABEL);
    struct tv v = { .taint = kept };
    if (sh_does(k, EF_PRINT))
        return echo(s, k);
    if (str_eq(k->name, "cat") && k->count == 1)
        return *in;
    if (sh_is_decoder(k)) {
        bool is_hex = str_eq(k->name, "xxd"), is_text = is_hex || strstr(k->line, "base64");
        v = is_text ? sh_decode(s, in, is_hex) : v;
        v.taint |= kept | SH_DECODED;
    } else if (str_eq(k->name, "rev")) {
        v = sh_reverse(s, in);
    } else if (str_eq(k->name, "tr") && k->count >= 3 && in->text) {
        bool is_dropping = sh_is(&k->words[1], "-d");
        v = sh_translate(s, in, &k->words[is_dropping ? 2 : 1], is_dropping ? &nothing : &k->words[2]);
    } else if (str_eq(k->name, "sed") && in->text) {
        v = substitute(s, k, in);
    } else if (str_eq(k->name, "mktemp")) {
        v = (struct tv){ .text = "/tmp/" SH_HOLE, .count = 7, .taint = SH_PARTIAL | SH_TEMPORARY };
    } else if (str_eq(k->name, "pwd")) {
        v = (struct tv){ .text = ".", .count = 1 };
    } else if (sh_does(k, EF_PATH) && k->count > 1 && k->words[k->count - 1].text) {
        v = k->words[k->count - 1]; /* $(command -v curl) */
    } else if ((str_eq(k->name, "env") || str_eq(k->name, "printenv")) &&
               (k->count == 1 || has_option(k, '0', "--null"))) {
        v.taint |= SH_ENV;
    } else if ((str_eq(k->name, "set") && k->count == 1) || (str_eq(k->name, "export") && has_option(k, 'p', "-p")) ||
               (str_eq(k->name, "compgen") && has_option(k, 'e', "-e"))) {
        v.taint |= SH_ENV;
    } else if (sh_does(k, EF_PROFILE)) {
        /* lsof -t: what holds a port is a number, which says nothing of the host */
        bool is_port = str_eq(k->name, "lsof") && has_option(k, 't', "--terse");
        v.taint |= is_port ? 0 : is_label(k) ? SH_LABEL : SH_PROFILE;
    } else if (str_eq(k->name, "compgen") && strstr(k->line, "function")) {
        v.taint |= SH_OWN;
    }
    if (!v.text && sh_does(k, EF_COMPUTE))
        v.taint |= SH_COMPUTED;
    return v;
}

/* --- all together ----------------------------------------------------------------------------------------------------
 */

/* awk -F: '$3 == 0 { print $1 }' /etc/passwd: names of administrators, as an audit tells them. */
static bool names_administrators(const struct sh_command *k)
{
    return (str_eq(k->name, "awk") || str_eq(k->name, "gawk")) && !strstr(k->line, "shadow") &&
           !strstr(k->line, "$0") && (strstr(k->line, "$3 == 0") || strstr(k->line, "$3==0"));
}

static uint32_t reads_secret(const struct sh_command *k)
{
    if (sh_does(k, EF_REVEAL))
        return str_eq(k->name, "history") && k->count > 1 ? 0 : SH_SECRET;
    if (sh_does(k, EF_QUIET) || names_administrators(k))
        return 0;
    for (uint32_t i = 1; i < k->count; i++)
        if (reads_secret_word(&k->words[i]))
            return SH_SECRET;
    return 0;
}

static void judge_read(struct sh *s, const struct sh_command *k, const struct tv *input)
{
    uint32_t flags = SH_COMPUTED | (input ? input->taint & (SH_NETWORK | SH_DECODED | SH_SECRET | SH_ENV | SH_OWN |
                                                            SH_PROFILE | SH_LABEL)
                                          : 0);
    for (uint32_t i = 1; i < k->count; i++)
        if (k->words[i].text && k->words[i].count && k->words[i].text[0] != '-' && !(k->words[i].taint & SH_PARTIAL))
            sh_set(s, k->words[i].text, k->words[i].count, (struct tv){ .taint = flags });
}

static void judge_environment(struct sh *s, const struct sh_command *k, const struct tv *v, const struct tv *input)
{
    if (v->taint & SH_ENV && !(input && input->taint & SH_ENV) && sh_does(k, EF_ENVIRON))
        sh_flow(s, k->node, "env-dump", k->line);
    static const char *const words[] = { "secret", "token", "pass", "key",  "cred", "SECRET",
                                         "TOKEN",  "PASS",  "KEY",  "CRED", "aws",  "AWS" };
    for (size_t i = 0; input && input->taint & SH_ENV && i < ARRAY_LEN(words); i++)
        if (sh_does(k, EF_SEARCH) && strstr(k->line, words[i])) {
            sh_flow(s, k->node, "env-search", k->line);
            return;
        }
}

/* chmod +x, chmod 755; not chmod a+r or 644, which make data of it. */
static bool gives_execution(const struct sh_command *k)
{
    const struct tv *mode = &k->words[first_operand(k) < k->count ? first_operand(k) : 0];
    if (!mode->text || mode->taint & SH_PARTIAL || mode->count == 0)
        return true;
    bool is_number = mode->text[0] >= '0' && mode->text[0] <= '7', is_odd = false;
    for (uint32_t i = mode->count > 3 ? mode->count - 3 : 0; i < mode->count; i++)
        is_odd |= (mode->text[i] & 1) != 0;
    return is_number ? is_odd : memchr(mode->text, 'x', mode->count) || memchr(mode->text, 's', mode->count);
}

/* A signal that asks for a look at the settings, or whether something is there, ends nothing. */
static bool is_ending(const struct sh_command *k)
{
    static const char *const harmless[] = {
        "HUP", "USR1", "USR2", "0", "CONT", "WINCH", "CHLD", "1", "10", "12", "18"
    };
    for (uint32_t i = 1; i < k->count; i++) {
        const struct tv *v = &k->words[i];
        bool is_split = sh_is(v, "-s") && i + 1 < k->count;
        if (!sh_is_option(v))
            continue;
        const struct tv *name = is_split ? &k->words[i + 1] : v;
        const char *t = is_split ? name->text : name->text + 1;
        uint32_t n = is_split ? name->count : name->count - 1;
        if (t && n > 3 && memcmp(t, "SIG", 3) == 0)
            t += 3, n -= 3;
        for (size_t h = 0; t && h < ARRAY_LEN(harmless); h++)
            if (strlen(harmless[h]) == n && memcmp(harmless[h], t, n) == 0)
                return false;
        return true;
    }
    return true;
}

static void judge_kill(struct sh *s, const struct sh_command *k)
{
    bool is_found = k->taint & SH_PROFILE || strstr(k->line, " /proc/"); /* for d in /proc/[0-9]* */
    const char *about = k->taint & SH_PROFILE && s->s->searched ? s->s->searched : k->line;
    if (is_found && str_eq(k->name, "kill") && is_ending(k))
        sh_flow(s, k->node, "kill-found", about);
    else if (is_found && !str_eq(k->name, "kill"))
        sh_flow(s, k->node, "trace-found", about);
}

struct tv sh_judge(struct sh *s, const struct sh_command *k, const struct tv *input)
{
    bool is_shell = sh_does(k, EF_SHELL);
    struct sh_command inner;
    uint32_t outer_flags = s->s->text_flags;
    s->s->text_flags = 0;
    judge_name(s, k);
    if (k->words[0].text && memchr(k->words[0].text, ' ', k->words[0].count) && k->words[0].text[0] != '/')
        run_shell_text(s, k, "command", &k->words[0], input); /* watch 'a | b', parallel 'a {}' */
    if (sh_does(k, EF_TEXT_OPTION) || sh_does(k, EF_TEXT_OPERAND))
        judge_text_words(s, k, input);
    if (!sh_does(k, EF_PRINT) && !sh_does(k, EF_SEARCH))
        judge_marked(s, k);
    if (sh_does(k, EF_RUN_INPUT) && input)
        run_shell_text(s, k, "input", input, NULL);
    if (str_eq(k->name, "crontab"))
        judge_table(s, k, input);
    if (language_of(k->name) == EMBEDDED_LANGUAGES && sh_inner(s, k, &inner))
        judge_interpreter(s, &inner, input, sh_does(&inner, EF_SHELL));
    if (is_shell || language_of(k->name) != EMBEDDED_LANGUAGES) {
        judge_interpreter(s, k, input, is_shell);
    } else if (sh_does(k, EF_EVAL)) {
        for (uint32_t i = 1; i < k->count; i++) {
            const struct tv *v = &k->words[i];
            const char *eq = str_eq(k->name, "alias") && v->text ? memchr(v->text, '=', v->count) : NULL;
            struct tv text = eq ? (struct tv){ .text = eq + 1, .count = v->count - (uint32_t)(eq + 1 - v->text) } : *v;
            if (str_eq(k->name, "eval") && i == 1 && k->count > 2) { /* eval joins its words */
                text.text = strchr(k->line, ' ');
                text.text = text.text ? text.text + 1 : NULL;
                text.count = text.text ? (uint32_t)strlen(text.text) : 0;
                text.taint = k->taint;
            }
            if (str_eq(k->name, "eval") || text.text)
                judge_text(s, k, &text, true);
            if (!eq)
                break;
        }
    } else if (sh_does(k, EF_RUN_FILE)) {
        if (k->count > 1 && (sh_is(&k->words[1], "/dev/stdin")) && input)
            judge_text(s, k, input, true);
        else if (k->count > 1)
            judge_file_run(s, k, &k->words[1], LANG_BASH);
    } else if (sh_does(k, EF_REMOVE)) {
        sh_judge_delete(s, k);
    } else if (str_eq(k->name, "find")) {
        judge_find(s, k);
    } else if (str_eq(k->name, "chmod")) {
        bool is_program = gives_execution(k);
        for (uint32_t i = 1; i < k->count; i++)
            if (is_download(s, &k->words[i])) {
                if (is_program && !is_for_programs(&k->words[i]))
                    sh_flow(s, k->node, "download-then-exec", k->line);
            } else if (i > 1 && k->words[i].text && k->words[1].text &&
                       memchr(k->words[1].text, 'x', k->words[1].count)) {
                embedded_mark(s->s->c, k->words[i].text, k->words[i].count);
            }
    } else if (sh_does(k, EF_READ)) {
        judge_read(s, k, input);
    }
    uint32_t secret = reads_secret(k) | s->s->text_flags; /* sh -c 'env' | curl */
    s->s->text_flags = outer_flags;
    s->s->seen |= secret & SH_SECRET;
    struct tv v = printed(s, k, input);
    v.taint |= secret;
    if (sh_does(k, EF_SEND)) {
        judge_send(s, k, input);
        v.taint |= sh_does(k, EF_RECEIVE) ? SH_NETWORK : 0;
        if (sh_does(k, EF_FETCH))
            note_download(s, k);
        if (v.taint & SH_NETWORK)
            s->s->fetched = with_line(s, s->s->fetched, k->line);
    }
    judge_environment(s, k, &v, input);
    if (sh_does(k, EF_TRACE))
        judge_kill(s, k);
    s->s->has_mounted_found |= str_eq(k->name, "mount") && k->taint & SH_PROFILE;
    if (sh_does(k, EF_SEARCH_PROCESSES))
        s->s->searched = with_line(s, s->s->searched, k->line);
    uint32_t above = s->at[k->node].parent;
    if (str_eq(k->name, "yes") && (!above || sh_kind(s, above) != B_PIPELINE))
        sh_flow(s, k->node, "endless-output", k->line);
    if (sh_does(k, EF_PEER) || (str_eq(k->name, "openssl") && strstr(k->line, "s_client")))
        v.taint |= SH_PEER;
    if (is_shell)
        v.taint |= SH_SHELL;
    return v;
}
