#include "scan/piece.h"

#include <stdio.h>

#define WORD_MAX   32u
#define OPTION_MAX 24u
#define NUMBER_MAX 5u

/* What is read, and what was read before it in the same line. */
struct reader {
    const char *text;
    size_t size, at;
    char last[PIECE_MAX], token[PIECE_MAX];
    char glue[2]; /* the last two characters between tokens that mean something */
    uint8_t last_size, token_size, glue_size;
    piece_found *found;
    void *ctx;
};

static bool is_digit(char c)
{
    return c >= '0' && c <= '9';
}

static bool is_letter(char c)
{
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_';
}

static bool is_word(char c)
{
    return is_letter(c) || is_digit(c);
}

static char lower(char c)
{
    return c >= 'A' && c <= 'Z' ? (char)(c + 'a' - 'A') : c;
}

static void add_glue(struct reader *r, char c)
{
    if (r->glue_size == 2)
        r->glue[0] = r->glue[1];
    else
        r->glue_size++;
    r->glue[r->glue_size - 1] = c;
}

/* «last», a blank, what is between, «token»: each of them may be absent. */
static void tell_pair(struct reader *r)
{
    char pair[2 * PIECE_MAX + 4];
    size_t n = 0;
    if (r->last_size) {
        memcpy(pair, r->last, r->last_size);
        n = r->last_size;
        pair[n++] = ' ';
    }
    memcpy(pair + n, r->glue, r->glue_size);
    n += r->glue_size;
    memcpy(pair + n, r->token, r->token_size);
    n += r->token_size;
    if (n < PIECE_MAX)
        r->found(r->ctx, pair, n, r->at);
}

/* «aws_secret_key» is also «aws», «secret» and «key». */
static void tell_parts(struct reader *r)
{
    const char *p = r->token, *end = r->token + r->token_size;
    if (!memchr(p, '_', r->token_size))
        return;
    while (p < end) {
        const char *stop = memchr(p, '_', (size_t)(end - p));
        size_t n = (size_t)((stop ? stop : end) - p);
        if (n > 2)
            r->found(r->ctx, p, n, r->at);
        p += n + 1;
    }
}

static void take(struct reader *r, const char *token, size_t size, bool has_parts)
{
    for (size_t i = 0; i < size; i++)
        r->token[i] = lower(token[i]);
    r->token_size = (uint8_t)size;
    r->found(r->ctx, r->token, size, r->at);
    if (has_parts)
        tell_parts(r);
    if (r->last_size || r->glue_size)
        tell_pair(r);
    memcpy(r->last, r->token, size);
    r->last_size = r->token_size;
    r->glue_size = 0;
}

static void end_line(struct reader *r)
{
    r->token_size = 0;
    if (r->last_size && r->glue_size)
        tell_pair(r);
    r->last_size = r->glue_size = 0;
}

/* The size of an address of four numbers at p, or 0. */
static size_t address(const char *p, const char *end, unsigned ret[static 4])
{
    const char *begin = p;
    for (unsigned i = 0; i < 4; i++) {
        unsigned digits = 0;
        ret[i] = 0;
        for (; p < end && is_digit(*p) && digits < 4; p++, digits++)
            ret[i] = ret[i] * 10 + (unsigned)(*p - '0');
        if (!digits || ret[i] > 255 || (i < 3 && (p == end || *p++ != '.')))
            return 0;
    }
    return p < end && (is_word(*p) || *p == '.') ? 0 : (size_t)(p - begin);
}

static const char *kind_of_address(const unsigned a[static 4])
{
    if (a[0] == 127)
        return "<local>";
    if (a[0] == 0)
        return "<any>";
    if (a[0] == 169 && a[1] == 254)
        return a[2] == 169 && a[3] == 254 ? "<metadata>" : "<private>";
    if (a[0] == 10 || (a[0] == 192 && a[1] == 168) || (a[0] == 172 && a[1] >= 16 && a[1] <= 31))
        return "<private>";
    if ((a[0] == 8 && a[1] == 8) || (a[0] == 1 && a[1] == a[0] && a[2] == a[0]))
        return "<dns>";
    return "<ip>";
}

static void take_number(struct reader *r, bool is_fresh)
{
    const char *p = r->text + r->at, *end = r->text + r->size;
    unsigned parts[4];
    size_t n = is_fresh ? address(p, end, parts) : 0;
    if (n) {
        const char *kind = kind_of_address(parts);
        r->at += n;
        take(r, kind, strlen(kind), false);
        return;
    }
    for (n = 0; p + n < end && is_digit(p[n]);)
        n++;
    r->at += n;
    if (n <= NUMBER_MAX)
        take(r, p, n, false);
    else
        take(r, "<num>", 5, false);
}

static void take_word(struct reader *r)
{
    const char *p = r->text + r->at;
    size_t n = 0;
    while (r->at + n < r->size && is_word(p[n]))
        n++;
    r->at += n;
    if (n <= WORD_MAX)
        take(r, p, n, true);
    else
        take(r, "<long>", 6, false);
}

/* «-x», «--long-option»; false: a dash before something else. */
static bool take_option(struct reader *r)
{
    const char *p = r->text + r->at;
    const size_t left = r->size - r->at;
    size_t n = left > 1 && p[1] == '-' ? 2 : 1;
    if (left <= n || !is_letter(p[n]))
        return false;
    while (n < left && (is_word(p[n]) || p[n] == '-'))
        n++;
    r->at += n;
    take(r, p, MIN_OF(n, (size_t)OPTION_MAX), false);
    return true;
}

/* Between tokens. An escape in a literal is what it stands for. */
static void take_other(struct reader *r)
{
    const char c = r->text[r->at], next = r->at + 1 < r->size ? r->text[r->at + 1] : '\0';
    r->at++;
    if (c == '\n')
        end_line(r);
    else if (c == '\\' && next == 'n')
        r->at++, end_line(r);
    else if (c == '\\' && (next == 't' || next == 'r' || next == '\n')) /* the last: the line goes on */
        r->at++;
    else if (c == '(' && r->glue_size && (r->glue[r->glue_size - 1] == '$' || r->glue[r->glue_size - 1] == '<'))
        add_glue(r, c);
    else if (c && strchr("|&><`~$@*/.\\#%!+=:", c))
        add_glue(r, c);
}

static bool is_comment(const char *p, const char *end, enum piece_comment comment)
{
    if (comment == PIECE_COMMENT_NONE || p == end)
        return false;
    if (comment == PIECE_COMMENT_HASH)
        return *p == '#' && !(p + 1 < end && p[1] == '!');
    return end - p > 1 && p[0] == '/' && p[1] == '/';
}

/* At the beginning of a line: past it, where it is a comment. */
static bool skip_comment(struct reader *r, enum piece_comment comment)
{
    const char *p = r->text + r->at, *end = r->text + r->size;
    while (p < end && (*p == ' ' || *p == '\t'))
        p++;
    if (!is_comment(p, end, comment))
        return false;
    p = memchr(p, '\n', (size_t)(end - p));
    r->at = p ? (size_t)(p - r->text) + 1 : r->size;
    return true;
}

void pieces_from(const char *text, size_t size, size_t from, enum piece_comment comment, piece_found *found,
                 piece_resumes *resumes, void *ctx)
{
    struct reader r = { .text = text, .size = size, .at = from, .found = found, .ctx = ctx };
    const char *last = resumes && size ? memrchr(text, '\n', size) : NULL;
    const size_t last_line = last ? (size_t)(last - text) + 1 : SIZE_MAX;
    for (;;) {
        if (r.at == last_line && !r.last_size && !r.glue_size)
            resumes(ctx, r.at);
        if (r.at >= size)
            break;
        const bool begins_line = r.at == 0 || text[r.at - 1] == '\n';
        const char c = text[r.at], before = r.at ? text[r.at - 1] : ' ';
        if (begins_line && skip_comment(&r, comment))
            continue;
        if (is_digit(c))
            take_number(&r, !is_word(before) && before != '.');
        else if (is_letter(c))
            take_word(&r);
        else if (c != '-' || !take_option(&r))
            take_other(&r);
    }
    end_line(&r);
}

void pieces_of(const char *text, size_t size, enum piece_comment comment, piece_found *found, void *ctx)
{
    pieces_from(text, size, 0, comment, found, NULL, ctx);
}
