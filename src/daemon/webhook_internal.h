/* webhook_internal.h - the parts of webhooks: what waits, when it is tried again, where it may go, how it is signed,
 * how it is sent. */
#pragma once
#include <sys/socket.h>

#include "base/arena.h"
#include "daemon/webhook.h"
#include "net/scope.h"

extern const char *const webhook_event_names[];

/* --- webhook_queue.c: what waits. No lock of its own, and no clock ------------------------------------ */

#define WEBHOOK_MAX_DATA   (64 * KIB)
#define WEBHOOK_MAX_BYTES  (64 * MIB) /* of all bodies */
#define WEBHOOK_PER_TARGET 4u         /* under way at once to one URL */
#define WEBHOOK_IN_FLIGHT  64u        /* … to all */
#define WEBHOOK_MAX_URL    2048u

struct webhook_body { /* one event, shared by its posts */
    uint32_t refs;
    enum webhook_event event;
    char id[40];
    size_t size;
    char text[];
};
struct webhook_target {
    struct webhook_target *next;
    char *url;
    char shown[300];                                 /* scheme and host: paths and passwords of URLs are secrets */
    bool is_current;                                 /* configured now; others stay until they are empty */
    uint32_t waiting, under_way;                     /* waiting: those under way included */
    uint64_t told_at_ms, untold;                     /* failures: one line a minute */
    struct webhook_post *fresh, *fresh_last, *again; /* again: by due_ms */
};
struct webhook_post {
    struct webhook_post *next;
    struct webhook_target *to;
    struct webhook_body *body;
    uint32_t attempts; /* begun */
    uint64_t due_ms;
};
struct webhook_queue {
    struct webhook_target *targets;
    uint32_t max, current, waiting, under_way;
    size_t bytes;
};
/* Targets that are not among the URLs stay until they are empty. -ENOMEM: nothing has changed. */
int webhook_queue_configure(struct webhook_queue *q, const struct strlist *urls, uint32_t max);
struct webhook_body *webhook_body_make(enum webhook_event e, const char *data, size_t size, uint64_t now_ms,
                                       uint64_t random[2]);
/* To every current target. Takes the body. -> how many targets had no room for it */
uint32_t webhook_queue_add(struct webhook_queue *q, struct webhook_body *b);
/* The next that is due and may be sent: under way from now on, and the caller's until one of the two below. NULL: none;
 * *ret_due_ms: when one will be (UINT64_MAX: none waits, or all must wait for another to end). */
struct webhook_post *webhook_queue_take(struct webhook_queue *q, uint64_t now_ms, uint64_t *ret_due_ms);
void webhook_queue_again(struct webhook_queue *q, struct webhook_post *p, uint64_t due_ms);
void webhook_queue_end(struct webhook_queue *q, struct webhook_post *p); /* frees it */
/* All but those under way. -> how many those were */
uint32_t webhook_queue_clear(struct webhook_queue *q);
void webhook_queue_done(struct webhook_queue *q);

/* --- webhook_retry.c: pure ---------------------------------------------------------------------------- */

enum webhook_verdict { WEBHOOK_DELIVERED, WEBHOOK_AGAIN, WEBHOOK_HOPELESS };
enum webhook_verdict webhook_verdict(unsigned status);
#define WEBHOOK_MAX_PAUSE_MS       60000u
#define WEBHOOK_MAX_RETRY_AFTER_MS 300000u
/* After so many attempts: first, first * 2 …, at most a minute, each between three and five quarters of that by
 * `random`; longer where the receiver asked for it (retry_after_ms; 0: it did not), but at most five minutes. */
uint64_t webhook_pause(uint64_t first_ms, uint32_t attempts, uint64_t random, uint64_t retry_after_ms);

/* --- webhook_address.c -------------------------------------------------------------------------------- */

struct webhook_keys { /* of the configuration, for errors */
    const char *url, *allow_private;
};
extern const struct webhook_keys webhook_keys; /* of webhooks themselves */
/* http or https, with a host, at most WEBHOOK_MAX_URL; a literal address that posts may not go to is an error, too.
 * shown: what a log may say of it. */
int webhook_url_check(const char *url, const struct webhook_keys *keys, bool allow_private, char shown[static 300],
                      struct error *err);
/* Public addresses; with allow_private also private ones and loopback. Never link-local, metadata, multicast or
 * reserved ones. */
bool webhook_may_connect(const struct net_address *a, bool allow_private);
bool webhook_may_connect_to(const struct sockaddr *to, socklen_t size, bool allow_private);

/* --- webhook_sign.c ----------------------------------------------------------------------------------- */

#define WEBHOOK_MAX_SECRET 1024u
#define WEBHOOK_MIN_SECRET 16u
struct webhook_secret {
    size_t size;
    char bytes[WEBHOOK_MAX_SECRET];
};
/* From path, or (path NULL) from <state_dir>/webhook.secret, which is made where there is none. Blanks around it do not
 * count. */
int webhook_secret_load(const char *path, const char *state_dir, struct webhook_secret *ret, struct error *err);
/* «v1=» and 64 hex digits */
#define WEBHOOK_SIGNATURE_SIZE 68u
void webhook_sign(const struct webhook_secret *s, uint64_t timestamp, const char *body, size_t size,
                  char ret[static WEBHOOK_SIGNATURE_SIZE]);

/* --- webhook_send.c: libcurl, for webhooks and OTLP; one thread at a time but for sender_wake()
 * ------------------------------ */

struct sender;
struct sender_result {
    void *tag;
    enum webhook_verdict verdict;
    uint64_t retry_after_ms;
    char text[200]; /* why not */
};
#define SENDER_HEADERS 8u
struct sender_post { /* copied but for the body, which must live until the result, and keys */
    const char *url, *body;
    const char *headers[SENDER_HEADERS]; /* «Name: value», up to a NULL; Content-Type is JSON's */
    const char *ca_file;                 /* NULL: the system's */
    const struct webhook_keys *keys;
    size_t size;
    uint64_t timeout_ms;
    bool allow_private;
    void *tag;
};
int sender_open(struct sender **ret, struct error *err);
int sender_start(struct sender *s, const struct sender_post *p); /* 0 or -ENOMEM: then there will be no result */
/* Works for at most max_ms; sooner when something ended or a thread woke it. `ended` may start others. */
void sender_work(struct sender *s, uint32_t max_ms, void (*ended)(void *context, const struct sender_result *r),
                 void *context);
void sender_wake(struct sender *s);
/* Breaks off what is under way, a result each (WEBHOOK_AGAIN); accepts NULL, returns NULL. */
struct sender *sender_close(struct sender *s, void (*ended)(void *context, const struct sender_result *r),
                            void *context);
