#include "http/server.h"

#include <arpa/inet.h>
#include <netinet/in.h>
#include <stdio.h>
#include <sys/socket.h>

struct host {
    char name[256];   /* lower case, without brackets, trailing dot and port */
    const char *port; /* "" when there is none */
};

static bool split_host(const char *s, struct host *ret)
{
    size_t size = s[0] == '[' ? strcspn(s, "]") : strcspn(s, ":");
    const char *name = s, *rest = s + size;
    if (s[0] == '[') {
        if (*rest++ != ']')
            return false;
        name++;
        size--;
    }
    if (*rest && *rest != ':')
        return false;
    ret->port = *rest ? rest + 1 : "";
    if (strlen(ret->port) > 5 || strspn(ret->port, "0123456789") != strlen(ret->port))
        return false;
    if (size && s[0] != '[' && name[size - 1] == '.')
        size--;
    if (!size || size >= sizeof ret->name)
        return false;
    for (size_t i = 0; i < size; i++)
        ret->name[i] = name[i] >= 'A' && name[i] <= 'Z' ? (char)(name[i] | 0x20) : name[i];
    ret->name[size] = '\0';
    return true;
}

bool http_is_loopback(const char *name)
{
    struct in_addr four;
    struct in6_addr six;
    if (str_eq(name, "localhost"))
        return true;
    if (inet_pton(AF_INET, name, &four) == 1)
        return ntohl(four.s_addr) >> 24 == 127;
    return inet_pton(AF_INET6, name, &six) == 1 && IN6_IS_ADDR_LOOPBACK(&six);
}

/* The address that this connection came to. A name would not do: what it means is for its owner to say, which is what
 * rebinding is. */
static bool is_local_address(int fd, const char *name)
{
    struct sockaddr_storage a;
    socklen_t size = sizeof a;
    struct in_addr four;
    struct in6_addr six;
    if (getsockname(fd, (struct sockaddr *)&a, &size) < 0)
        return false;
    if (a.ss_family == AF_INET)
        return inet_pton(AF_INET, name, &four) == 1 && four.s_addr == ((struct sockaddr_in *)&a)->sin_addr.s_addr;
    const struct in6_addr *local = &((struct sockaddr_in6 *)&a)->sin6_addr;
    if (inet_pton(AF_INET6, name, &six) == 1)
        return memcmp(&six, local, sizeof six) == 0;
    return inet_pton(AF_INET, name, &four) == 1 && IN6_IS_ADDR_V4MAPPED(local) &&
           memcmp(&local->s6_addr[12], &four, sizeof four) == 0;
}

/* An entry of allowed_hosts with a port is for that port alone. */
static bool is_listed(const struct strlist *list, const struct host *h)
{
    struct host entry;
    if (!list)
        return false;
    STRLIST_FOREACH(s, list)
    {
        struct in6_addr six;
        const char *text = s;
        char bracketed[64];
        if (inet_pton(AF_INET6, s, &six) == 1) {
            (void)snprintf(bracketed, sizeof bracketed, "[%s]", s);
            text = bracketed;
        }
        if (split_host(text, &entry) && str_eq(entry.name, h->name) && (!*entry.port || str_eq(entry.port, h->port)))
            return true;
    }
    return false;
}

/* «0.0.0.0» names no place, though browsers go to this machine with it. */
static bool is_own_name(const char *own, const char *name)
{
    struct in_addr four;
    struct in6_addr six;
    bool is_any = own && ((inet_pton(AF_INET, own, &four) == 1 && four.s_addr == 0) ||
                          (inet_pton(AF_INET6, own, &six) == 1 && IN6_IS_ADDR_UNSPECIFIED(&six)));
    return own && !is_any && strcasecmp(own, name) == 0;
}

static bool host_is_allowed(const struct request *q, const struct host *h)
{
    const struct http_options *o = &q->connection->server->options;
    return http_is_loopback(h->name) || is_own_name(o->host, h->name) || is_local_address(q->connection->fd, h->name) ||
           is_listed(o->allowed_hosts, h);
}

const char *origin_allowed(const struct request *q)
{
    const char *origin = http_header(&q->public, "Origin");
    const struct strlist *allowed = q->connection->server->options.allowed_origins;
    if (origin && allowed)
        STRLIST_FOREACH(s, allowed)
    if (strcasecmp(s, origin) == 0)
        return s;
    return NULL;
}

bool http_is_own_origin(const struct http_request *q)
{
    const char *origin = http_header(q, "Origin"), *host = http_header(q, "Host");
    if (q->is_unix || !origin || !host)
        return false;
    const char *place = strncasecmp(origin, "https://", 8) == 0                ? origin + 8
                        : !q->is_tls && strncasecmp(origin, "http://", 7) == 0 ? origin + 7
                                                                               : "";
    return strcasecmp(place, host) == 0;
}

/* Browsers leave Origin away where a page only fetches, and say then where the page is from
 * (https://www.w3.org/TR/fetch-metadata/). */
static bool comes_from_page(const struct request *q)
{
    const char *site = http_header(&q->public, "Sec-Fetch-Site");
    return http_header(&q->public, "Origin") || (site && !str_eq(site, "none") && !str_eq(site, "same-origin"));
}

unsigned origin_check(const struct request *q, const char **ret_why)
{
    const char *host = q->authority ? q->authority : http_header(&q->public, "Host");
    struct host h;
    if (q->authority && !split_host(q->authority, &h)) {
        *ret_why = "the host in the target of the request is malformed";
        return 400;
    }
    if (!q->connection->is_unix) {
        if (!host || !split_host(host, &h)) {
            *ret_why = "Host is malformed";
            return 400;
        }
        if (!host_is_allowed(q, &h)) {
            *ret_why =
                "Host names neither loopback, nor the address listened on, nor one of endpoints.api.allowed_hosts";
            return 421;
        }
    }
    if (!comes_from_page(q) || origin_allowed(q) || http_is_own_origin(&q->public))
        return 0;
    *ret_why = "web pages of this Origin are not among endpoints.api.allowed_origins";
    return 403;
}
