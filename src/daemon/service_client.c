#include "daemon/service_client.h"

#include <ctype.h>
#include <curl/curl.h>
#include <fcntl.h>
#include <jansson.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#include "audit/hmac.h"
#include "daemon/loopback.h"

#define SOCKET_SCHEME "unix://"
#define DEFAULT_URL   "http://127.0.0.1:8080"
#define BASE_PATH     "/api/v1/sandbox"
#define MESSAGE_BYTES 300
#define LOOK_MS       1000

/* --- where it is -------------------------------------------------------------------------------------------- */

static const char *from_environment(const char *name)
{
    const char *v = getenv(name);
    return v && *v ? v : NULL;
}

/* «http://host:8080» -> with the base path, unless it has one. */
static const char *whole_url(const char *url, char *to, size_t size)
{
    const char *host = strstr(url, "://"), *path = host ? strchr(host + 3, '/') : NULL;
    if (str_starts(url, SOCKET_SCHEME) || (path && path[1]))
        return url;
    (void)snprintf(to, size, "%.*s" BASE_PATH, (int)(path ? (size_t)(path - url) : strlen(url)), url);
    return to;
}

bool service_client_settle(struct service_client *c)
{
    const char *url = c->url ? c->url : from_environment("SANDBOX_AGENT_URL");
    c->url = whole_url(url ? url : DEFAULT_URL, c->whole, sizeof c->whole);
    if (!c->key_file)
        c->key = from_environment("SANDBOX_AGENT_API_KEY");
    if (!c->ca)
        c->ca = from_environment("SANDBOX_AGENT_CA_FILE");
    return url != NULL;
}

static bool is_local(const char *url)
{
    return str_starts(url, SOCKET_SCHEME) || url_is_loopback(url);
}

static int read_key_file(const struct service_client *c, char *text, size_t size, struct error *err)
{
    cleanup(closep) int fd = open(c->key_file, O_RDONLY | O_CLOEXEC);
    ssize_t n = fd < 0 ? -1 : read(fd, text, size - 1);
    if (n < 0)
        return err_set(err, -errno, BLAME_CALLER, NULL, "--key-file %s: %m", c->key_file);
    text[n] = '\0';
    text[strcspn(text, "\r\n")] = '\0';
    return 0;
}

int service_client_open(struct service_client *c, struct error *err)
{
    char text[128] = "";
    if (curl_global_init(CURL_GLOBAL_DEFAULT) != CURLE_OK)
        return err_set(err, -ENOMEM, BLAME_HOST, NULL, "libcurl does not start");
    if (!c->key_file && !c->key)
        return 0;
    if (!str_starts(c->url, "https://") && !is_local(c->url)) {
        (void)err_set(err, -EINVAL, BLAME_CALLER, NULL, "--url %s: the key would go over the network in the clear",
                      c->url);
        return err_remedy(err, "use https, or a tunnel that ends on this machine");
    }
    if (c->key_file) {
        int e = read_key_file(c, text, sizeof text, err);
        if (e < 0)
            return e;
    }
    const char *key = c->key_file ? text : c->key;
    if (!access_token_is_valid(key))
        return err_set(err, -EINVAL, BLAME_CALLER, NULL, "%s%s: is no key of the service",
                       c->key_file ? "--key-file " : "SANDBOX_AGENT_API_KEY", c->key_file ? c->key_file : "");
    (void)snprintf(c->bearer, sizeof c->bearer, "Authorization: Bearer %s", key);
    secret_wipe(text, sizeof text);
    return 0;
}

void service_client_done(struct service_client *c)
{
    secret_wipe(c->bearer, sizeof c->bearer);
}

/* --- one request -------------------------------------------------------------------------------------------- */

struct asking {
    const struct service_request *request;
    CURL *handle;
    struct buf *out;
};

static size_t take(char *data, size_t size, size_t n, void *context)
{
    struct asking *k = context;
    long status = 0;
    if (k->request->take && curl_easy_getinfo(k->handle, CURLINFO_RESPONSE_CODE, &status) == CURLE_OK &&
        status / 100 == 2)
        return k->request->take(k->request->context, data, size * n) ? size * n : 0;
    return buf_add(k->out, data, size * n) < 0 ? 0 : size * n;
}

static size_t take_header(char *data, size_t size, size_t n, void *context)
{
    const struct asking *k = context;
    const struct service_request *r = k->request;
    const char *end = data + size * n, *at = data + (r->wanted ? strlen(r->wanted) : 0);
    if (!r->wanted || at >= end || *at != ':' || strncasecmp(data, r->wanted, strlen(r->wanted)) != 0)
        return size * n;
    for (at++; at < end && *at == ' '; at++)
        ;
    while (end > at && strchr("\r\n ", end[-1]))
        end--;
    if ((size_t)(end - at) < r->wanted_size)
        (void)snprintf(r->ret_wanted, r->wanted_size, "%.*s", (int)(end - at), at);
    return size * n;
}

static size_t give(char *to, size_t size, size_t n, void *context)
{
    const struct asking *k = context;
    const ssize_t given = k->request->give(k->request->context, to, size * n);
    return given < 0 ? CURL_READFUNC_ABORT : (size_t)given;
}

/* «unix:///run/sandbox.sock» -> http://localhost and the socket. */
static bool set_address(CURL *h, const struct service_client *c, const struct service_request *r)
{
    char url[16 * KIB];
    const char *path = r->path;
    const bool is_socket = str_starts(c->url, SOCKET_SCHEME);
    size_t n = strlen(c->url);
    n -= n && c->url[n - 1] == '/';
    if (!is_socket && r->is_outside && strstr(c->url, "://"))
        n = (size_t)(strstr(c->url, "://") - c->url) + 3 + strcspn(strstr(c->url, "://") + 3, "/");
    int size = is_socket ? snprintf(url, sizeof url, "http://localhost%s%s", r->is_outside ? "" : BASE_PATH, path)
                         : snprintf(url, sizeof url, "%.*s%s", (int)n, c->url, path);
    return size < (int)sizeof url && curl_easy_setopt(h, CURLOPT_URL, url) == CURLE_OK &&
           curl_easy_setopt(h, CURLOPT_PATH_AS_IS, 1L) == CURLE_OK &&
           (!is_socket || curl_easy_setopt(h, CURLOPT_UNIX_SOCKET_PATH, c->url + strlen(SOCKET_SCHEME)) == CURLE_OK);
}

static bool set_request(CURL *h, const struct service_request *r, struct curl_slist *headers)
{
    return curl_easy_setopt(h, CURLOPT_TIMEOUT_MS, (long)r->timeout_ms) == CURLE_OK &&
           curl_easy_setopt(h, CURLOPT_HTTPHEADER, headers) == CURLE_OK &&
           (!r->body || curl_easy_setopt(h, CURLOPT_POSTFIELDS, r->body) == CURLE_OK) &&
           (!r->body || curl_easy_setopt(h, CURLOPT_POSTFIELDSIZE_LARGE, (curl_off_t)strlen(r->body)) == CURLE_OK) &&
           (!r->give || curl_easy_setopt(h, CURLOPT_UPLOAD, 1L) == CURLE_OK) &&
           curl_easy_setopt(h, CURLOPT_CUSTOMREQUEST, r->method) == CURLE_OK;
}

static bool set_up(struct asking *k, const struct service_client *c, char *why)
{
    CURL *h = k->handle;
    return curl_easy_setopt(h, CURLOPT_PROTOCOLS_STR, "http,https") == CURLE_OK &&
           curl_easy_setopt(h, CURLOPT_FOLLOWLOCATION, 0L) == CURLE_OK &&
           curl_easy_setopt(h, CURLOPT_PROXY, "") == CURLE_OK &&
           curl_easy_setopt(h, CURLOPT_NETRC, (long)CURL_NETRC_IGNORED) == CURLE_OK &&
           (!c->ca || (curl_easy_setopt(h, CURLOPT_CAINFO, c->ca) == CURLE_OK &&
                       curl_easy_setopt(h, CURLOPT_CAPATH, NULL) == CURLE_OK)) &&
           (!c->certificate || (curl_easy_setopt(h, CURLOPT_SSLCERT, c->certificate) == CURLE_OK &&
                                curl_easy_setopt(h, CURLOPT_SSLKEY, c->certificate_key) == CURLE_OK)) &&
           curl_easy_setopt(h, CURLOPT_CONNECTTIMEOUT_MS, (long)c->connect_ms) == CURLE_OK &&
           curl_easy_setopt(h, CURLOPT_NOSIGNAL, 1L) == CURLE_OK &&
           curl_easy_setopt(h, CURLOPT_TCP_KEEPALIVE, 1L) == CURLE_OK &&
           curl_easy_setopt(h, CURLOPT_READFUNCTION, give) == CURLE_OK &&
           curl_easy_setopt(h, CURLOPT_READDATA, k) == CURLE_OK &&
           curl_easy_setopt(h, CURLOPT_WRITEFUNCTION, take) == CURLE_OK &&
           curl_easy_setopt(h, CURLOPT_WRITEDATA, k) == CURLE_OK &&
           curl_easy_setopt(h, CURLOPT_HEADERFUNCTION, take_header) == CURLE_OK &&
           curl_easy_setopt(h, CURLOPT_HEADERDATA, k) == CURLE_OK &&
           curl_easy_setopt(h, CURLOPT_ERRORBUFFER, why) == CURLE_OK;
}

/* NULL: no memory for all of them. */
static struct curl_slist *with(struct curl_slist *list, const char *header)
{
    struct curl_slist *longer = list ? curl_slist_append(list, header) : NULL;
    if (!longer)
        curl_slist_free_all(list);
    return longer;
}

/* No «Expect: 100-continue»: a service that refuses says so at once, and one that does not is not waited for. */
static struct curl_slist *headers_of(const struct service_client *c, const struct service_request *r)
{
    struct curl_slist *list = curl_slist_append(NULL, "Expect:");
    list = with(list, r->give ? "Content-Type: application/octet-stream" : "Content-Type: application/json");
    for (size_t i = 0; r->headers && r->headers[i]; i++)
        list = with(list, r->headers[i]);
    return c->bearer[0] ? with(list, c->bearer) : list;
}

/* Until it is over, or *stop can be read (CURLE_ABORTED_BY_CALLBACK). */
static CURLcode go_on(CURLM *m, const int *stop)
{
    struct curl_waitfd waiting = { .fd = stop ? *stop : -1, .events = CURL_WAIT_POLLIN };
    for (;;) {
        int running, left;
        if (curl_multi_perform(m, &running) != CURLM_OK)
            return CURLE_OUT_OF_MEMORY;
        const CURLMsg *said = curl_multi_info_read(m, &left);
        if (said && said->msg == CURLMSG_DONE)
            return said->data.result;
        if (curl_multi_poll(m, &waiting, stop ? 1 : 0, LOOK_MS, NULL) != CURLM_OK)
            return CURLE_OUT_OF_MEMORY;
        if (waiting.revents)
            return CURLE_ABORTED_BY_CALLBACK;
    }
}

static CURLcode perform(CURL *h, const int *stop)
{
    CURLM *m = curl_multi_init();
    CURLcode code = CURLE_OUT_OF_MEMORY;
    if (m && curl_multi_add_handle(m, h) == CURLM_OK) {
        code = go_on(m, stop);
        (void)curl_multi_remove_handle(m, h);
    }
    (void)curl_multi_cleanup(m);
    return code;
}

int service_client_ask(const struct service_client *c, const struct service_request *r, long *ret_status,
                       struct buf *out, struct error *err)
{
    char why[CURL_ERROR_SIZE] = "";
    struct asking k = { .request = r, .handle = curl_easy_init(), .out = out };
    struct curl_slist *headers = headers_of(c, r);
    buf_init(out, r->max_bytes);
    CURLcode code = CURLE_OUT_OF_MEMORY;
    if (k.handle && headers && set_address(k.handle, c, r) && set_request(k.handle, r, headers) && set_up(&k, c, why))
        code = perform(k.handle, r->stop);
    if (code == CURLE_OK)
        (void)curl_easy_getinfo(k.handle, CURLINFO_RESPONSE_CODE, ret_status);
    curl_easy_cleanup(k.handle);
    curl_slist_free_all(headers);
    if (code == CURLE_OK)
        return 0;
    return err_set(err, code == CURLE_ABORTED_BY_CALLBACK && r->stop ? -ECANCELED : -EIO, BLAME_HOST, NULL, "%s%s: %s",
                   c->url, r->path, why[0] ? why : curl_easy_strerror(code));
}

/* --- what it says ------------------------------------------------------------------------------------------- */

static const char *text_of(const json_t *object, const char *name)
{
    return json_string_value(json_object_get(object, name));
}

/* cause: why its program could not be started; or NULL. */
static enum blame blame_of(const char *code, const char *cause)
{
    static const char *const callers[] = { "invalid_request", "invalid_value",  "unauthenticated",
                                           "forbidden",       "body_too_large", "not_found" };
    if (cause)
        return BLAME_GUEST;
    if (code && (str_eq(code, "policy_denied") || str_eq(code, "rate_limited") || str_eq(code, "queue_full")))
        return BLAME_POLICY;
    for (size_t i = 0; code && i < ARRAY_LEN(callers); i++)
        if (str_eq(code, callers[i]))
            return BLAME_CALLER;
    return BLAME_HOST;
}

int service_client_refusal(const json_t *error, long status, struct error *err)
{
    const json_t *details = json_object_get(error, "details");
    const char *code = text_of(error, "code"), *message = text_of(error, "message"),
               *remedy = text_of(details, "remedy"), *cause = text_of(details, "cause");
    const enum blame blame = blame_of(code, cause);
    const bool is_key = status == 401 || (code && str_eq(code, "forbidden"));
    int e = is_key ? -EACCES : -EPROTO;
    if (blame == BLAME_GUEST)
        e = str_eq(cause, "not_found") ? -ENOENT : -EACCES;
    message = message ? message : "no reason";
    if (status)
        (void)err_set(err, e, blame, NULL, "the service answers %ld: %.*s", status, MESSAGE_BYTES, message);
    else
        (void)err_set(err, e, blame, NULL, "%.*s", MESSAGE_BYTES, message);
    if (status == 401 || (is_key && !remedy)) /* its own speaks of headers */
        remedy = "--key-file FILE or SANDBOX_AGENT_API_KEY: a key of the role read sees, run works, admin also acts";
    return remedy ? err_remedy(err, "%.*s", MESSAGE_BYTES, remedy) : e;
}

int service_client_expect(const struct service_client *c, const struct service_request *r, struct buf *out,
                          struct error *err)
{
    long status = 0;
    int e = service_client_ask(c, r, &status, out, err);
    if (e < 0 || status / 100 == 2)
        return e;
    json_t *root = out->size ? json_loadb(out->data, out->size, 0, NULL) : NULL;
    e = service_client_refusal(json_object_get(root, "error"), status, err);
    json_decref(root);
    return e;
}

void service_client_quote(struct buf *b, const char *text, const char *also)
{
    for (; *text; text++)
        if (isalnum((unsigned char)*text) || strchr("-._~", *text) || strchr(also, *text))
            (void)buf_addc(b, *text);
        else
            (void)buf_addf(b, "%%%02X", (unsigned)(unsigned char)*text);
}

void service_client_say(const char *verb, const struct error *err)
{
    char prefix[80];
    (void)snprintf(prefix, sizeof prefix, "sandbox-agent: %s", verb);
    err_say(prefix, err);
}
