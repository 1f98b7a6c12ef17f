/* control.h - what comes and goes over descriptor 3: requests of the client, answers to it.
 *
 * Nothing here waits for the client. Answers that it does not take yet are kept in order; while CONTROL_ANSWERS_MAX of
 * them wait, no request is read, so a client that only writes meets its own full socket and not our memory.
 * Meanwhile deadlines are kept.
 */
#pragma once
#include "launch/run.h"

#define CONTROL_FD 3
#define CONTROL_ANSWERS_MAX 1024

int control_open(struct launcher *l); /* 0 or -errno */
/* An event of epoll for descriptor 3. False when the client is gone. */
bool control_on_event(struct launcher *l, uint32_t events);
/* The client is gone: no more requests, no more answers. */
void control_close(struct launcher *l);
void control_answer(struct launcher *l, uint64_t tag, const struct outcome *o);
