/* handover.h - a connected (or connecting) socket of the host takes the place of the caller's; blocking callers wait
 * for it here.
 *
 * The place is taken before the connection is there, also for a blocking caller: so what interrupts the call (a signal)
 * leaves the program with a socket that is connecting, as it would be without us. What is held of the socket while
 * a process waits is let go with the answer: its peer must see the end when the program closes it.
 */
#pragma once
#include "broker/target.h"

/* Puts sock at the caller's number if the caller's socket is still there. 0, or the positive errno for the caller; -1:
 * it is gone. */
int handover(struct broker *b, const struct seccomp_notif *ask, const struct target *t, int sock);
/* Where a TCP socket stands: 0 connected, EALREADY still connecting, or what became of it (its SO_ERROR, which is
 * taken). */
int handover_state(int sock);
/* Answers when sock stands: at once if it does. Takes sock. Respects its SO_SNDTIMEO. */
void handover_wait(struct broker *b, const struct seccomp_notif *ask, int sock);
/* The answer to a call whose descriptor was replaced; remembered if the call was interrupted at that moment, since it
 * will be made again. */
void handover_answer(struct broker *b, const struct seccomp_notif *ask, int sock, int error);
/* A restarted call: was this socket's success told to no process? Forgets it. */
bool handover_is_untold(int sock);
