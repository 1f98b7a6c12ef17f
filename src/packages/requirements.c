#include "packages/requirements.h"

#include <ctype.h>
#include <stdio.h>

#define LINE_MAX_SIZE 8192u /* with its continuations: hashes of a hundred wheels */
#define LETTERS       "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ"
#define DIGITS        "0123456789"
#define SPACE         " \t"

struct reading {
    const char *p; /* in the line */
    unsigned line;
    struct buf *out;
    struct error *err;
    bool has_any;
};

static int bad(struct reading *r, const char *what, const char *remedy)
{
    char start[60];
    size_t n = strcspn(r->p, "\n");
    (void)snprintf(start, sizeof start, "%.*s", (int)MIN_OF(n, sizeof start - 1), r->p);
    (void)err_set(r->err, -EINVAL, BLAME_CALLER, "PACKAGES", "requirements, line %u: %s%s%s", r->line, what,
                  *start ? ": " : "", start);
    return err_remedy(r->err, "%s", remedy);
}

#define ACCEPTED \
    "accepted are lines such as numpy==1.26.4, requests[socks]>=2,<3 ; python_version<'3.13' and --hash=sha256:..."

/* What pip would take in its place, said by its name. */
static int refuse_start(struct reading *r)
{
    static const char *const indexes[] = { "-i",           "--index-url", "--extra-index-url", "-f",
                                           "--find-links", "--no-index",  "--trusted-host",    "--pre" };
    for (size_t i = 0; i < ARRAY_LEN(indexes); i++)
        if (str_starts(r->p, indexes[i]))
            return bad(r, "the index is the operator's to choose",
                       "take the line out; packages.python_index is the index");
    if (str_starts(r->p, "-e") || str_starts(r->p, "--editable"))
        return bad(r, "editable installs are not accepted", "name a released version");
    if (*r->p == '-')
        return bad(r, "options are not accepted", ACCEPTED);
    if (*r->p == '.' || *r->p == '/' || *r->p == '~')
        return bad(r, "local paths are not accepted", "name a package of the index");
    return bad(r, "not a requirement", ACCEPTED);
}

static void skip_space(struct reading *r)
{
    r->p += strspn(r->p, SPACE);
}

static bool is_inner(char c)
{
    return isalnum((unsigned char)c) || c == '.' || c == '_' || c == '-';
}

/* PEP 508: a letter or digit at both ends. */
static bool take_name(struct reading *r)
{
    size_t n = 0;
    while (is_inner(r->p[n]))
        n++;
    if (!n || n > 100 || !isalnum((unsigned char)r->p[0]) || !isalnum((unsigned char)r->p[n - 1]))
        return false;
    (void)buf_add(r->out, r->p, n);
    r->p += n;
    return true;
}

static int take_extras(struct reading *r)
{
    if (*r->p != '[')
        return 0;
    do {
        (void)buf_addc(r->out, *r->p++); /* the bracket, or the comma */
        skip_space(r);
        if (!take_name(r))
            return bad(r, "not the name of an extra", ACCEPTED);
        skip_space(r);
    } while (*r->p == ',');
    if (*r->p != ']')
        return bad(r, "a bracket is not closed", ACCEPTED);
    (void)buf_addc(r->out, *r->p++);
    skip_space(r);
    return 0;
}

static bool take_operator(struct reading *r)
{
    static const char *const operators[] = { "===", "==", "!=", "<=", ">=", "~=", "<", ">" };
    for (size_t i = 0; i < ARRAY_LEN(operators); i++)
        if (str_starts(r->p, operators[i])) {
            (void)buf_adds(r->out, operators[i]);
            r->p += strlen(operators[i]);
            skip_space(r);
            return true;
        }
    return false;
}

static int take_versions(struct reading *r)
{
    while (take_operator(r)) {
        const size_t n = strspn(r->p, LETTERS DIGITS ".*+!_-");
        if (!n || n > 100)
            return bad(r, "not a version", ACCEPTED);
        (void)buf_add(r->out, r->p, n);
        r->p += n;
        skip_space(r);
        if (*r->p != ',')
            break;
        (void)buf_addc(r->out, *r->p++);
        skip_space(r);
    }
    return 0;
}

/* As far as the hashes; pip judges its words. */
static int take_marker(struct reading *r)
{
    if (*r->p != ';')
        return 0;
    const char *end = strstr(r->p, "--");
    const size_t n = end ? (size_t)(end - r->p) : strlen(r->p);
    if (strspn(r->p + 1, LETTERS DIGITS SPACE "'\"._<>=!~()-") < n - 1)
        return bad(r, "not a marker", ACCEPTED);
    (void)buf_adds(r->out, " ");
    (void)buf_add(r->out, r->p, n);
    r->p += n;
    return 0;
}

static int take_hashes(struct reading *r)
{
    static const char hash[] = "--hash=sha256:";
    while (str_starts(r->p, hash)) {
        const size_t n = strspn(r->p + sizeof hash - 1, "0123456789abcdef");
        const char after = r->p[sizeof hash - 1 + n];
        if (n != 64 || (after && !strchr(SPACE, after)))
            return bad(r, "not a hash", "--hash=sha256: and 64 lower-case hexadecimal digits");
        (void)buf_addc(r->out, ' ');
        (void)buf_add(r->out, r->p, sizeof hash - 1 + n);
        r->p += sizeof hash - 1 + n;
        skip_space(r);
    }
    return 0;
}

static int take_requirement(struct reading *r)
{
    skip_space(r);
    if (!*r->p)
        return 0;
    if (!take_name(r))
        return refuse_start(r);
    skip_space(r);
    int e = take_extras(r);
    if (e == 0)
        e = take_versions(r);
    if (e == 0)
        e = take_marker(r);
    if (e == 0)
        e = take_hashes(r);
    if (e < 0)
        return e;
    if (*r->p == '@' || strstr(r->p, "://"))
        return bad(r, "addresses and version control are not accepted", "name a released version");
    if (*r->p)
        return refuse_start(r);
    (void)buf_addc(r->out, '\n');
    r->has_any = true;
    return 0;
}

/* pip's: where a line begins with it, or behind white space. */
static void cut_comment(char *line)
{
    for (char *p = line; (p = strchr(p, '#')); p++)
        if (p == line || p[-1] == ' ' || p[-1] == '\t') {
            *p = '\0';
            return;
        }
}

/* One line with what continues it, without comments. -> behind it */
static const char *join_line(const char *p, const char *end, char line[static LINE_MAX_SIZE], unsigned *lines,
                             bool *ret_is_whole)
{
    size_t size = 0;
    *ret_is_whole = true;
    for (;;) {
        const char *stop = memchr(p, '\n', (size_t)(end - p));
        size_t n = (size_t)((stop ? stop : end) - p), used = n;
        ++*lines;
        if (used && p[used - 1] == '\r')
            used--;
        const bool continues = used && p[used - 1] == '\\';
        used -= continues;
        if (size + used + 2 > LINE_MAX_SIZE || memchr(p, '\0', used)) {
            *ret_is_whole = false;
            size = used = 0; /* it is refused: what continues it is only skipped */
        }
        memcpy(line + size, p, used);
        size += used;
        line[size] = '\0';
        cut_comment(line);
        size = strlen(line);
        p = stop ? stop + 1 : end;
        if (!continues || p == end)
            break;
        line[size++] = ' ';
        line[size] = '\0';
    }
    while (size && strchr(SPACE, line[size - 1]))
        line[--size] = '\0';
    return p;
}

int requirements_read(const char *text, size_t size, struct buf *ret, struct error *err)
{
    char line[LINE_MAX_SIZE];
    unsigned lines = 0;
    struct reading r = { .out = ret, .err = err };
    if (size > REQUIREMENTS_MAX_SIZE)
        return err_set(err, -EFBIG, BLAME_CALLER, "PACKAGES", "requirements: more than %u KiB",
                       (unsigned)(REQUIREMENTS_MAX_SIZE / KIB));
    for (const char *p = text, *end = text + size; p < end;) {
        bool is_whole;
        r.line = lines + 1;
        p = join_line(p, end, line, &lines, &is_whole);
        r.p = line;
        int e = is_whole ? take_requirement(&r) : bad(&r, "too long, or binary", ACCEPTED);
        if (e < 0)
            return e;
    }
    if (!r.has_any) {
        (void)err_set(err, -EINVAL, BLAME_CALLER, "PACKAGES", "requirements: there is no requirement in it");
        return err_remedy(err, ACCEPTED);
    }
    return ret->failed ? err_set(err, -ENOMEM, BLAME_HOST, "PACKAGES", "no memory") : 0;
}
