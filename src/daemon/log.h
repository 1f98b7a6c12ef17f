/* log.h - the service's words about itself (monitoring.logging): to stderr, stdout, files, journald and
 * syslog, one line each, text or JSON; and, to all but stderr, the events of its runs (run/event_log.h). */
#pragma once
#include <pthread.h>
#include "config/config.h"
#include "daemon/collector.h"
#include "run/event_log.h"

#define SERVICE_LOG_MAX_FILES      4
#define SERVICE_LOG_MAX_COLLECTORS 4

struct service_log {
    pthread_mutex_t lock;
    _Atomic bool is_on;
    _Atomic uint8_t
        level; /* enum log_level: words below it are not written. Both are looked at before the lock is taken */
    bool is_json;
    int fds[SERVICE_LOG_MAX_FILES + 1];
    char *paths[SERVICE_LOG_MAX_FILES + 1]; /* of files; NULL: a stream */
    size_t count;
    struct collector collectors[SERVICE_LOG_MAX_COLLECTORS];
    size_t collector_count;
    _Atomic uint64_t dropped; /* lines that stdout or a collector did not take */
};

void service_log_init(struct service_log *l); /* to stderr, level info, until it is configured */
/* log_dir: the one in use, for paths below the standard one (run/locations.h). Files that cannot be opened are told on
 * stderr; full ones are moved aside (run/rotate.h). Again at a reload: also after the files were moved away. */
void service_log_configure(struct service_log *l, const struct config *c, const char *log_dir);
/* A line of another's making, to all but stderr, which has the service's own words only. */
void service_log_line(struct service_log *l, const struct event_line *e);
void service_log_write(struct service_log *l, enum log_level level, const char *text);
void service_log_done(struct service_log *l);
