#include "daemon/webhook_internal.h"

#include <curl/curl.h>
#include <netinet/in.h>
#include <stdio.h>

bool webhook_may_connect(const struct net_address *a, bool allow_private)
{
    const enum net_scope scope = net_scope_of(a);
    return scope == NET_PUBLIC || (allow_private && (scope == NET_PRIVATE || scope == NET_LOOPBACK));
}

bool webhook_may_connect_to(const struct sockaddr *to, socklen_t size, bool allow_private)
{
    struct net_address a;
    if (to->sa_family == AF_INET && size >= sizeof(struct sockaddr_in))
        a = net_address_from(AF_INET, &((const struct sockaddr_in *)(const void *)to)->sin_addr);
    else if (to->sa_family == AF_INET6 && size >= sizeof(struct sockaddr_in6))
        a = net_address_from(AF_INET6, &((const struct sockaddr_in6 *)(const void *)to)->sin6_addr);
    else
        return false;
    return webhook_may_connect(&a, allow_private);
}

const struct webhook_keys webhook_keys = { "endpoints.webhooks.urls", "endpoints.webhooks.allow_private" };

/* The host as libcurl will look it up: numbers in disguise (0x7f.1, 2130706433) are addresses by then. */
static int check_literal(const char *host, const struct webhook_keys *keys, bool allow_private, struct error *err)
{
    char bare[NET_ADDRESS_MAX];
    struct net_address a;
    const size_t n = strlen(host);
    if (host[0] == '[' && n > 2 && n - 2 < sizeof bare) {
        memcpy(bare, host + 1, n - 2);
        bare[n - 2] = '\0';
        host = bare;
    }
    if (net_address_parse(host, &a) < 0 || webhook_may_connect(&a, allow_private))
        return 0;
    (void)err_set(err, -EACCES, BLAME_CALLER, NULL, "%s: %s is a %s address: nothing is posted there", keys->url, host,
                  net_scope_name(net_scope_of(&a)));
    return webhook_may_connect(&a, true) ? err_remedy(err, "if that is meant: %s: true", keys->allow_private)
                                         : err_remedy(err, "use another address");
}

static int check_parts(const char *scheme, const char *host, const char *port, const struct webhook_keys *keys,
                       bool allow_private, char shown[static 300], struct error *err)
{
    if (!str_eq(scheme, "http") && !str_eq(scheme, "https"))
        return err_set(err, -EINVAL, BLAME_CALLER, NULL, "%s: '%.20s' is not accepted; expected http or https",
                       keys->url, scheme);
    (void)snprintf(shown, 300, "%s://%.250s%s%s", scheme, host, port ? ":" : "", port ? port : "");
    return check_literal(host, keys, allow_private, err);
}

int webhook_url_check(const char *url, const struct webhook_keys *keys, bool allow_private, char shown[static 300],
                      struct error *err)
{
    char *scheme = NULL, *host = NULL, *port = NULL;
    CURLU *u = curl_url();
    if (!u)
        return err_set(err, -ENOMEM, BLAME_HOST, NULL, "no memory");
    int e;
    if (strlen(url) > WEBHOOK_MAX_URL || curl_url_set(u, CURLUPART_URL, url, CURLU_NON_SUPPORT_SCHEME) != CURLUE_OK ||
        curl_url_get(u, CURLUPART_SCHEME, &scheme, 0) != CURLUE_OK ||
        curl_url_get(u, CURLUPART_HOST, &host, 0) != CURLUE_OK || !*host)
        e = err_set(err, -EINVAL, BLAME_CALLER, NULL,
                    "%s: an entry of %zu bytes is no URL; expected such as https://example.org/hook", keys->url,
                    strlen(url));
    else {
        (void)curl_url_get(u, CURLUPART_PORT, &port, 0); /* not there: NULL */
        e = check_parts(scheme, host, port, keys, allow_private, shown, err);
    }
    curl_free(scheme);
    curl_free(host);
    curl_free(port);
    curl_url_cleanup(u);
    return e;
}
