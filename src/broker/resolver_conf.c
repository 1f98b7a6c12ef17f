#include "broker/resolver.h"

#include <arpa/inet.h>
#include <fcntl.h>
#include <net/if.h>
#include <netinet/in.h>

#include "base/parse.h"

#define CONF_MAX_BYTES (64 * KIB)

static int parse_port(const char *text, in_port_t *ret)
{
    uint64_t port;
    if (parse_u64(text, &port) < 0 || port < 1 || port > 65535)
        return -EINVAL;
    *ret = htons((uint16_t)port);
    return 0;
}

static int parse_6(char *text, in_port_t port, struct server *ret)
{
    struct sockaddr_in6 a = { .sin6_family = AF_INET6, .sin6_port = port };
    char *zone = strchr(text, '%');
    uint64_t number;
    if (zone) { /* link-local: which link */
        *zone++ = '\0';
        a.sin6_scope_id = if_nametoindex(zone);
        if (!a.sin6_scope_id && (parse_u64(zone, &number) < 0 || (a.sin6_scope_id = (uint32_t)number) != number))
            return -EINVAL;
    }
    if (inet_pton(AF_INET6, text, &a.sin6_addr) != 1)
        return -EINVAL;
    *ret = (struct server){ .size = sizeof a };
    memcpy(&ret->address, &a, sizeof a);
    return 0;
}

static int parse_4(const char *text, in_port_t port, struct server *ret)
{
    struct sockaddr_in a = { .sin_family = AF_INET, .sin_port = port };
    if (inet_pton(AF_INET, text, &a.sin_addr) != 1)
        return -EINVAL;
    *ret = (struct server){ .size = sizeof a };
    memcpy(&ret->address, &a, sizeof a);
    return 0;
}

int server_parse(const char *text, struct server *ret)
{
    char copy[128], *p = copy, *end;
    in_port_t port = htons(53);
    size_t n = strlen(text);
    if (n >= sizeof copy)
        return -EINVAL;
    memcpy(copy, text, n + 1);
    if (*p == '[' && (end = strchr(p, ']'))) {
        *end++ = '\0';
        if (*end && (*end != ':' || parse_port(end + 1, &port) < 0))
            return -EINVAL;
        return parse_6(p + 1, port, ret);
    }
    if ((end = strchr(p, ':')) && strchr(end + 1, ':'))
        return parse_6(p, port, ret);
    if (end) {
        *end = '\0';
        if (parse_port(end + 1, &port) < 0)
            return -EINVAL;
    }
    return parse_4(p, port, ret);
}

/* The next word of a line, cut out; NULL: no more. */
static char *next_word(char **line)
{
    char *word = *line + strspn(*line, " \t\r");
    size_t n = strcspn(word, " \t\r");
    *line = word + n + (word[n] != '\0');
    word[n] = '\0';
    return n ? word : NULL;
}

/* «options timeout:3 attempts:2»: within what leaves a program that waits five seconds something to hear */
static void parse_option(const char *word, struct servers *s)
{
    uint64_t n;
    if (str_starts(word, "timeout:") && parse_u64(word + 8, &n) == 0)
        s->timeout_ms = (uint32_t)MAX_OF(MIN_OF(n, UINT64_C(5)), UINT64_C(1)) * 1000;
    if (str_starts(word, "attempts:") && parse_u64(word + 9, &n) == 0)
        s->attempts = (uint32_t)MAX_OF(MIN_OF(n, UINT64_C(3)), UINT64_C(1));
}

static void parse_line(char *line, struct servers *s)
{
    const char *first = next_word(&line), *word;
    if (!first)
        return;
    if (str_eq(first, "nameserver") && s->count < SERVERS_OF_HOST && (word = next_word(&line)) &&
        server_parse(word, &s->list[s->count]) == 0)
        s->count++;
    if (str_eq(first, "options"))
        while ((word = next_word(&line)))
            parse_option(word, s);
}

void servers_parse(const char *text, struct servers *ret)
{
    char line[512];
    *ret = (struct servers){ .timeout_ms = 2000, .attempts = 2 };
    while (*text) {
        size_t n = strcspn(text, "\n"), some = MIN_OF(n, sizeof line - 1);
        memcpy(line, text, some);
        line[some] = '\0';
        parse_line(line, ret);
        text += n + (text[n] == '\n');
    }
    if (!ret->count && server_parse("127.0.0.1", &ret->list[0]) == 0) /* what resolv.conf(5) says */
        ret->count = 1;
}

int servers_read(const struct net_rules *r, struct servers *ret, struct error *err)
{
    static char text[CONF_MAX_BYTES];
    servers_parse("", ret);
    if (r->resolvers.count) {
        ret->count = 0;
        STRLIST_FOREACH(s, &r->resolvers)
        {
            if (ret->count == SERVERS_MAX || server_parse(s, &ret->list[ret->count]) < 0)
                return err_set(err, -EINVAL, BLAME_POLICY, "RESOLVER", "sandbox.resolvers: %s: %s", s,
                               ret->count == SERVERS_MAX ? "one server too many"
                                                         : "no address (like 9.9.9.9 or [2620:fe::fe]:53)");
            ret->count++;
        }
        return 0;
    }
    cleanup(closep) int fd = open("/etc/resolv.conf", O_RDONLY | O_CLOEXEC);
    if (fd < 0 && errno == ENOENT)
        return 0; /* as everywhere: a server on this host */
    ssize_t n = 0, size = 0;
    while (fd >= 0 && size < (ssize_t)sizeof text - 1 &&
           (n = read(fd, text + size, sizeof text - 1 - (size_t)size)) > 0)
        size += n;
    if (fd < 0 || n < 0) {
        err_set(err, -errno, BLAME_HOST, "RESOLVER", "/etc/resolv.conf cannot be read: %s", strerror(errno));
        return err_remedy(err, "make it readable for all, or name servers in the configuration (sandbox.resolvers)");
    }
    text[size] = '\0';
    servers_parse(text, ret);
    return 0;
}
