/* binary.h - go and rust: a binary for a source, compiled in a sandbox of its own, or found in the cache.
 *
 * A cache entry holds the whole source and the compiler's stamp beside the binary and is used only when both are
 * equal byte for byte, so no hash needs to be trusted. The binary never runs outside a sandbox.
 */
#pragma once
#include "run/client.h"
#include "run/paths.h"
#include "config/compiled.h"
#include "plan/build.h"

struct binary {
    int fd; /* a sealed memfd */
    uint64_t size;
    bool has_failed;        /* the source does not compile: outcome and messages are the result */
    int caught;             /* as in struct stream; has_failed, then: what was stopped does not run */
    struct outcome outcome; /* borrows from the client */
    struct buf messages;    /* what the compiler said, on failure */
};

/* tag: of the compiler's run, unique on this client; stop: as in struct stream; is_shown: a person at our terminal is
 * told that it takes its time (base/progress.h). */
int binary_get(struct client *c, uint64_t tag, int stop, const struct compiled *policy, const struct run_request *r,
               const char *id, const char *cache_dir, bool is_shown, struct arena *a, struct plan *ret_plan,
               struct binary *ret, struct error *err);
