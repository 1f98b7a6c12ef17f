/* session.h - a sandbox that stays: one steward inside, jobs one after the other and beside each other.
 *
 * How this works. A session's sandbox is opened by the launcher as a run's is, by a struct exec of its own; each job is
 * a struct exec, too. Both believe that they talk to a launcher. They talk to the session's keeper, a thread:
 *
 *   the session's exec --RUN, KILL-->  keeper  --as they are--> launcher         (OPENED stays here, OUTCOME goes back)
 *   a job's exec       --RUN, KILL-->  keeper  --START, SIGNAL--> steward        (steward/protocol.h)
 *                      <--OUTCOME----          <--FAILED, ENDED--
 *
 * The keeper watches each job's deadline, and makes its outcome of what the steward says and what the launcher said of
 * the sandbox. When the launcher says how the sandbox ended, or is gone, so is the session. Nothing that comes from the
 * steward is believed beyond its session.
 *
 * Memory: one owner makes and frees it (daemon/sessions.h counts references). All functions may be called by any thread
 * between session_start() and session_join(); the two by one thread.
 */
#pragma once
#include "plan/build.h"
#include "run/client.h"

struct session;

struct session *session_new(void);               /* NULL: no memory or descriptors */
struct session *session_free(struct session *s); /* not before session_join(); accepts NULL, returns NULL */

/* The keeper begins. launcher: a connection that is used until session_join() gives it back. ret_own: the session's
 * exec runs over it. ret_steward: its RUN_FD_STEWARD. Both are the caller's then. */
int session_start(struct session *s, const struct client *launcher, struct client *ret_own, int *ret_steward,
                  struct error *err);
/* After the session's exec has closed its client: everything of it has ended. */
void session_join(struct session *s, struct client *ret_launcher);

/* Until jobs can be started; false: it has ended, or max_ms have passed. */
bool session_wait_ready(struct session *s, uint64_t max_ms);
bool session_has_ended(struct session *s);
/* How many jobs are under way. */
uint32_t session_jobs(struct session *s);
/* All of its processes stand still, or go on; returns when they do. 0; -ESHUTDOWN (BLAME_CALLER): it has ended;
 * -ETIMEDOUT: one of them cannot be stopped, so all go on. Deadlines of jobs wait meanwhile. */
int session_pause(struct session *s, bool on, struct error *err);
bool session_is_paused(struct session *s);
/* For how long it has been paused in all. */
uint64_t session_paused_ms(struct session *s);
/* What all of it uses, as it was seen last (ten times a second, where its profile has it looked at), and how often it
 * was seen; 0: never. */
uint64_t session_memory(struct session *s, uint64_t *ret_seen);
/* Whether the files of /workspace are on the disk, and not its memory. */
bool session_is_on_disk(struct session *s);
/* room.c: a checkpoint's processes get room, which is there when session_wait_checkpoint() has returned 0, until
 * session_drop_checkpoint(). is_first, is_last: of its context's. -ESHUTDOWN (BLAME_CALLER): it has ended; -EIO,
 * -ETIMEDOUT (BLAME_HOST): the launcher could not raise the limit, or did not answer. */
void session_add_checkpoint(struct session *s, bool is_first);
int session_wait_checkpoint(struct session *s, struct error *err);
void session_drop_checkpoint(struct session *s, bool is_last);
/* For a job's exec: a connection over which it runs. -EAGAIN (BLAME_POLICY): STEWARD_JOBS_MAX are under way;
 * -EBUSY (BLAME_CALLER): it is paused; -ESHUTDOWN: it has ended. */
int session_connect(struct session *s, struct client *ret, struct error *err);
/* Over that connection, behind its plan: to every process of the job with this tag. -EPIPE: it is over; -EAGAIN: too
 * much waits there. */
int session_signal(int connection, uint64_t tag, int sig);
/* For one request for files: a socket to its worker (files/remote.h), which the caller closes, and then says so by
 * session_files_done(). -EAGAIN (BLAME_POLICY): STEWARD_FILES_MAX, or STEWARD_WATCH_MAX, are under way; -EBUSY
 * (BLAME_CALLER): it is paused; -ESHUTDOWN: it has ended. */
enum session_worker { SESSION_WORKER_FILES, SESSION_WORKER_WATCH, SESSION_WORKER_PORT, SESSION_WORKERS };
int session_files(struct session *s, enum session_worker kind, int *ret, struct error *err);
void session_files_done(struct session *s, enum session_worker kind);
/* port.c: a TCP socket, the caller's, that is connecting to this port of the session's own loopback: POLLOUT and
 * SO_ERROR tell the end of it. Waits max_ms at most for the steward. -ECONNREFUSED (BLAME_CALLER): nothing listens
 * there; -ETIMEDOUT (BLAME_HOST); -EBADMSG (BLAME_GUEST): what came from inside is no such socket; -EBUSY
 * (BLAME_CALLER): it is paused; -ESHUTDOWN: it has ended. */
int session_port(struct session *s, uint16_t port, uint64_t max_ms, int *ret, struct error *err);
/* What is in force, as the launcher said when it was opened; NULL before. Borrowed for the session's life. */
const struct outcome *session_opened(struct session *s);
/* Of its plan what result_put_isolation() shows; valid with session_opened(). */
const struct plan *session_plan(const struct session *s);
