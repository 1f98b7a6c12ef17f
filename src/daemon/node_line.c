/* libcurl makes the connection and its TLS (CURLOPT_CONNECT_ONLY); what is said over it is port_proxy.c's. */
#include "daemon/node_line.h"

#include <curl/curl.h>
#include <string.h>

#include "daemon/loopback.h"

#define ADDRESS_MAX 300u
/* What has gone without a word is found by the kernel: after 10 s, then thrice every 5 s. */
#define IDLE_S     10L
#define INTERVAL_S 5L

bool node_address_is_good(const char *address, const char **ret_host)
{
    const bool is_tls = str_starts(address, "https://");
    const char *host = address + (is_tls ? strlen("https://") : strlen("http://"));
    if (strlen(address) > ADDRESS_MAX || (!is_tls && !str_starts(address, "http://")) || !*host)
        return false;
    for (const char *p = host; *p; p++)
        if (!http_is_token(p, 1) && !strchr("[:]", *p))
            return false;
    if (!is_tls && !url_is_loopback(address))
        return false;
    if (ret_host)
        *ret_host = host;
    return true;
}

/* --- bytes ---------------------------------------------------------------------------------------------------------
 */

static ssize_t result_of(CURLcode c, size_t n)
{
    if (c == CURLE_OK)
        return (ssize_t)n;
    errno = c == CURLE_AGAIN ? EAGAIN : EIO;
    return -1;
}

static ssize_t send_bytes(void *tls, const char *data, size_t size)
{
    size_t n = 0;
    const CURLcode c = curl_easy_send(tls, data, size, &n);
    return result_of(c, n);
}

static ssize_t receive_bytes(void *tls, char *to, size_t max)
{
    size_t n = 0;
    const CURLcode c = curl_easy_recv(tls, to, max, &n);
    return result_of(c, n);
}

static void close_line(void *tls)
{
    curl_easy_cleanup(tls);
}

/* --- the connection ------------------------------------------------------------------------------------------------
 */

static bool set_up(CURL *h, const char *address, const struct config *config, uint64_t max_ms, char *why)
{
    const char *ca_file = config->fleet.ca_file, *certificate = config->fleet.certificate;
    return curl_easy_setopt(h, CURLOPT_URL, address) == CURLE_OK &&
           curl_easy_setopt(h, CURLOPT_CONNECT_ONLY, 1L) == CURLE_OK &&
           curl_easy_setopt(h, CURLOPT_PROTOCOLS_STR, "http,https") == CURLE_OK &&
           curl_easy_setopt(h, CURLOPT_HTTP_VERSION, (long)CURL_HTTP_VERSION_1_1) == CURLE_OK &&
           curl_easy_setopt(h, CURLOPT_SSL_ENABLE_ALPN, 0L) == CURLE_OK &&
           curl_easy_setopt(h, CURLOPT_PROXY, "") == CURLE_OK &&
           curl_easy_setopt(h, CURLOPT_NETRC, (long)CURL_NETRC_IGNORED) == CURLE_OK &&
           (!ca_file || curl_easy_setopt(h, CURLOPT_CAINFO, ca_file) == CURLE_OK) &&
           (!ca_file || curl_easy_setopt(h, CURLOPT_CAPATH, NULL) == CURLE_OK) &&
           (!certificate || (curl_easy_setopt(h, CURLOPT_SSLCERT, certificate) == CURLE_OK &&
                             curl_easy_setopt(h, CURLOPT_SSLKEY, config->fleet.key) == CURLE_OK)) &&
           curl_easy_setopt(h, CURLOPT_SSL_VERIFYPEER, 1L) == CURLE_OK &&
           curl_easy_setopt(h, CURLOPT_SSL_VERIFYHOST, 2L) == CURLE_OK &&
           curl_easy_setopt(h, CURLOPT_NOSIGNAL, 1L) == CURLE_OK &&
           curl_easy_setopt(h, CURLOPT_TCP_KEEPALIVE, 1L) == CURLE_OK &&
           curl_easy_setopt(h, CURLOPT_TCP_KEEPIDLE, IDLE_S) == CURLE_OK &&
           curl_easy_setopt(h, CURLOPT_TCP_KEEPINTVL, INTERVAL_S) == CURLE_OK &&
           curl_easy_setopt(h, CURLOPT_CONNECTTIMEOUT_MS, (long)max_ms) == CURLE_OK &&
           curl_easy_setopt(h, CURLOPT_ERRORBUFFER, why) == CURLE_OK;
}

int node_line_open(const char *address, const struct config *config, uint64_t max_ms, struct port_line *ret,
                   struct error *err)
{
    char why[CURL_ERROR_SIZE] = "";
    curl_socket_t fd = CURL_SOCKET_BAD;
    CURL *h = curl_easy_init();
    CURLcode c = h && set_up(h, address, config, max_ms, why) ? curl_easy_perform(h) : CURLE_OUT_OF_MEMORY;
    if (c == CURLE_OK)
        c = curl_easy_getinfo(h, CURLINFO_ACTIVESOCKET, &fd);
    if (h)
        (void)curl_easy_setopt(h, CURLOPT_ERRORBUFFER, NULL); /* it would be written to as long as it lives */
    if (c == CURLE_OK && fd != CURL_SOCKET_BAD) {
        *ret = (struct port_line){
            .fd = fd, .tls = h, .send = send_bytes, .receive = receive_bytes, .close = close_line
        };
        return 0;
    }
    curl_easy_cleanup(h);
    return err_set(err, -EHOSTUNREACH, BLAME_HOST, NULL, "%s cannot be asked: %.120s", address,
                   *why ? why : curl_easy_strerror(c));
}

void *node_line_session(const struct port_line *l, bool *ret_is_plain)
{
    struct curl_tlssessioninfo *info = NULL;
    *ret_is_plain = curl_easy_getinfo(l->tls, CURLINFO_TLS_SSL_PTR, &info) == CURLE_OK && info &&
                    (info->backend == CURLSSLBACKEND_NONE || !info->internals);
    return info && info->backend == CURLSSLBACKEND_GNUTLS ? info->internals : NULL;
}
