#include "cli/git_config.h"

#include "base/buf.h"

#define VALUE_MAX (64 * KIB)

struct reading {
    const char *at, *end;
    bool is_over; /* behind the end; a newline is read there */
    char section[128], of[512], key[128];
    struct buf value;
};

static char next(struct reading *r)
{
    if (r->at == r->end) {
        r->is_over = true;
        return '\n';
    }
    const char c = *r->at++;
    if (c == '\r' && r->at < r->end && *r->at == '\n')
        return *r->at++;
    return c;
}

static bool is_space(char c)
{
    return c && strchr(" \t\n\r", c); /* git's own set */
}

static bool is_letter(char c)
{
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z');
}

static bool is_of_key(char c)
{
    return is_letter(c) || (c >= '0' && c <= '9') || c == '-';
}

static int put(char *text, size_t size, size_t *n, char c)
{
    if (*n + 1 >= size)
        return -EMSGSIZE;
    text[(*n)++] = c;
    text[*n] = '\0';
    return 0;
}

static int put_lower(char *text, size_t size, size_t *n, char c)
{
    return put(text, size, n, c >= 'A' && c <= 'Z' ? (char)(c - 'A' + 'a') : c);
}

/* Behind the blank in [section "of it"]; n: what is known of it. */
static int read_subsection(struct reading *r, size_t n)
{
    char c = ' ';
    while (c == ' ' || c == '\t')
        c = next(r);
    if (c != '"')
        return -EBADMSG;
    for (;;) {
        c = next(r);
        if (c == '"')
            return next(r) == ']' ? 0 : -EBADMSG;
        if (c == '\\')
            c = next(r);
        if (c == '\n' || !c)
            return -EBADMSG;
        int e = put(r->of, sizeof r->of, &n, c);
        if (e < 0)
            return e;
    }
}

/* The old form [section.of] has its subsection in lower case. */
static int read_section(struct reading *r)
{
    size_t n = 0, m = 0;
    bool is_sub = false;
    r->section[0] = r->of[0] = '\0';
    for (;;) {
        const char c = next(r);
        if (c == ']')
            return n ? 0 : -EBADMSG;
        if (c == ' ' || c == '\t')
            return !n ? -EBADMSG : is_sub && put(r->of, sizeof r->of, &m, '.') < 0 ? -EMSGSIZE : read_subsection(r, m);
        if (!is_of_key(c) && c != '.')
            return -EBADMSG;
        int e = is_sub     ? put_lower(r->of, sizeof r->of, &m, c)
                : c == '.' ? 0
                           : put_lower(r->section, sizeof r->section, &n, c);
        if (e < 0)
            return e;
        is_sub = is_sub || c == '.';
    }
}

static int read_escape(struct reading *r)
{
    static const char from[] = "tbn\\\"", to[] = "\t\b\n\\\"";
    const char c = next(r), *known = c ? strchr(from, c) : NULL;
    if (c == '\n')
        return r->is_over ? -EBADMSG : 0; /* the line goes on */
    return known ? buf_addc(&r->value, to[known - from]) : -EBADMSG;
}

static int read_value(struct reading *r)
{
    bool is_quoted = false, is_comment = false;
    size_t kept = 0; /* a blank counts where something follows */
    for (;;) {
        const char c = next(r);
        int e = 0;
        if (c == '\n') {
            if (r->value.size)
                r->value.data[r->value.size = kept] = '\0';
            return is_quoted ? -EBADMSG : 0;
        }
        if (!c)
            return -EBADMSG;
        if (is_comment)
            continue;
        if (is_space(c) && !is_quoted) {
            e = r->value.size ? buf_addc(&r->value, c) : 0;
        } else if (!is_quoted && (c == ';' || c == '#')) {
            is_comment = true;
        } else {
            if (c == '"')
                is_quoted = !is_quoted;
            else
                e = c == '\\' ? read_escape(r) : buf_addc(&r->value, c);
            kept = r->value.size;
        }
        if (e < 0)
            return e;
    }
}

static int read_setting(struct reading *r, char c)
{
    size_t n = 0;
    int e = 0;
    r->value.size = 0;
    for (; is_of_key(c) && e == 0 && !r->is_over; c = next(r))
        e = put_lower(r->key, sizeof r->key, &n, c);
    while (c == ' ' || c == '\t')
        c = next(r);
    if (e < 0 || c == '\n')
        return e;
    return c == '=' ? read_value(r) : -EBADMSG;
}

int git_config_read(const char *text, size_t size, int (*each)(void *context, const struct git_setting *s),
                    void *context)
{
    struct reading r = { .at = text, .end = text + size };
    bool is_comment = false;
    int e = 0;
    if (size >= 3 && memcmp(text, "\xef\xbb\xbf", 3) == 0)
        r.at += 3;
    buf_init(&r.value, VALUE_MAX);
    while (e == 0) {
        const char c = next(&r);
        if (r.is_over)
            break;
        is_comment = c != '\n' && (is_comment || c == '#' || c == ';');
        if (is_comment || is_space(c))
            continue;
        if (c == '[') {
            e = read_section(&r);
            continue;
        }
        e = is_letter(c) && r.section[0] ? read_setting(&r, c) : -EBADMSG;
        if (e == 0)
            e = each(context, &(struct git_setting){ r.section, r.of, r.key, r.value.size ? r.value.data : "" });
    }
    buf_done(&r.value);
    return e;
}

bool git_setting_is_plain(const struct git_setting *s)
{
    static const struct {
        const char *section, *keys[12];
    } known[] = {
        { "core",
          { "repositoryformatversion", "filemode", "bare", "logallrefupdates", "ignorecase", "precomposeunicode",
            "symlinks", "autocrlf", "sparsecheckout", "sparsecheckoutcone" } },
        { "index", { "sparse" } },
        { "push", { "default", "autosetupremote" } },
        { "remote", { "url", "fetch", "tagopt", "promisor", "partialclonefilter", "gh-resolved" } },
        { "branch", { "remote", "merge", "rebase", "pushremote" } },
        { "submodule", { "url", "active", "branch" } },
        { "user", { "name", "email" } },
        { "extensions", { "objectformat", "refstorage", "partialclone", "worktreeconfig", "relativeworktrees" } },
        { "lfs", { "repositoryformatversion", "access" } },
        { "init", { "defaultbranch" } },
        { "commit", { "gpgsign" } },
        { "gc", { "auto" } },
        { "maintenance", { "auto" } },
        { "pull", { "rebase", "ff" } },
        { "advice", { "detachedhead" } },
    };
    if (strstr(s->value, "::")) /* an address of a helper's */
        return false;
    for (size_t i = 0; i < ARRAY_LEN(known); i++)
        for (size_t k = 0; str_eq(known[i].section, s->section) && k < ARRAY_LEN(known[i].keys) && known[i].keys[k];
             k++)
            if (str_eq(known[i].keys[k], s->key))
                return true;
    return false;
}
