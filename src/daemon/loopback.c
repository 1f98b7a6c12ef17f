#include "daemon/loopback.h"

#include <curl/curl.h>
#include <stdio.h>

#include "http/http.h"

static bool is_loopback(const char *host)
{
    char bare[64];
    const size_t n = strlen(host);
    if (host[0] != '[')
        return http_is_loopback(host);
    if (n < 3 || n - 2 >= sizeof bare)
        return false;
    (void)snprintf(bare, sizeof bare, "%.*s", (int)(n - 2), host + 1);
    return http_is_loopback(bare);
}

bool url_is_loopback(const char *url)
{
    char *host = NULL;
    CURLU *u = curl_url();
    bool is_ours = u && curl_url_set(u, CURLUPART_URL, url, CURLU_NON_SUPPORT_SCHEME) == CURLUE_OK &&
                   curl_url_get(u, CURLUPART_HOST, &host, 0) == CURLUE_OK && is_loopback(host);
    curl_free(host);
    curl_url_cleanup(u);
    return is_ours;
}
