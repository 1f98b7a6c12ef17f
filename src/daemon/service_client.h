/* service_client.h - a service from outside, for commands: its URL, a key, one request at a time. Nothing of the
 * environment's proxies, no redirects: nowhere but where the URL says. */
#pragma once
#include "base/buf.h"
#include "base/error.h"

struct service_client {
    const char *url;      /* http://HOST:PORT, https://HOST, unix:///PATH; borrowed. With its base path */
    const char *key_file; /* or NULL */
    const char *key;      /* the key itself, or NULL; borrowed */
    const char *ca;       /* certificates for https, instead of the system's; or NULL */
    char bearer[160];     /* made by open */
};

/* Reads the key. Refuses to send one in the clear beyond this machine. 0, or an error (BLAME_CALLER, BLAME_HOST). */
int service_client_open(struct service_client *c, struct error *err);
void service_client_done(struct service_client *c); /* wipes the key */

struct service_request {
    const char *method, *path; /* below the URL */
    const char *body;          /* JSON, or NULL */
    size_t max_bytes;          /* of the answer */
    uint32_t timeout_ms;
};
/* 0: *ret_status is the answer's, and out (caller: buf_done(), in any case) has its body. -EIO (BLAME_HOST): it does
 * not answer. */
int service_client_ask(const struct service_client *c, const struct service_request *r, long *ret_status,
                       struct buf *out, struct error *err);
