/* webhook_send.c - posts through libcurl, many at once in one thread.
 *
 * What a receiver can do to us is bounded: time (timeout_ms for everything), bytes of its answer, and where it sends us
 * (no redirects, no proxy, no other protocol). Where a name leads is looked at when the socket is made, for the very
 * address that will be connected to: a name that answers differently the second time gains nothing.
 */
#include "daemon/webhook_internal.h"

#include <curl/curl.h>
#include <netinet/in.h>
#include <stdio.h>

#define MAX_ANSWER (64 * KIB) /* head, and body: more is not read */

struct sender {
    CURLM *multi;
    struct transfer *transfers;
};
struct transfer {
    struct transfer *next;
    CURL *easy;
    struct curl_slist *headers;
    void *tag;
    bool allow_private;
    const struct webhook_keys *keys;
    unsigned refused, opened; /* addresses */
    struct net_address last_refused;
    size_t received;
    char why[CURL_ERROR_SIZE];
};

/* --- what libcurl calls ------------------------------------------------------------------------------- */

static void note_refused(struct transfer *t, const struct curl_sockaddr *a)
{
    t->refused++;
    if (a->family == AF_INET6)
        t->last_refused = net_address_from(AF_INET6, &((const struct sockaddr_in6 *)(const void *)&a->addr)->sin6_addr);
    else if (a->family == AF_INET)
        t->last_refused = net_address_from(AF_INET, &((const struct sockaddr_in *)(const void *)&a->addr)->sin_addr);
}

static curl_socket_t open_socket(void *context, curlsocktype purpose, struct curl_sockaddr *a)
{
    struct transfer *t = context;
    if (purpose != CURLSOCKTYPE_IPCXN || !webhook_may_connect_to(&a->addr, a->addrlen, t->allow_private)) {
        note_refused(t, a);
        return CURL_SOCKET_BAD;
    }
    t->opened++;
    return socket(a->family, a->socktype | SOCK_CLOEXEC, a->protocol);
}

/* Answers are counted, not kept. */
static size_t discard(char *data, size_t size, size_t count, void *context)
{
    struct transfer *t = context;
    (void)data;
    t->received += size * count;
    return t->received <= MAX_ANSWER ? size * count : 0;
}

/* --- one transfer ------------------------------------------------------------------------------------- */

static bool add_header(struct transfer *t, const char *line)
{
    struct curl_slist *longer = curl_slist_append(t->headers, line);
    t->headers = longer ? longer : t->headers;
    return longer != NULL;
}

static bool set_headers(struct transfer *t, const struct sender_post *p)
{
    bool ok = add_header(t, "Content-Type: application/json") && add_header(t, "User-Agent: sandbox-agent/" VERSION) &&
              add_header(t, "Expect:");
    for (size_t i = 0; ok && i < SENDER_HEADERS && p->headers[i]; i++)
        ok = add_header(t, p->headers[i]);
    return ok && curl_easy_setopt(t->easy, CURLOPT_HTTPHEADER, t->headers) == CURLE_OK;
}

static bool set_post(const struct transfer *t, const struct sender_post *p)
{
    CURL *c = t->easy;
    return curl_easy_setopt(c, CURLOPT_URL, p->url) == CURLE_OK && curl_easy_setopt(c, CURLOPT_POST, 1L) == CURLE_OK &&
           curl_easy_setopt(c, CURLOPT_POSTFIELDSIZE_LARGE, (curl_off_t)p->size) == CURLE_OK &&
           curl_easy_setopt(c, CURLOPT_POSTFIELDS, p->body) == CURLE_OK &&
           (!p->ca_file || (curl_easy_setopt(c, CURLOPT_CAINFO, p->ca_file) == CURLE_OK &&
                            curl_easy_setopt(c, CURLOPT_CAPATH, NULL) == CURLE_OK)) && /* else the system's, too */
           curl_easy_setopt(c, CURLOPT_TIMEOUT_MS, (long)p->timeout_ms) == CURLE_OK &&
           curl_easy_setopt(c, CURLOPT_CONNECTTIMEOUT_MS, (long)p->timeout_ms) == CURLE_OK;
}

/* Nothing of the environment, nothing of the user's files, nowhere but where the URL says. */
static bool set_fences(struct transfer *t)
{
    CURL *c = t->easy;
    return curl_easy_setopt(c, CURLOPT_PROTOCOLS_STR, "http,https") == CURLE_OK &&
           curl_easy_setopt(c, CURLOPT_FOLLOWLOCATION, 0L) == CURLE_OK &&
           curl_easy_setopt(c, CURLOPT_PROXY, "") == CURLE_OK &&
           curl_easy_setopt(c, CURLOPT_NETRC, (long)CURL_NETRC_IGNORED) == CURLE_OK &&
           curl_easy_setopt(c, CURLOPT_SSL_VERIFYPEER, 1L) == CURLE_OK &&
           curl_easy_setopt(c, CURLOPT_SSL_VERIFYHOST, 2L) == CURLE_OK &&
           curl_easy_setopt(c, CURLOPT_HTTP_VERSION, (long)CURL_HTTP_VERSION_1_1) == CURLE_OK &&
           curl_easy_setopt(c, CURLOPT_OPENSOCKETFUNCTION, open_socket) == CURLE_OK &&
           curl_easy_setopt(c, CURLOPT_OPENSOCKETDATA, t) == CURLE_OK &&
           /* a connection into the private network is for this post, not for one that comes when that is no longer
              allowed */
           curl_easy_setopt(c, CURLOPT_FORBID_REUSE, (long)t->allow_private) == CURLE_OK;
}

static bool set_rest(struct transfer *t)
{
    CURL *c = t->easy;
    return curl_easy_setopt(c, CURLOPT_NOSIGNAL, 1L) == CURLE_OK &&
           /* a resolver that does not answer must not hold up the others: libcurl would wait for its thread (curl issue
              8515) */
           curl_easy_setopt(c, CURLOPT_QUICK_EXIT, 1L) == CURLE_OK &&
           curl_easy_setopt(c, CURLOPT_PRIVATE, t) == CURLE_OK &&
           curl_easy_setopt(c, CURLOPT_WRITEFUNCTION, discard) == CURLE_OK &&
           curl_easy_setopt(c, CURLOPT_WRITEDATA, t) == CURLE_OK &&
           curl_easy_setopt(c, CURLOPT_HEADERFUNCTION, discard) == CURLE_OK &&
           curl_easy_setopt(c, CURLOPT_HEADERDATA, t) == CURLE_OK &&
           curl_easy_setopt(c, CURLOPT_ERRORBUFFER, t->why) == CURLE_OK;
}

static void free_transfer(struct transfer *t)
{
    curl_easy_cleanup(t->easy); /* accepts NULL, and so does the next */
    curl_slist_free_all(t->headers);
    free(t);
}

static void remove_transfer(struct sender *s, struct transfer *t)
{
    struct transfer **at = &s->transfers;
    while (*at != t)
        at = &(*at)->next;
    *at = t->next;
    (void)curl_multi_remove_handle(s->multi, t->easy);
    free_transfer(t);
}

int sender_start(struct sender *s, const struct sender_post *p)
{
    struct transfer *t = calloc(1, sizeof *t);
    if (!t)
        return -ENOMEM;
    t->tag = p->tag;
    t->allow_private = p->allow_private;
    t->keys = p->keys;
    t->easy = curl_easy_init();
    if (!t->easy || !set_post(t, p) || !set_fences(t) || !set_rest(t) || !set_headers(t, p) ||
        curl_multi_add_handle(s->multi, t->easy) != CURLM_OK) {
        free_transfer(t);
        return -ENOMEM;
    }
    t->next = s->transfers;
    s->transfers = t;
    return 0;
}

/* --- how it ended ------------------------------------------------------------------------------------- */

static bool is_hopeless(CURLcode code)
{
    return code == CURLE_PEER_FAILED_VERIFICATION || code == CURLE_URL_MALFORMAT || code == CURLE_UNSUPPORTED_PROTOCOL;
}

/* Once there is a status it decides, whatever became of the rest of the answer. */
static void judge(const struct transfer *t, CURLcode code, struct sender_result *ret)
{
    long status = 0;
    curl_off_t wait_s = 0;
    char address[NET_ADDRESS_MAX];
    (void)curl_easy_getinfo(t->easy, CURLINFO_RESPONSE_CODE, &status);
    if (status >= 200) {
        (void)curl_easy_getinfo(t->easy, CURLINFO_RETRY_AFTER, &wait_s);
        ret->verdict = webhook_verdict((unsigned)status);
        ret->retry_after_ms = wait_s > 0 ? (uint64_t)MIN_OF(wait_s, (curl_off_t)86400) * 1000 : 0;
        (void)snprintf(ret->text, sizeof ret->text, "it answered %ld", status);
    } else if (t->refused && !t->opened) {
        net_address_format(&t->last_refused, address);
        ret->verdict = WEBHOOK_HOPELESS;
        const bool is_private = webhook_may_connect(&t->last_refused, true);
        (void)snprintf(ret->text, sizeof ret->text, "%s is a %s address: nothing is posted there%s%s%s", address,
                       net_scope_name(net_scope_of(&t->last_refused)), is_private ? " (" : "",
                       is_private ? t->keys->allow_private : "", is_private ? ")" : "");
    } else {
        ret->verdict = is_hopeless(code) ? WEBHOOK_HOPELESS : WEBHOOK_AGAIN;
        (void)snprintf(ret->text, sizeof ret->text, "%s", t->why[0] ? t->why : curl_easy_strerror(code));
    }
}

static unsigned tell_ended(struct sender *s, void (*ended)(void *context, const struct sender_result *r), void *context)
{
    int left;
    unsigned n = 0;
    for (const CURLMsg *m; (m = curl_multi_info_read(s->multi, &left));) {
        struct transfer *t = NULL;
        if (m->msg != CURLMSG_DONE)
            continue;
        (void)curl_easy_getinfo(m->easy_handle, CURLINFO_PRIVATE, &t);
        struct sender_result r = { .tag = t->tag };
        judge(t, m->data.result, &r);
        remove_transfer(s, t); /* m is gone with it */
        ended(context, &r);
        n++;
    }
    return n;
}

/* --- the whole ---------------------------------------------------------------------------------------- */

int sender_open(struct sender **ret, struct error *err)
{
    struct sender *s = calloc(1, sizeof *s);
    if (!s || curl_global_init(CURL_GLOBAL_DEFAULT) != CURLE_OK) {
        free(s);
        return err_set(err, -ENOMEM, BLAME_HOST, NULL, "webhooks: libcurl cannot be started");
    }
    s->multi = curl_multi_init();
    if (!s->multi) {
        curl_global_cleanup();
        free(s);
        return err_set(err, -ENOMEM, BLAME_HOST, NULL, "webhooks: no memory");
    }
    (void)curl_multi_setopt(s->multi, CURLMOPT_MAXCONNECTS,
                            (long)WEBHOOK_IN_FLIGHT); /* else it keeps four times what is under way */
    *ret = s;
    return 0;
}

void sender_work(struct sender *s, uint32_t max_ms, void (*ended)(void *context, const struct sender_result *r),
                 void *context)
{
    int live;
    (void)curl_multi_perform(s->multi, &live);
    if (tell_ended(s, ended, context))
        return; /* there may be room for others */
    (void)curl_multi_poll(s->multi, NULL, 0, (int)max_ms, NULL);
    (void)curl_multi_perform(s->multi, &live);
    (void)tell_ended(s, ended, context);
}

void sender_wake(struct sender *s)
{
    (void)curl_multi_wakeup(s->multi);
}

struct sender *sender_close(struct sender *s, void (*ended)(void *context, const struct sender_result *r),
                            void *context)
{
    if (!s)
        return NULL;
    while (s->transfers) {
        struct sender_result r = { .tag = s->transfers->tag, .verdict = WEBHOOK_AGAIN, .text = "broken off" };
        remove_transfer(s, s->transfers);
        ended(context, &r);
    }
    (void)curl_multi_cleanup(s->multi);
    curl_global_cleanup();
    free(s);
    return NULL;
}
