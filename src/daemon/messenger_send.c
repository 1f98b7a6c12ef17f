/* messenger_send.c - one message, through libcurl.
 *
 * Bounded as a post to a webhook is: 10 s for everything, 64 KiB of the answer, no redirects, no proxy, no other
 * protocol. An address is not looked at: where chat and mail server lie is the operator's word, in a file that agents
 * do not reach. A mail server beyond the loopback is spoken to by TLS or not at all.
 */
#include <curl/curl.h>
#include <stdio.h>

#include "audit/hmac.h"
#include "base/secret_file.h"
#include "daemon/loopback.h"
#include "daemon/messenger_internal.h"
#include "daemon/webhook_internal.h"
#include "http/http.h"

#define TIMEOUT_MS 10000L
#define MAX_ANSWER (64 * KIB)

/* --- settings ------------------------------------------------------------------------------------------- */

/* The first lines of it; a line that is missing is empty. */
static int read_secret_file(const char *what, const char *path, char *ret_first, char *ret_second, struct error *err)
{
    char text[2 * CHANNEL_SECRET_MAX], *at = text, *parts[] = { ret_first, ret_second };
    int e = secret_file_read(what, path, text, sizeof text, err);
    if (e < 0)
        return e;
    for (size_t i = 0; i < ARRAY_LEN(parts) && parts[i]; i++) {
        const char *line = secret_file_line(&at);
        (void)snprintf(parts[i], CHANNEL_SECRET_MAX, "%s", line ? line : "");
    }
    secret_wipe(text, sizeof text);
    return 0;
}

static bool has_odd(const char *s)
{
    for (; *s; s++)
        if ((unsigned char)*s <= ' ' || *s == 127 || strchr("<>\",;", *s))
            return true;
    return false;
}

static int check_address(const char *key, const char *address, struct error *err)
{
    if (!address || has_odd(address) || strlen(address) > 250 || !strchr(address, '@'))
        return err_set(err, -EINVAL, BLAME_CALLER, NULL,
                       "%s: '%.60s' is not accepted; expected an address such as "
                       "ops@example.org",
                       key, address ? address : "");
    return 0;
}

static int load_email(const struct config *c, const char *to, struct channel *ret, struct error *err)
{
    const char *url = c->monitoring.alerts.smtp.url, *from = c->monitoring.alerts.smtp.from;
    int e = check_address("monitoring.alerts.channels: email", to, err);
    if (e == 0)
        e = check_address("monitoring.alerts.smtp.from", from, err);
    if (e == 0 && (!url || (!str_starts(url, "smtps://") && !str_starts(url, "smtp://")) || has_odd(url)))
        e = err_set(err, -EINVAL, BLAME_CALLER, NULL,
                    "monitoring.alerts.smtp.url: '%.60s' is not accepted; expected smtps://HOST[:PORT] or, with "
                    "STARTTLS, smtp://HOST[:PORT]",
                    url ? url : "");
    if (e == 0 && c->monitoring.alerts.smtp.password_file)
        e = read_secret_file("monitoring.alerts.smtp.password_file", c->monitoring.alerts.smtp.password_file,
                             ret->secret, NULL, err);
    if (e < 0)
        return e;
    const char *user = c->monitoring.alerts.smtp.user, *ca = c->monitoring.alerts.smtp.ca_file;
    (void)snprintf(ret->url, sizeof ret->url, "%s", url);
    (void)snprintf(ret->to, sizeof ret->to, "%s", to);
    (void)snprintf(ret->from, sizeof ret->from, "%s", from);
    (void)snprintf(ret->user, sizeof ret->user, "%s", user ? user : "");
    (void)snprintf(ret->ca_file, sizeof ret->ca_file, "%s", ca ? ca : "");
    return 0;
}

static int load_chat(const char *channel, const char *path, struct channel *ret, struct error *err)
{
    int e = read_secret_file(channel, path, ret->url, ret->kind == CHANNEL_MATRIX ? ret->secret : NULL, err);
    if (e < 0)
        return e;
    const bool is_plain = str_starts(ret->url, "http://") && url_is_loopback(ret->url); /* what it says is a secret */
    if ((!str_starts(ret->url, "https://") && !is_plain) || has_odd(ret->url) ||
        (ret->kind == CHANNEL_MATRIX && (!ret->secret[0] || has_odd(ret->secret))))
        return err_set(err, -EINVAL, BLAME_CALLER, NULL, "%s: expected %s", channel,
                       ret->kind == CHANNEL_MATRIX ? "the room's URL in the first line (https://SERVER/_matrix/client/"
                                                     "v3/rooms/ROOM) and an access token in the second"
                                                   : "a URL with https://, in the first line");
    return 0;
}

int people_load(const struct config *c, const char *channel, struct channel *ret, struct error *err)
{
    const char *rest;
    *ret = (struct channel){ 0 };
    if (!people_parse(channel, &ret->kind, &rest))
        return err_set(err, -EINVAL, BLAME_US, NULL, "%s is no channel of the messenger", channel);
    (void)snprintf(ret->shown, sizeof ret->shown, "%s", channel);
    return ret->kind == CHANNEL_EMAIL ? load_email(c, rest, ret, err) : load_chat(channel, rest, ret, err);
}

/* --- sending -------------------------------------------------------------------------------------------- */

struct sending {
    const struct buf *body;
    size_t sent, received;
    bool (*stops)(void *);
    void *context;
};

static size_t give(char *to, size_t size, size_t count, void *context)
{
    struct sending *s = context;
    const size_t n = MIN_OF(size * count, s->body->size - s->sent);
    memcpy(to, s->body->data + s->sent, n);
    s->sent += n;
    return n;
}

static size_t discard(char *data, size_t size, size_t count, void *context)
{
    struct sending *s = context;
    (void)data;
    s->received += size * count;
    return s->received > MAX_ANSWER ? 0 : size * count;
}

static int look(void *context, curl_off_t a, curl_off_t b, curl_off_t c, curl_off_t d)
{
    struct sending *s = context;
    (void)a, (void)b, (void)c, (void)d;
    return s->stops && s->stops(s->context);
}

#define SET(option, value) (curl_easy_setopt(c, option, value) == CURLE_OK)

static bool set_common(CURL *c, struct sending *s, char *why)
{
    return SET(CURLOPT_PROTOCOLS_STR, "http,https,smtp,smtps") && SET(CURLOPT_FOLLOWLOCATION, 0L) &&
           SET(CURLOPT_PROXY, "") && SET(CURLOPT_NETRC, (long)CURL_NETRC_IGNORED) && SET(CURLOPT_NOSIGNAL, 1L) &&
           SET(CURLOPT_SSL_VERIFYPEER, 1L) && SET(CURLOPT_SSL_VERIFYHOST, 2L) && SET(CURLOPT_TIMEOUT_MS, TIMEOUT_MS) &&
           SET(CURLOPT_CONNECTTIMEOUT_MS, TIMEOUT_MS) && SET(CURLOPT_NOPROGRESS, 0L) &&
           SET(CURLOPT_XFERINFOFUNCTION, look) && SET(CURLOPT_XFERINFODATA, s) && SET(CURLOPT_WRITEFUNCTION, discard) &&
           SET(CURLOPT_WRITEDATA, s) && SET(CURLOPT_ERRORBUFFER, why) && SET(CURLOPT_QUICK_EXIT, 1L);
}

static bool set_email(CURL *c, const struct channel *ch, struct sending *s, struct curl_slist **to)
{
    char address[260];
    (void)snprintf(address, sizeof address, "<%s>", ch->to);
    *to = curl_slist_append(NULL, address);
    const bool is_plain = str_starts(ch->url, "smtp://") && url_is_loopback(ch->url);
    return *to && SET(CURLOPT_URL, ch->url) && SET(CURLOPT_MAIL_FROM, ch->from) && SET(CURLOPT_MAIL_RCPT, *to) &&
           SET(CURLOPT_USE_SSL, (long)(is_plain ? CURLUSESSL_TRY : CURLUSESSL_ALL)) && SET(CURLOPT_UPLOAD, 1L) &&
           SET(CURLOPT_READFUNCTION, give) && SET(CURLOPT_READDATA, s) &&
           SET(CURLOPT_INFILESIZE_LARGE, (curl_off_t)s->body->size) &&
           (!ch->ca_file[0] || (SET(CURLOPT_CAINFO, ch->ca_file) && SET(CURLOPT_CAPATH, NULL))) && /* else both */
           (!ch->user[0] || (SET(CURLOPT_USERNAME, ch->user) && SET(CURLOPT_PASSWORD, ch->secret)));
}

static bool set_chat(CURL *c, const struct channel *ch, const char *transaction, struct sending *s,
                     struct curl_slist **headers)
{
    char url[CHANNEL_SECRET_MAX + 128], line[CHANNEL_SECRET_MAX + 32];
    const bool is_matrix = ch->kind == CHANNEL_MATRIX;
    (void)snprintf(url, sizeof url, "%s%s%s", ch->url, is_matrix ? "/send/m.room.message/" : "",
                   is_matrix ? transaction : "");
    *headers = curl_slist_append(NULL, "Content-Type: application/json");
    if (*headers && is_matrix) {
        (void)snprintf(line, sizeof line, "Authorization: Bearer %s", ch->secret);
        struct curl_slist *more = curl_slist_append(*headers, line);
        secret_wipe(line, sizeof line);
        if (!more)
            return false;
        *headers = more;
    }
    return *headers && SET(CURLOPT_URL, url) && SET(CURLOPT_HTTPHEADER, *headers) &&
           SET(CURLOPT_POSTFIELDSIZE_LARGE, (curl_off_t)s->body->size) && SET(CURLOPT_POSTFIELDS, s->body->data) &&
           SET(CURLOPT_HTTP_VERSION, (long)CURL_HTTP_VERSION_1_1) && (!is_matrix || SET(CURLOPT_CUSTOMREQUEST, "PUT"));
}

/* Of HTTP the status decides; of SMTP a permanent refusal (5xx) does, and what no further attempt changes. */
static enum sent judge(CURL *c, const struct channel *ch, CURLcode code, const char *words, char why[static 200])
{
    long status = 0;
    (void)curl_easy_getinfo(c, CURLINFO_RESPONSE_CODE, &status);
    if (ch->kind != CHANNEL_EMAIL && status >= 200) {
        static const enum sent of[] = {
            [WEBHOOK_DELIVERED] = SENT_WELL, [WEBHOOK_AGAIN] = SENT_AGAIN, [WEBHOOK_HOPELESS] = SENT_HOPELESS
        };
        (void)snprintf(why, 200, "it answered %ld", status);
        return of[webhook_verdict((unsigned)status)];
    }
    if (code == CURLE_OK)
        return SENT_WELL;
    (void)snprintf(why, 200, "%s", words[0] ? words : curl_easy_strerror(code));
    for (char *p = why; *p; p++) /* a server's words */
        if ((unsigned char)*p < ' ' || *p == 127)
            *p = '?';
    const bool is_hopeless = code == CURLE_PEER_FAILED_VERIFICATION || code == CURLE_LOGIN_DENIED ||
                             code == CURLE_USE_SSL_FAILED || code == CURLE_UNSUPPORTED_PROTOCOL ||
                             code == CURLE_URL_MALFORMAT || (ch->kind == CHANNEL_EMAIL && status >= 500);
    return is_hopeless ? SENT_HOPELESS : SENT_AGAIN;
}

enum sent message_send(const struct channel *ch, const struct buf *body, const char *transaction, bool (*stops)(void *),
                       void *context, char why[static 200])
{
    char words[CURL_ERROR_SIZE] = "";
    struct curl_slist *list = NULL;
    struct sending s = { .body = body, .stops = stops, .context = context };
    enum sent sent = SENT_AGAIN;
    CURL *c = curl_easy_init();
    (void)snprintf(why, 200, "no memory");
    if (c && set_common(c, &s, words) &&
        (ch->kind == CHANNEL_EMAIL ? set_email(c, ch, &s, &list) : set_chat(c, ch, transaction, &s, &list)))
        sent = judge(c, ch, curl_easy_perform(c), words, why);
    curl_easy_cleanup(c); /* accepts NULL, and so does the next */
    curl_slist_free_all(list);
    return sent;
}
