#include "daemon/service_client.h"

#include <curl/curl.h>
#include <fcntl.h>
#include <stdio.h>
#include <unistd.h>

#include "audit/hmac.h"
#include "daemon/loopback.h"

#define SOCKET_SCHEME "unix://"

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

static size_t take(char *data, size_t size, size_t n, void *context)
{
    return buf_add(context, data, size * n) < 0 ? 0 : size * n;
}

/* «unix:///run/sandbox.sock» -> http://localhost and the socket. */
static bool set_address(CURL *h, const struct service_client *c, const char *path)
{
    char url[4200];
    const bool is_socket = str_starts(c->url, SOCKET_SCHEME);
    size_t n = strlen(c->url);
    n -= n && c->url[n - 1] == '/';
    int size = is_socket ? snprintf(url, sizeof url, "http://localhost/api/v1/sandbox%s", path)
                         : snprintf(url, sizeof url, "%.*s%s", (int)n, c->url, path);
    return size < (int)sizeof url && curl_easy_setopt(h, CURLOPT_URL, url) == CURLE_OK &&
           (!is_socket || curl_easy_setopt(h, CURLOPT_UNIX_SOCKET_PATH, c->url + strlen(SOCKET_SCHEME)) == CURLE_OK);
}

static bool set_request(CURL *h, const struct service_request *r, struct curl_slist *headers)
{
    return curl_easy_setopt(h, CURLOPT_TIMEOUT_MS, (long)r->timeout_ms) == CURLE_OK &&
           curl_easy_setopt(h, CURLOPT_HTTPHEADER, headers) == CURLE_OK &&
           (!r->body || curl_easy_setopt(h, CURLOPT_POSTFIELDS, r->body) == CURLE_OK) &&
           curl_easy_setopt(h, CURLOPT_CUSTOMREQUEST, r->method) == CURLE_OK;
}

static bool set_up(CURL *h, const struct service_client *c, struct buf *out, char *why)
{
    return curl_easy_setopt(h, CURLOPT_PROTOCOLS_STR, "http,https") == CURLE_OK &&
           curl_easy_setopt(h, CURLOPT_FOLLOWLOCATION, 0L) == CURLE_OK &&
           curl_easy_setopt(h, CURLOPT_PROXY, "") == CURLE_OK &&
           curl_easy_setopt(h, CURLOPT_NETRC, (long)CURL_NETRC_IGNORED) == CURLE_OK &&
           (!c->ca || curl_easy_setopt(h, CURLOPT_CAINFO, c->ca) == CURLE_OK) &&
           curl_easy_setopt(h, CURLOPT_NOSIGNAL, 1L) == CURLE_OK &&
           curl_easy_setopt(h, CURLOPT_WRITEFUNCTION, take) == CURLE_OK &&
           curl_easy_setopt(h, CURLOPT_WRITEDATA, out) == CURLE_OK &&
           curl_easy_setopt(h, CURLOPT_ERRORBUFFER, why) == CURLE_OK;
}

/* NULL: no memory for all of them. */
static struct curl_slist *with(struct curl_slist *list, const char *header)
{
    struct curl_slist *longer = curl_slist_append(list, header);
    if (!longer)
        curl_slist_free_all(list);
    return longer;
}

int service_client_ask(const struct service_client *c, const struct service_request *r, long *ret_status,
                       struct buf *out, struct error *err)
{
    char why[CURL_ERROR_SIZE] = "";
    CURL *h = curl_easy_init();
    struct curl_slist *headers = with(NULL, "Content-Type: application/json");
    if (headers && c->bearer[0])
        headers = with(headers, c->bearer);
    buf_init(out, r->max_bytes);
    CURLcode code = CURLE_OUT_OF_MEMORY;
    if (h && headers && set_address(h, c, r->path) && set_request(h, r, headers) && set_up(h, c, out, why))
        code = curl_easy_perform(h);
    if (code == CURLE_OK)
        (void)curl_easy_getinfo(h, CURLINFO_RESPONSE_CODE, ret_status);
    curl_easy_cleanup(h);
    curl_slist_free_all(headers);
    return code == CURLE_OK ? 0
                            : err_set(err, -EIO, BLAME_HOST, NULL, "%s%s: %s", c->url, r->path,
                                      why[0] ? why : curl_easy_strerror(code));
}
