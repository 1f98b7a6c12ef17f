/* control.h - what comes and goes over the connections («connections»): requests of the client, answers to it.
 *
 * The first is descriptor 3, the owner's: when it ends, everything does. Over it, and over no other, come further ones,
 * so that each thread of a service has its own while sandboxes, spares and prepared slots stay in one launcher. Each
 * has its own tags, its own answers under way and its own end: that kills the runs that were asked for over it, and no
 * others.
 *
 * Nothing here waits for a client. Answers that it does not take yet are kept in order; while CONTROL_ANSWERS_MAX of
 * them wait, no request is read from that connection, so a client that only writes meets its own full socket and not
 * our memory. Meanwhile deadlines are kept. One message is read at a time, into memory that all connections share, and
 * epoll takes turns: a process that floods one connection delays the others by a message each.
 */
#pragma once
#include "launch/run.h"

#define CONTROL_FD              3
#define CONTROL_ANSWERS_MAX     1024
#define CONTROL_CONNECTIONS_MAX 1024 /* beside descriptor 3; beyond it a new one is closed at once */

int control_open(struct launcher *l); /* 0 or -errno */
/* An event of epoll; may free the connection. False: it was descriptor 3, and the client is gone. */
bool control_on_event(struct connection *c, uint32_t events);
/* The client is gone: no more requests, no more answers. */
void control_close(struct launcher *l);
void control_answer(struct connection *c, uint64_t tag,
                    const struct outcome *o); /* NULL: no process listens any more */
/* A session's sandbox is there: what is in force, so far. The answer is still to come. */
void control_opened(struct connection *c, uint64_t tag, const struct outcome *o);
/* The room that was asked for with this mark is there; error: errno, or 0. */
void control_room(struct connection *c, uint64_t tag, uint64_t mark, int error);
/* Whether its processes stand still now; error: errno, or 0. */
void control_paused(struct connection *c, uint64_t tag, bool is_paused, int error);
