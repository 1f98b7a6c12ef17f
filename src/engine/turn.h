/* turn.h - how many containers one engine is asked to make and start at once.
 *
 * An engine that is busy answers thirty starts at once so late that half of them are given up. So at most TURNS_MAX of
 * this user's runs, of the service or of command lines, are between CODE and RUN; the others wait. A turn is a name in
 * the kernel's list of abstract sockets: nothing is written anywhere, and who is killed has given it back. Waiting is
 * no fence: who has waited for as long as the engine has for an answer goes on without a turn.
 */
#pragma once
#include "base/base.h"

#define TURNS_MAX    4u
#define TURN_LOOK_MS 20u

struct turn {
    int fd; /* -1: none */
};

/* One look. True: it is ours, or there are no turns to be had here (no socket can be made). */
bool turn_take(struct turn *t, const char *engine_socket);
void turn_end(struct turn *t);
