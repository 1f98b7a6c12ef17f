#include "daemon/messenger_internal.h"

#include <stdio.h>

#include "base/json.h"

static const char *const prefixes[] = { "email:", "slack:", "teams:", "matrix:" };
_Static_assert(ARRAY_LEN(prefixes) == CHANNEL_KINDS, "a channel has no prefix");

bool people_parse(const char *channel, enum channel_kind *ret, const char **ret_rest)
{
    for (size_t i = 0; i < ARRAY_LEN(prefixes); i++)
        if (str_starts(channel, prefixes[i])) {
            *ret = (enum channel_kind)i;
            *ret_rest = channel + strlen(prefixes[i]);
            return true;
        }
    return false;
}

/* --- text that stays text ------------------------------------------------------------------------------ */

static uint32_t code_point(const unsigned char *s, size_t n)
{
    uint32_t c = n == 1 ? s[0] : s[0] & (0xffu >> (n + 1));
    for (size_t i = 1; i < n; i++)
        c = c << 6 | (s[i] & 0x3f);
    return c;
}

/* Not seen, or changing how what is around them is seen. */
static bool is_invisible(uint32_t c)
{
    return (c >= 0x80 && c < 0xa0) || c == 0xad || c == 0x34f || c == 0x61c || (c >= 0x115f && c <= 0x1160) ||
           (c >= 0x17b4 && c <= 0x17b5) || (c >= 0x180b && c <= 0x180f) || (c >= 0x200b && c <= 0x200f) ||
           (c >= 0x2028 && c <= 0x202e) || (c >= 0x2060 && c <= 0x206f) || c == 0x3164 ||
           (c >= 0xfe00 && c <= 0xfe0f) || c == 0xfeff || c == 0xffa0 || (c >= 0xfff0 && c <= 0xfffb) ||
           (c >= 0xe0000 && c <= 0xe0fff);
}

#define ZERO_WIDTH "\xe2\x80\x8b" /* U+200B: a client that looks for @name or scheme:// finds neither */

void message_clean(const char *text, struct buf *out)
{
    const unsigned char *s = (const unsigned char *)text;
    for (size_t left = strlen(text); left;) {
        size_t n = json_utf8_length(s, left);
        if (!n || *s < ' ' || *s == 127) {
            (void)buf_addf(out, "\\x%02x", *s);
            n = 1;
        } else if (is_invisible(code_point(s, n))) {
            (void)buf_addf(out, "<U+%04X>", (unsigned)code_point(s, n));
        } else {
            (void)buf_add(out, s, n);
            if (*s == '@' || (*s == ':' && left > 2 && s[1] == '/' && s[2] == '/'))
                (void)buf_adds(out, ZERO_WIDTH);
        }
        s += n, left -= n;
    }
}

static void put_line(const struct digest_item *i, struct buf *out)
{
    (void)buf_addf(out, "%s: agent ", i->condition);
    message_clean(i->agent[0] ? i->agent : "(none)", out);
    (void)buf_adds(out, ": ");
    message_clean(i->message, out);
    if (i->count > 1)
        (void)buf_addf(out, " (%u times)", i->count);
}

/* Words of ours only. */
static void put_subject(const struct digest *d, const char *host, struct buf *out)
{
    (void)buf_addf(out, "sandbox-agent on %s: %u %s", host, d->count, d->count == 1 ? "alert" : "alerts");
}

static void put_rest(const struct digest *d, struct buf *out)
{
    if (d->left_out)
        (void)buf_addf(out, "%u more were left out: repetitions, or too many at once. alerts.log has all.",
                       d->left_out);
}

/* Calls `each` with every line of the message but its subject. */
static void each_line(const struct digest *d, struct buf *out, void (*each)(const char *line, struct buf *out))
{
    struct buf line;
    for (uint32_t i = 0; i <= d->count; i++) {
        buf_init(&line, 8 * KIB);
        if (i < d->count)
            put_line(&d->items[i], &line);
        else
            put_rest(d, &line);
        if (line.size && !line.failed)
            each(line.data, out);
        buf_done(&line);
    }
}

/* --- the chats ------------------------------------------------------------------------------------------ */

/* Slack reads &, < and > as its own, also in plain_text; mentions and links with a label need <>. */
static void put_slack_text(const char *text, struct buf *out)
{
    struct buf b;
    buf_init(&b, 64 * KIB);
    for (const char *p = text; *p; p++) {
        const char *word = *p == '&' ? "&amp;" : *p == '<' ? "&lt;" : *p == '>' ? "&gt;" : NULL;
        (void)(word ? buf_adds(&b, word) : buf_addc(&b, *p));
    }
    json_put_string(out, b.data ? b.data : "");
    buf_done(&b);
}

static void put_slack_line(const char *line, struct buf *out)
{
    json_open(out, '{');
    json_key(out, "type"), json_put_string(out, "section");
    json_key(out, "text");
    json_open(out, '{');
    json_key(out, "type"), json_put_string(out, "plain_text");
    json_key(out, "text"), put_slack_text(line, out);
    json_key(out, "emoji"), json_bool(out, false);
    json_close(out, '}');
    json_close(out, '}');
}

static void write_slack(const struct digest *d, const char *subject, struct buf *out)
{
    json_open(out, '{');
    json_key(out, "text"), put_slack_text(subject, out); /* of the notification */
    json_key(out, "mrkdwn"), json_bool(out, false);
    json_key(out, "unfurl_links"), json_bool(out, false);
    json_key(out, "unfurl_media"), json_bool(out, false);
    json_key(out, "blocks");
    json_open(out, '[');
    put_slack_line(subject, out);
    each_line(d, out, put_slack_line);
    json_close(out, ']');
    json_close(out, '}');
}

/* A TextRun has no Markdown; a TextBlock would. */
static void put_teams_line(const char *line, struct buf *out)
{
    json_open(out, '{');
    json_key(out, "type"), json_put_string(out, "RichTextBlock");
    json_key(out, "inlines");
    json_open(out, '[');
    json_open(out, '{');
    json_key(out, "type"), json_put_string(out, "TextRun");
    json_key(out, "text"), json_put_string(out, line);
    json_close(out, '}');
    json_close(out, ']');
    json_close(out, '}');
}

static void write_teams(const struct digest *d, const char *subject, struct buf *out)
{
    json_open(out, '{');
    json_key(out, "type"), json_put_string(out, "message");
    json_key(out, "attachments");
    json_open(out, '[');
    json_open(out, '{');
    json_key(out, "contentType"), json_put_string(out, "application/vnd.microsoft.card.adaptive");
    json_key(out, "contentUrl"), json_put_null(out);
    json_key(out, "content");
    json_open(out, '{');
    json_key(out, "$schema"), json_put_string(out, "http://adaptivecards.io/schemas/adaptive-card.json");
    json_key(out, "type"), json_put_string(out, "AdaptiveCard");
    json_key(out, "version"), json_put_string(out, "1.4");
    json_key(out, "body");
    json_open(out, '[');
    put_teams_line(subject, out);
    each_line(d, out, put_teams_line);
    json_close(out, ']');
    json_close(out, '}');
    json_close(out, '}');
    json_close(out, ']');
    json_close(out, '}');
}

static void put_plain_line(const char *line, struct buf *out)
{
    (void)buf_adds(out, line);
    (void)buf_addc(out, '\n');
}

/* Without formatted_body it is plain text; m.mentions without members: it mentions no user and no room (v1.7). */
static void write_matrix(const struct digest *d, const char *subject, struct buf *out)
{
    struct buf text;
    buf_init(&text, 128 * KIB);
    put_plain_line(subject, &text);
    each_line(d, &text, put_plain_line);
    json_open(out, '{');
    json_key(out, "msgtype"), json_put_string(out, "m.text");
    json_key(out, "body"), json_put_string(out, text.data ? text.data : "");
    json_key(out, "m.mentions");
    json_open(out, '{');
    json_close(out, '}');
    json_close(out, '}');
    buf_done(&text);
}

/* --- e-mail --------------------------------------------------------------------------------------------- */

static void put_base64(const struct buf *text, struct buf *out)
{
    static const char digits[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
    const unsigned char *s = (const unsigned char *)text->data;
    for (size_t i = 0; i < text->size; i += 3) {
        const size_t n = MIN_OF(text->size - i, (size_t)3);
        const uint32_t bits = (uint32_t)s[i] << 16 | (n > 1 ? (uint32_t)s[i + 1] << 8 : 0) | (n > 2 ? s[i + 2] : 0u);
        const char group[] = { digits[bits >> 18], digits[bits >> 12 & 63], n > 1 ? digits[bits >> 6 & 63] : '=',
                               n > 2 ? digits[bits & 63] : '=' };
        (void)buf_add(out, group, sizeof group);
        if (i % 57 == 54) /* 76 columns */
            (void)buf_adds(out, "\r\n");
    }
    (void)buf_adds(out, "\r\n");
}

/* Headers have words of ours and the configuration's only; the text is base64, so no line of it can be one. */
static void write_email(const struct digest *d, const char *subject, const struct letter *l, struct buf *out)
{
    struct buf text;
    buf_init(&text, 128 * KIB);
    put_plain_line(subject, &text);
    each_line(d, &text, put_plain_line);
    (void)buf_addf(out,
                   "From: sandbox-agent <%s>\r\nTo: <%s>\r\nSubject: %s\r\nDate: %s\r\nMessage-ID: <%s>\r\n"
                   "Auto-Submitted: auto-generated\r\nMIME-Version: 1.0\r\n"
                   "Content-Type: text/plain; charset=utf-8\r\nContent-Transfer-Encoding: base64\r\n\r\n",
                   l->from, l->to, subject, l->date, l->id);
    if (text.data)
        put_base64(&text, out);
    buf_done(&text);
}

void message_write(enum channel_kind kind, const struct digest *d, const char *host, const struct letter *letter,
                   struct buf *out)
{
    struct buf subject;
    buf_init(&subject, KIB);
    put_subject(d, host, &subject);
    const char *words = subject.data ? subject.data : "sandbox-agent";
    switch (kind) {
    case CHANNEL_EMAIL:
        write_email(d, words, letter, out);
        break;
    case CHANNEL_SLACK:
        write_slack(d, words, out);
        break;
    case CHANNEL_TEAMS:
        write_teams(d, words, out);
        break;
    case CHANNEL_MATRIX:
        write_matrix(d, words, out);
        break;
    case CHANNEL_KINDS:
        break;
    }
    buf_done(&subject);
}
