/* diag.h - the kernel's book of TCP sockets (sock_diag(7)): how much a connection has carried, and that it is gone.
 *
 * So nothing has to be held of a socket that was handed over. Two netlink sockets, made before the process confines
 * itself; neither needs a privilege. One asks for single connections, the other hears of each TCP socket of the
 * namespace that ends.
 */
#pragma once
#include "broker/start.h"

struct diag {
    int questions, ends; /* -1: none */
};
struct diag_numbers {
    uint64_t cookie, bytes_out, bytes_in;
    uint32_t queued; /* bytes to send that the peer has not acknowledged */
    bool is_orphan;  /* no file refers to it: closed, and the rest is the kernel's business */
};

/* 0 or -errno: there is no such book (CONFIG_INET_TCP_DIAG). ends may stay -1. */
int diag_open(struct diag *d);
void diag_close(struct diag *d);
/* 0; -ENOENT: it is gone; -errno. */
int diag_ask(const struct diag *d, const struct diag_id *id, struct diag_numbers *ret);
/* The next that ended: true; false: none for now. */
bool diag_next_end(const struct diag *d, struct diag_numbers *ret);
