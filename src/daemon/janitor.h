/* janitor.h - what is left to do of an execution when its answer is out (artifacts, giving back), in a thread of its
 * own: the client's next request does not wait for it. Bounded: beyond JANITOR_MAX the caller does it itself, so
 * that nothing piles up.
 */
#pragma once
#include "base/base.h"

#define JANITOR_MAX 64u

struct janitor;
struct janitor *janitor_new(void (*work)(void *item));
void janitor_add(struct janitor *j, void *item);
/* Finishes what waits; accepts NULL, returns NULL. */
struct janitor *janitor_stop(struct janitor *j);
