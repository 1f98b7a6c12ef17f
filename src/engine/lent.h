/* lent.h - bytes that an engine on this machine can read by a path, for as long as it needs them: Podman takes a seccomp profile no other way.
 *
 * As root it is memory, by its name in /proc, of which nothing can be left. An ordinary user's engine lives in a user namespace of its own, from where /proc shows it
 * nothing: a file in a new directory that nobody else may enter, below /tmp; who is killed in that tenth of a second leaves it there.
 */
#pragma once
#include "base/error.h"
#include "base/pack.h"

struct lent {
    int fd;           /* -1: none */
    char path[64];
    bool is_file;
};

void lent_init(struct lent *l);
int lent_make(struct lent *l, struct bytes content, struct error *err);
void lent_done(struct lent *l); /* may be called at any time, and again */
