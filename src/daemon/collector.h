/* collector.h - journald and syslog as places for log lines (monitoring.logging.output: journald, syslog,
 * syslog-rfc5424).
 *
 * A datagram a line, never waited for: where the collector is gone or takes no more, the line is lost and the caller
 * counts it. What agents wrote becomes neither a second line nor a field: control characters are \xNN, and what is no
 * UTF-8 is «?».
 */
#pragma once
#include <sys/socket.h>
#include <sys/un.h>
#include "base/buf.h"
#include "config/config.h"

enum collector_kind { COLLECTOR_JOURNALD, COLLECTOR_SYSLOG, COLLECTOR_RFC5424 };
#define COLLECTOR_SYSLOG_MAX                                                                     \
    8192u /* bytes of a message: rsyslog's and syslog-ng's default; longer ones end with «…» \
           */

struct collector_line { /* texts may be NULL but `text` */
    enum log_level level;
    const char *text;
    size_t size;
    const char *event, *agent, *execution;
};

struct collector {
    enum collector_kind kind;
    int fd; /* -1: none */
    struct sockaddr_un to;
    bool is_told; /* the caller's: that it takes no lines */
};

/* Whether an item of monitoring.logging.output is a collector: journald, syslog, syslog-rfc5424, or one of them with
 * «:/PATH» of its socket. */
bool collector_parse(const char *output, enum collector_kind *ret, const char **ret_path);
/* 0, or -errno: no socket, or a path that is too long for one. The collector itself need not be there yet. */
int collector_open(enum collector_kind kind, const char *path, struct collector *ret);
/* The datagram. */
void collector_compose(enum collector_kind kind, const struct collector_line *l, struct buf *out);
/* False: lost. */
bool collector_send(const struct collector *c, const struct collector_line *l);
void collector_close(struct collector *c);
