/* steward.h - the program inside a session's sandbox: what its files share.
 *
 * How this works. Three kinds of processes, all under the payload's uid, filter, landlock domain and limits:
 *
 *   steward   the sandbox's program. Waits for orders (protocol.h), lays a job's code into /code/ID, forks a reaper
 *   reaper    one a job. Its own landlock domain, the job's below that: so nothing of the job can signal, trace or read
 *             a reaper, the steward or another job, while the reaper reaches everything of its job and nothing else
 *             by kill(-1). Reaps, and ends what is left when the job's main process has ended
 *   job       the program that was asked for, and what it starts
 *
 * A reaper may be forked before its job is known, with a process below it that is fenced as that job will be, and waits
 * in recvmsg(2) for argv, environment, directory and descriptors. Nothing of an earlier job is in the two: the
 * steward wipes each order when it has followed it, and keeps nothing else of a job's.
 *
 * Not dumpable: the first two, and a job's process until its program is executed. A reaper that ends without a word
 * ends the steward, and with it the sandbox.
 */
#pragma once
#include "base/landlock.h"
#include "plan/plan.h"
#include "steward/protocol.h"

#include <sys/types.h>

#define STEWARD_CODE "/code"

/* fence.c. 0 or -errno. abi: landlock_abi() of the start; 0: there is none */
int fence_reaper(uint32_t abi);
/* The part of a job's domain that is every job's: 50 rules' worth of calls that need not wait for it. */
int fence_prepare(struct landlock *ret);
/* prepared: closed here, and with a name used up, since it gets a rule more; without a ruleset, it is made now. name:
 * of the job's directory below STEWARD_CODE, the only one that it may read from; NULL: it has none. */
int fence_job(uint32_t abi, struct landlock *prepared, const char *name);
/* From now on this process and its children know no landlock and no openat2. */
int fence_close(void);

/* files.c: what npm installs into the workspace is found from below STEWARD_CODE, where there is a workspace. */
void files_begin(void);
/* The job's files as its plan names them, all below /code/ID. 0 or -errno. */
int files_write(const struct job *j, int code);
void files_remove(const char *id);

/* port.c: over sock, as protocol.h says. Waits for nothing. */
void port_connect(uint64_t port, int sock);

/* reaper.c: both in the process that was forked for it. control: of the job with this number, as protocol.h says:
 * orders come (first GO, then SIGNAL), and one word goes back, ENDED or FAILED. fds: RUN_FD_* */
_Noreturn void reaper_main(uint64_t number, const struct job *j, const int fds[static RUN_FD_MAX], int control,
                           uint32_t abi, struct landlock *prepared);
/* Of a job that is still to come, over its line. message: PLAN_MAX_MESSAGE bytes, empty */
_Noreturn void reaper_wait_main(uint64_t number, int line, char *message, uint32_t abi, struct landlock *prepared);
