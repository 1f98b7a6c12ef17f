/* template.h - a keeper (slot.h) that becomes an interpreter, so that its jobs' programs are forks of it.
 *
 * After the PREPARE steps the keeper executes the interpreter that the shape names, with sandbox-fork.so preloaded
 * (src/fork) and with the keeper's rights in the sandbox's own user namespace. When the interpreter has started and
 * opens the file that it is to run, that library goes on as the keeper: it clones one init per job, with the same steps
 * as ever, and init forks the program in place of executing it. The child returns from that open: everything it does
 * afterwards is done inside the finished fence.
 *
 * What the template has read by then is what an interpreter reads at its start, below the read-only directories of the
 * host. No code, argument, variable, file or byte of input of a run has been in it: a job that it is given is an
 * instance's (plan/park.h), and the work goes from the launcher to that job's init, after its program was forked. That
 * init works in the template's memory (slot.c), so that an interpreter is copied once a run and not twice: what it was
 * told is taken away when it has ended. No process of a job can see, signal or trace the template or init: the one lies
 * outside their pid namespace, and the memory of both is not dumpable. It serves one tenant (shape.tenant).
 *
 * What the shape names of the host's modules it imports before its first fork, and it runs the guard up to where that
 * waits: the text is the library's own, the rules are the shape's (check.c).
 *
 * Where it cannot be, the keeper stays what it is, and its jobs execute their programs. One that finds only as an
 * interpreter that it cannot be forked fails with -ENOTSUP: that job is lost, and later keepers of the shape are plain.
 */
#pragma once
#include "launch/launch.h"

/* Where the library finds what the keeper leaves it; the keeper uses neither. */
#define TEMPLATE_FD_STATE   INIT_FD_CODE
#define TEMPLATE_FD_LIBRARY INIT_FD_ARTIFACT

/* Retired then: address layout and hash seed are drawn anew. */
#define TEMPLATE_MAX_FORKS 10000u
#define TEMPLATE_MAX_US    (3600u * UINT64_C(1000) * 1000)
#define TEMPLATE_IDLE_US   (60u * UINT64_C(1000) * 1000) /* without a job; one is 10 MiB */

bool template_is_old(uint32_t forks, uint64_t age_us);
/* The job's program is what the template is. */
bool template_is_for(const struct shape *s, const struct job *j);
void template_prepare(struct init_ctx *c); /* before the PREPARE steps: while the host is there, and all rights */
void template_become(struct init_ctx *c);  /* after them. Returns where it cannot be */
/* In the library: the keeper's state as it was. 0 or -errno. ret borrows from static memory, */
int template_state(struct init_ctx *ret);
void template_forget(void); /* which a job's program gives up before it begins: whose it is, and what the plan says */
