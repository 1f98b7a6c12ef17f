/* content.h - contents that outlive the node that made them: artifacts, snapshots, package sets (content.place,
 * docs/content.md).
 *
 * A place holds objects by key. Each begins with the SHA-256 of the rest and a newline, and is compared when it is
 * read: what is not what was written is never returned. Keys are words with slashes between: letters, digits, dot,
 * dash, underscore; no word begins with a dot.
 *
 *   artifacts/DATE/ID             what is kept of an execution (content_bundle.h); the day when it was accepted
 *   files/DATE/ID/HASH            a large one of its contents
 *   snapshots/OWNER/ID/NODE       a manifest (snapshots.h); empty: another node has removed it
 *   chunks/OWNER/NODE/HASH        what it names
 *   sets/NAME/OWNER, trees/HASH   package sets (package_share.h), which are no node's own
 *
 * Of the first four a node writes and removes below its own NODE and its own executions only, so that nodes need no
 * lock between them. Those of a node that is dead others may remove.
 *
 * Functions may be called by any thread, and wait for the place: no lock of the service's may be held. Errors: 0 or
 * negative errno with err filled; BLAME_HOST: the place is away, or what it holds is damaged.
 */
#pragma once
#include "base/buf.h"
#include "base/error.h"

#define CONTENT_KEY_MAX  512u
#define CONTENT_MAX      (96 * MIB) /* of one object that is held in memory: the manifest of a snapshot of 64 GiB */
#define CONTENT_FILE_MAX (5 * GIB)  /* of one that comes from a file: what S3 takes in one request */

struct config;
struct content;
/* *ret NULL: content.place is not given. node: this one's name. */
int content_open(const struct config *c, const char *node, struct content **ret, struct error *err);
/* The service ends: what waits for the place is given up. */
void content_stop(struct content *s);
struct content *content_close(struct content *s); /* accepts NULL, returns NULL */

/* This node's name as a word of a key. */
const char *content_node(const struct content *s);
/* Any node's. */
#define CONTENT_NODE_MAX 400u
void content_node_word(const char *node, char ret[static CONTENT_NODE_MAX]);
bool content_key_is_good(const char *key);

/* Whole, or not at all; over one of the same key. */
int content_put(struct content *s, const char *key, const void *data, size_t size, struct error *err);
/* The same from a file, whose bytes are compared with `hash` (64 hex digits) while they are read. -EBADMSG (BLAME_US):
 * they are others. */
int content_put_file(struct content *s, const char *key, int fd, uint64_t size, const char *hash, struct error *err);
/* ret: initialised by this, the caller's in any case. -ENOENT: there is none; -EFBIG: larger than max. */
int content_get(struct content *s, const char *key, size_t max, struct buf *ret, struct error *err);
/* Into a file, from where its descriptor stands; compared with this hash at the end: on failure what was written is of
 * no use. -EFBIG: larger than max, as an answer that does not end. */
int content_get_file(struct content *s, const char *key, const char *hash, uint64_t max, int fd, struct error *err);
/* The same of a file of any hash: it is what was written. */
int content_get_any(struct content *s, const char *key, uint64_t max, int fd, struct error *err);
/* 1: it is there, 0: not. */
int content_has(struct content *s, const char *key, struct error *err);
/* 0 also where there is none. */
int content_remove(struct content *s, const char *key, struct error *err);
/* All keys that begin with this (which ends with a slash), in the order of their bytes, until each() says false. */
int content_each(struct content *s, const char *prefix, bool (*each)(void *context, const char *key), void *context,
                 struct error *err);

/* --- a place: what content.c fills --- */

struct content_place {
    /* head and data, or where fd is not -1 head and size bytes of it, one behind the other. */
    int (*put)(void *self, const char *key, const char *head, size_t head_size, const void *data, int fd, uint64_t size,
               struct error *err);
    /* Calls take() with each piece; negative: breaks it off. */
    int (*get)(void *self, const char *key, int (*take)(void *context, const void *data, size_t size), void *context,
               struct error *err);
    int (*has)(void *self, const char *key, struct error *err);
    int (*remove)(void *self, const char *key, struct error *err);
    int (*each)(void *self, const char *prefix, bool (*each)(void *context, const char *key), void *context,
                struct error *err);
    void (*stop)(void *self); /* requests that are under way end; NULL: there is none that lasts */
    void (*close)(void *self);
};
/* content_s3.c. c: borrowed for good */
int content_s3_open(const struct config *c, const struct content_place **ret, void **ret_self, struct error *err);
extern uint32_t content_s3_patience_ms; /* a minute, but in tests: then a transfer has a least rate */
/* content_dir.c */
int content_dir_open(const char *path, const struct content_place **ret, void **ret_self, struct error *err);
