/* A command's words: quotes undone, variables filled in, and whatever only runs another command taken off. */
#include "scan/bash.h"
#include "scan/embedded.h"

static void push(struct sh_command *k, struct tv v)
{
    if (k->count < SH_MAX_WORDS)
        k->words[k->count++] = v;
}

/* $x without quotes, cat${IFS}file and {cat,file} are several words. */
static void push_split(struct sh_command *k, const struct tv *v)
{
    bool is_braces = k->count == 0 && v->text && v->count > 3 && v->text[0] == '{' && v->text[v->count - 1] == '}' &&
                     memchr(v->text, ',', v->count);
    char by = is_braces ? ',' : ' ';
    if (!v->text || !(is_braces || (v->taint & SH_SPLIT && memchr(v->text, ' ', v->count)))) {
        push(k, *v);
        return;
    }
    for (uint32_t i = is_braces, end = v->count - is_braces; i < end;) {
        uint32_t from = i;
        while (i < end && v->text[i] != by)
            i++;
        if (i > from)
            push(k, (struct tv){
                        .text = v->text + from, .count = i - from, .taint = v->taint | (is_braces ? SH_MADE : 0) });
        i++;
    }
}

static const char *base_name(struct sh *s, const struct tv *v)
{
    char name[64];
    uint32_t from = v->count;
    if (!v->text || v->taint & SH_PARTIAL)
        return "";
    while (from > 0 && v->text[from - 1] != '/')
        from--;
    uint32_t n = v->count - from;
    if (n >= sizeof name)
        return "";
    uint32_t used = 0;
    for (uint32_t i = 0; i < n; i++)
        if (v->text[from + i])
            name[used++] = v->text[from + i];
    name[used] = 0;
    return arena_copy(s->s->c->arena, name);
}

static const char *line_of(struct sh *s, const struct sh_command *k)
{
    char line[1400];
    size_t used = 0;
    for (uint32_t i = 0; i < k->count; i++) {
        const char *t = i == 0 && k->name[0] ? k->name : k->words[i].text ? k->words[i].text : SH_HOLE;
        size_t n = i == 0 && k->name[0] ? strlen(k->name) : k->words[i].text ? k->words[i].count : 2;
        n = MIN_OF(n, 1000u);
        if (n + 2 > sizeof line - used)
            break;
        if (i)
            line[used++] = ' ';
        for (size_t b = 0; b < n; b++)
            if (t[b])
                line[used++] = t[b];
    }
    line[used] = 0;
    return arena_copy(s->s->c->arena, line);
}

struct effects sh_option(const struct tv *v, uint32_t *ret_size)
{
    const char *end = v->text ? memchr(v->text, '=', v->count) : NULL;
    *ret_size = end ? (uint32_t)(end - v->text) : v->count;
    return sh_is_option(v) ? effects_of(LANG_BASH, v->text, *ret_size) : (struct effects){ 0 };
}

/* What a client is given to show who it is: ssh -i KEY, curl --cert FILE, mysqldump --defaults-file=FILE, docker run
 * --env-file FILE, rsync -e 'ssh -i KEY'; and what openssl and gpg write: no process but the client reads it. What is
 * left out: --exclude X, --exclude=X, zip -x X. --exclude-vcs and its like take no word. */
static void mark_mentioned(struct sh_command *k)
{
    bool is_maker = str_eq(k->name, "openssl") || str_eq(k->name, "gpg") || str_eq(k->name, "gpg2");
    bool is_ssh = sh_does(k, EF_SIGN_IN);
    for (uint32_t i = 1; i < k->count; i++) {
        struct tv *v = &k->words[i];
        uint32_t size;
        const struct effects o = sh_option(v, &size);
        bool is_within = v->count > size && (effects_has(&o, EF_CREDENTIAL) || sh_begins(v, "--exclude"));
        bool is_next = (is_ssh && (sh_is(v, "-i") || sh_is(v, "-F") || sh_is(v, "-o"))) ||
                       (is_maker && (sh_is(v, "-out") || sh_is(v, "-keyout") || sh_is(v, "-o"))) ||
                       (str_eq(k->name, "rsync") && sh_is(v, "-e")) || (str_eq(k->name, "zip") && sh_is(v, "-x")) ||
                       (v->count == size && (effects_has(&o, EF_CREDENTIAL) || effects_has(&o, EF_EXCLUDE)));
        v->taint |= is_within ? SH_MENTION : 0;
        if (is_next && i + 1 < k->count)
            k->words[++i].taint |= SH_MENTION;
    }
}

enum text_option { TEXT_NONE, TEXT_WITHIN, TEXT_NEXT };

/* -e PATTERN, -ne SCRIPT, --regexp=PATTERN, -f FILE: then no operand is the pattern. */
static enum text_option text_option(const struct tv *v)
{
    uint32_t size;
    const struct effects o = sh_option(v, &size);
    if (effects_has(&o, EF_TEXT_OF))
        return v->count == size ? TEXT_NEXT : TEXT_WITHIN;
    for (uint32_t i = 1; v->text[1] != '-' && i < v->count; i++)
        if (v->text[i] == 'e' || v->text[i] == 'f')
            return i + 1 == v->count ? TEXT_NEXT : TEXT_WITHIN;
    return TEXT_NONE;
}

/* The pattern of grep, the script of sed, the program of awk: text, and no file that is read. An awk program may read
 * by itself. */
static void mark_pattern(struct sh_command *k)
{
    const char *valued = sh_does(k, EF_PATTERN) ? effect_find(LANG_BASH, k->name, strlen(k->name))->returns : NULL;
    bool has_text = false;
    for (uint32_t i = 1; valued && i < k->count; i++) {
        struct tv *v = &k->words[i];
        enum text_option how = sh_is_option(v) ? text_option(v) : TEXT_NONE;
        has_text |= how != TEXT_NONE;
        if (how == TEXT_NEXT) {
            i++; /* a file of patterns is one that is read */
            if (i < k->count && v->text[v->count - 1] != 'f' && !sh_is(v, "--file"))
                k->words[i].taint |= SH_MENTION;
        } else if (sh_is_option(v)) {
            i += v->count == 2 && strchr(valued, v->text[1]) != NULL;
        } else if (!has_text) {
            has_text = true;
            v->taint |= v->text && memmem(v->text, v->count, "getline", 7) ? 0 : SH_MENTION;
        }
    }
}

static void finish(struct sh *s, struct sh_command *k)
{
    k->taint = 0;
    k->name = k->count ? base_name(s, &k->words[0]) : "";
    k->does = effects_of(LANG_BASH, k->name, strlen(k->name));
    k->line = line_of(s, k);
    for (uint32_t i = 0; i < k->count; i++)
        k->taint |= k->words[i].taint;
    mark_mentioned(k);
    mark_pattern(k);
}

static void tell(struct sh *s, const struct sh_command *k)
{
    struct fact f = {
        .kind = FACT_CALL, .name = k->name, .has_dynamic_name = !k->name[0], .args = { k->line }, .arg_count = 1
    };
    for (uint32_t i = 1; i < k->count; i++) {
        f.has_dynamic_args |= !k->words[i].text || k->words[i].taint & SH_PARTIAL;
        if (f.arg_count < FACT_MAX_ARGS && k->words[i].text && !(k->words[i].taint & SH_MENTION)) {
            char word[512];
            uint32_t n = MIN_OF(k->words[i].count, (uint32_t)sizeof word - 1), used = 0;
            for (uint32_t b = 0; b < n; b++)
                if (k->words[i].text[b])
                    word[used++] = k->words[i].text[b];
            word[used] = 0;
            f.args[f.arg_count++] = arena_copy(s->s->c->arena, word);
        }
    }
    sh_change_root(s, k->is_in_chroot);
    sh_tell(s, k->node, &f);
    sh_change_root(s, -k->is_in_chroot);
}

static bool is_assignment(const struct tv *v)
{
    const char *eq = v->text ? memchr(v->text, '=', v->count) : NULL;
    return eq && eq > v->text && !memchr(v->text, '/', (size_t)(eq - v->text));
}

/* chroot DIR: another system's root, unless it is this one's, or where containers have their host's. */
static bool is_other_root(const struct tv *dir)
{
    static const char *const own[] = { "/host", "/mnt/host", "/rootfs", "/hostfs", "/proc/" };
    for (size_t i = 0; dir->text && i < ARRAY_LEN(own); i++)
        if (sh_begins(dir, own[i]))
            return false;
    for (uint32_t i = 0; dir->text && i < dir->count; i++)
        if (!strchr("/.", dir->text[i]))
            return true;
    return !dir->text;
}

/* sudo -u x cmd: drops what is sudo's; false when no command follows. `has_host_disk`: a chroot may be into it. */
static bool unwrap(struct sh_command *k, bool has_host_disk)
{
    const struct known *w = effect_find(LANG_BASH, k->name, strlen(k->name));
    uint32_t at = 1, operands = sh_does(k, EF_WRAP_BEHIND);
    for (; at < k->count; at++) {
        const struct tv *v = &k->words[at];
        bool is_option = sh_is_option(v);
        if (is_option && str_eq(k->name, "command") && (v->text[1] == 'v' || v->text[1] == 'V'))
            return false;
        if (is_option && v->count == 2 && v->text[1] == '-') {
            at++;
            break;
        }
        if (is_option && v->count == 2 && w->returns && strchr(w->returns, v->text[1])) {
            at++;
            continue;
        }
        if (is_option || is_assignment(v))
            continue;
        if (operands == 0)
            break;
        operands--;
        k->is_in_chroot |= str_eq(k->name, "chroot") && !has_host_disk && is_other_root(v);
    }
    if (at >= k->count)
        return false;
    memmove(k->words, k->words + at, (k->count - at) * sizeof k->words[0]);
    k->count -= at;
    return true;
}

/* find -exec rm {} \; and awk's or sed's siblings of it: the command within the arguments. */
static void tell_exec(struct sh *s, const struct sh_command *k)
{
    if (!str_eq(k->name, "find") && !str_eq(k->name, "fd") && !str_eq(k->name, "fdfind"))
        return;
    for (uint32_t i = 1; i + 1 < k->count; i++) {
        if (!sh_is(&k->words[i], "-exec") && !sh_is(&k->words[i], "-execdir") && !sh_is(&k->words[i], "-ok") &&
            !sh_is(&k->words[i], "-x"))
            continue;
        struct sh_command inner = { .node = k->node, .count = k->count - i - 1, .is_in_chroot = k->is_in_chroot };
        memcpy(inner.words, k->words + i + 1, inner.count * sizeof inner.words[0]);
        finish(s, &inner);
        tell(s, &inner);
        (void)sh_judge(s, &inner, NULL);
        return;
    }
}

bool sh_inner(struct sh *s, const struct sh_command *k, struct sh_command *ret)
{
    if (sh_does(k, EF_PRINT) || sh_does(k, EF_SEARCH) || sh_does(k, EF_PATH) || sh_does(k, EF_REMOVE))
        return false;
    for (uint32_t i = 1; i < k->count; i++) {
        const struct tv *v = &k->words[i];
        if (!v->text || v->taint & (SH_PARTIAL | SH_MENTION) ||
            embedded_interpreter(v->text, v->count) == EMBEDDED_LANGUAGES)
            continue;
        *ret = (struct sh_command){ .node = k->node, .count = k->count - i, .is_in_chroot = k->is_in_chroot };
        memcpy(ret->words, k->words + i, ret->count * sizeof ret->words[0]);
        finish(s, ret);
        return true;
    }
    return false;
}

/* The grammar, mending errors, reads «sh, newline, eval x» as one command now and then: a word on another line begins
 * another. */
static bool begins_line(struct sh *s, uint32_t before, uint32_t word)
{
    uint32_t at = ir_at(s->e, before)->end, end = ir_at(s->e, word)->start;
    for (; at < end; at++)
        if (s->e->c->text[at] == '\n' && s->e->c->text[at - 1] != '\\')
            return true;
    return end < ir_at(s->e, word)->end && s->e->c->text[end] == '\n';
}

static void judge_rest(struct sh *s, uint32_t node, uint32_t from)
{
    struct sh_command k = { .node = node };
    uint32_t before = from;
    SH_PARTS(c, s, node)
    {
        if (c < from || sh_role(s, c) != ROLE_ARGS)
            continue;
        if (k.count && begins_line(s, before, c)) {
            finish(s, &k);
            tell(s, &k);
            (void)sh_judge(s, &k, NULL);
            k.count = 0;
        }
        struct tv v = s->at[c].value;
        while (k.count == 0 && v.text && v.count && (v.text[0] == '\n' || v.text[0] == '\\'))
            v.text++, v.count--;
        push_split(&k, &v);
        before = c;
    }
    if (!k.count)
        return;
    finish(s, &k);
    tell(s, &k);
    (void)sh_judge(s, &k, NULL);
}

bool sh_gather(struct sh *s, uint32_t node, struct sh_command *k, bool is_told)
{
    uint32_t before = 0;
    k->node = node;
    k->count = 0;
    k->is_in_chroot = false;
    k->name = k->line = "";
    k->does = (struct effects){ 0 };
    k->taint = 0;
    if (ir_at(s->e, node)->start < ir_at(s->e, node)->end && s->e->c->text[ir_at(s->e, node)->start] == '(')
        return false; /* (( n > 3 )): arithmetic */
    SH_PARTS(c, s, node)
    {
        if (sh_kind(s, c) != B_COMMAND_NAME && sh_role(s, c) != ROLE_ARGS)
            continue;
        if (before && begins_line(s, before, c)) {
            if (is_told)
                judge_rest(s, node, c);
            break;
        }
        push_split(k, &s->at[c].value);
        before = c;
    }
    if (!k->count)
        return false;
    for (int depth = 0; depth < 6; depth++) {
        finish(s, k);
        if (is_told && (k->name[0] || depth == 0) && !sh_is_function(s, k->name))
            tell(s, k);
        if (!sh_is_wrapper(k) || !unwrap(k, s->s->has_mounted_found))
            break;
    }
    if (is_told)
        tell_exec(s, k);
    return true;
}
