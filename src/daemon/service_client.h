/* service_client.h - a service from outside, for commands: its URL, a key, one request at a time. Nothing of the
 * environment's proxies, no redirects: nowhere but where the URL says. */
#pragma once
#include <sys/types.h>
#include "base/buf.h"
#include "base/error.h"

struct service_client {
    const char *url;      /* http://HOST:PORT, https://HOST, unix:///PATH; borrowed. With its base path */
    const char *key_file; /* or NULL */
    const char *key;      /* the key itself, or NULL; borrowed */
    const char *ca;       /* certificates for https, instead of the system's; or NULL */
    const char *certificate, *certificate_key; /* files: what is shown to a server that asks for one; or NULL */
    uint32_t connect_ms;                       /* until there is a connection; 0: libcurl's five minutes */
    char bearer[160];                          /* made by open */
    char whole[4200];                          /* the URL with the base path, where settle had to add it */
};

/* What the command line did not say, from SANDBOX_AGENT_URL, _API_KEY and _CA_FILE, then http://127.0.0.1:8080; and the
 * base path, where the URL has no path. True: the service was asked for, by the URL or its variable. */
bool service_client_settle(struct service_client *c);

/* Reads the key. Refuses to send one in the clear beyond this machine. 0, or an error (BLAME_CALLER, BLAME_HOST). */
int service_client_open(struct service_client *c, struct error *err);
void service_client_done(struct service_client *c); /* wipes the key */

struct service_request {
    const char *method, *path;  /* below the URL */
    bool is_outside;            /* beside the base path, not below it */
    const char *const *headers; /* further ones, «Name: value»; NULL ends. NULL: none */
    const char *wanted;         /* a header of the answer that goes to ret_wanted; NULL: none */
    char *ret_wanted;           /* unchanged where the answer has none, or one that is longer */
    size_t wanted_size;
    const char *body; /* JSON, or NULL */
    /* Instead of body: the next bytes of it; 0: that was all; negative: it is given up. */
    ssize_t (*give)(void *context, char *to, size_t max);
    /* An answer of success goes there piece by piece, and not into out. False: it is given up. */
    bool (*take)(void *context, const char *data, size_t size);
    void *context;
    const int *stop;     /* a descriptor: the request is given up when it can be read; or NULL */
    size_t max_bytes;    /* of the answer in out */
    uint32_t timeout_ms; /* 0: none */
};
/* 0: *ret_status is the answer's, and out (caller: buf_done(), in any case) has its body. -EIO (BLAME_HOST): it does
 * not answer, or it was given up by give or take. -ECANCELED: by stop. */
int service_client_ask(const struct service_client *c, const struct service_request *r, long *ret_status,
                       struct buf *out, struct error *err);
/* The same, where any other answer than success is an error: the service's own words. */
int service_client_expect(const struct service_client *c, const struct service_request *r, struct buf *out,
                          struct error *err);
/* The member «error» of an answer, or of an event, as an error; the blame follows from its code, as the exit code of
 * the command line does from the blame. Returns its code: -EACCES for a key that is not enough, else -EPROTO; for a
 * program that cannot be started (BLAME_GUEST) -ENOENT or -EACCES. status 0: not known. */
struct json_t;
int service_client_refusal(const struct json_t *error, long status, struct error *err);

/* For a path: all but letters, digits, «-._~» and `also` in %XX. */
void service_client_quote(struct buf *b, const char *text, const char *also);
/* «sandbox-agent: VERB: text» and the remedy on standard error, without controls. */
void service_client_say(const char *verb, const struct error *err);
