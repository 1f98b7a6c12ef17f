/* place.h - where a shared store is: the configuration's store.*, as words that a program hands to another. No secret
 * is among them. */
#pragma once
#include "base/arena.h"
#include "base/error.h"

struct store_place {
    const char *host; /* a directory: the UNIX socket in it, without TLS. Else a name: TLS, and the server's certificate
                         must be of this name */
    uint64_t port;
    const char *database, *user;             /* user NULL: this process's */
    const char *password_file;               /* NULL: none. Its first line is the password */
    const char *ca_file, *certificate, *key; /* NULL: the system's authorities; no certificate of ours */
    const char *node;                        /* this machine's name among the nodes; NULL: its host name */
    const char *address;                     /* where the others ask it, or NULL */
    uint64_t levels;     /* bit per enum risk_level that this node runs, and three bits higher those of
                          * which it takes what waits on other nodes */
    uint64_t is_durable; /* 1: wait for the disk with every commit */
};

/* One word, in the arena. NULL: no memory, or a value with a line feed. */
const char *store_place_print(const struct store_place *p, struct arena *a);
/* Whether it is one: otherwise it is the path of an SQLite database. */
bool store_place_is_shared(const char *word);
/* Strings are the arena's. */
int store_place_read(const char *word, struct arena *a, struct store_place *ret, struct error *err);
