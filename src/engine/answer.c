#include "engine/answer.h"

#include <ctype.h>
#include <strings.h>
#include "base/json.h"

/* --- words for a message ------------------------------------------------------------------------------ */

/* U+0080 to U+009F move a terminal's cursor as C0 does. */
static bool is_control(const unsigned char *s, size_t length)
{
    return s[0] <= 0x20 || s[0] == 0x7F || (length == 2 && s[0] == 0xC2 && s[1] < 0xA0);
}

const char *answer_clean(const void *data, size_t size, char *out, size_t max)
{
    const unsigned char *s = data;
    size_t n = 0, whole = 0; /* whole: what stays when «...» must fit behind */
    assert(max > 4);
    for (size_t at = 0, length; at < size; at += length) {
        const size_t known = json_utf8_length(s + at, size - at);
        const bool is_space = known && is_control(s + at, known);
        length = known ? known : 1;
        if (is_space && (n == 0 || out[n - 1] == ' '))
            continue;
        if (n + length >= max) {
            memcpy(out + whole, "...", 4);
            return out;
        }
        memcpy(out + n, is_space ? " " : known ? (const char *)s + at : "?", is_space ? 1 : length);
        n += is_space ? 1 : length;
        if (n + 4 <= max)
            whole = n;
    }
    out[n && out[n - 1] == ' ' ? n - 1 : n] = '\0';
    return out;
}

/* What went wrong stands at the end of an engine's long sentences («preparing container ...: runc: ...: operation not
 * permitted»): the middle is left out. */
static const char *shorten(const char *data, size_t size, char out[static ANSWER_TEXT_MAX])
{
    const size_t begin = 72, end = ANSWER_TEXT_MAX - begin - 5;
    if (size < ANSWER_TEXT_MAX)
        return answer_clean(data, size, out, ANSWER_TEXT_MAX);
    const char *tail = data + size - end;
    while (tail < data + size && ((unsigned char)*tail & 0xC0) == 0x80) /* not from the middle of a character */
        tail++;
    (void)answer_clean(data, size, out, begin); /* is longer, so it ends with «...», unless it is white space */
    const size_t n = strlen(out);
    (void)answer_clean(tail, (size_t)(data + size - tail), out + n, ANSWER_TEXT_MAX - n);
    return out;
}

const char *answer_failure(const void *data, size_t size, char out[static ANSWER_TEXT_MAX])
{
    json_t *answer = json_loadb(data, size, JSON_DISABLE_EOF_CHECK, NULL);
    const json_t *message = json_object_get(answer, "message");
    if (json_string_length(message))
        (void)shorten(json_string_value(message), json_string_length(message), out);
    else
        (void)shorten(data, size, out);
    json_decref(answer);
    return out;
}

/* --- the head ----------------------------------------------------------------------------------------- */

static const char beginning[] = "HTTP/1."; /* then the minor version, a space, three digits */
#define STATUS_LINE_MIN (sizeof beginning - 1 + 5)

/* Of the status line as far as it has come: a process that speaks something else is not waited for. */
static bool may_be_status_line(const char *data, size_t size)
{
    for (size_t i = 0; i < MIN_OF(size, STATUS_LINE_MIN); i++) {
        const bool fits = i < sizeof beginning - 1    ? data[i] == beginning[i]
                          : i == sizeof beginning     ? data[i] == ' '
                          : i == sizeof beginning - 1 ? data[i] == '0' || data[i] == '1'
                                                      : data[i] >= '0' && data[i] <= '9';
        if (!fits)
            return false;
    }
    return true;
}

static bool is_field(const char *line, size_t size, const char *name)
{
    const size_t n = strlen(name);
    return size > n && line[n] == ':' && strncasecmp(line, name, n) == 0;
}

static bool is_text(const char *line, size_t size)
{
    for (size_t i = 0; i < size; i++)
        if (((unsigned char)line[i] < 0x20 && line[i] != '\t') || line[i] == 0x7F)
            return false;
    return true;
}

/* No continuation lines: they begin with white space. */
static bool is_field_line(const char *line, size_t size)
{
    const char *colon = memchr(line, ':', size);
    if (!colon || colon == line)
        return false;
    for (const char *c = line; c < colon; c++)
        if (*c <= ' ' || *c == 0x7F) /* beyond ASCII is negative */
            return false;
    return is_text(line, size);
}

static bool is_status_line(const char *line, size_t size, long *ret)
{
    if (size < STATUS_LINE_MIN || !may_be_status_line(line, size) ||
        (size > STATUS_LINE_MIN && line[STATUS_LINE_MIN] != ' '))
        return false;
    const char *digit = line + STATUS_LINE_MIN - 3;
    *ret = (digit[0] - '0') * 100 + (digit[1] - '0') * 10 + (digit[2] - '0');
    return *ret >= 100 && is_text(line, size);
}

int answer_head_read(const char *data, size_t size, struct answer_head *ret)
{
    struct answer_head h = { 0 };
    if (!may_be_status_line(data, size))
        return -EBADMSG;
    for (const char *line = data, *end; (end = memchr(line, '\n', (size_t)(data + size - line))); line = end + 1) {
        const size_t length = (size_t)(end - line) - 1;
        if (end == line || end[-1] != '\r' || (size_t)(end - data) >= ANSWER_HEAD_MAX)
            return -EBADMSG;
        if (length == 0 && h.status) {
            h.size = (size_t)(end + 1 - data);
            *ret = h;
            return 0;
        }
        if (h.status ? !is_field_line(line, length) : !is_status_line(line, length, &h.status))
            return -EBADMSG;
        h.has_body |= is_field(line, length, "Content-Length") || is_field(line, length, "Transfer-Encoding");
    }
    return size >= ANSWER_HEAD_MAX ? -EBADMSG : -EAGAIN;
}
