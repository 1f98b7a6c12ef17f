/* pathfile.h - bytes that an engine on this machine can read by a path, for as long as it needs them: Podman takes a
 * seccomp profile no other way.
 *
 * As root, for root's engine, it is memory, by its name in /proc, of which nothing can be left. An ordinary user's
 * engine lives in a user namespace of its own, from where /proc shows it nothing: a file in a new directory below /tmp,
 * which others may read, since the engine may be another user's, and may not list or change; who is killed in that
 * tenth of a second leaves it there.
 */
#pragma once
#include "base/error.h"
#include "base/pack.h"

struct pathfile {
    int fd; /* -1: none */
    char path[64];
    bool is_file;
};

void pathfile_init(struct pathfile *l);
/* In place of what was lent before. socket: the engine's. Whose it is says whether the engine is root. */
int pathfile_make(struct pathfile *l, const char *socket, struct bytes content, struct error *err);
void pathfile_done(struct pathfile *l); /* may be called at any time, and again */
