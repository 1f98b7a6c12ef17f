/* lend.h - this user's service lends the command line its launcher, and what it has opened ahead.
 *
 * A service of an ordinary user listens on a socket in that user's run-time directory ($XDG_RUNTIME_DIR). The command
 * line asks there for a connection to the service's launcher in place of one of its own, and later for an instance that
 * waits for its plan (run/instance.h). Everything else stays the command line's: policy, scan, plan, streams, audit,
 * log and records. So nothing of a run depends on the service's configuration, and the launcher runs what it would have
 * run as the command line's own child.
 *
 * That holds only where both would make the same launcher: the same user (SO_PEERCRED, looked at by both), the same
 * Landlock domain (lend_peer()), and the same surroundings, byte by byte: the launcher's file, the root directory,
 * namespaces, groups, capabilities, limits, priority, scheduling, processors, memory nodes and the profile of AppArmor
 * or SELinux, and no filters but those of the pid namespace's first process. One that the kernel shall end first when
 * memory lacks (oom_score_adj) is lent nothing by a service that it would end later. Where anything differs, or nobody
 * answers within LEND_PATIENCE_MS, the run is direct. Root's runs always are: its service has made itself another user.
 *
 * Messages are SOCK_SEQPACKET's. The command line sends the text of its surroundings, and gets LEND_YES with the
 * connection; then, once, a struct lend_wish with the recipe's bytes in a file, and gets a struct lend_given with the
 * instance's descriptors. Its end of the socket is open while it uses what it was lent.
 */
#pragma once
#include "run/instance.h"

#define LEND_PATIENCE_MS 200
#define LEND_TEXT_MAX    8192u
#define LEND_YES         "yes"
#define LEND_FDS_MAX     7u
#define LEND_NO_SCORE    1001 /* the kernel's go to 1000 */

struct lend_wish {
    uint64_t guard_at, reports, workspace, events; /* of struct recipe */
    char program[256];                             /* the interpreter, on the host as inside */
};
struct lend_given {
    uint64_t is_there, tag; /* the instance's number on its connection */
};

/* -> the path, or NULL: this user has no such directory that is its own and nobody else's to write. */
const char *lend_path(char *out, size_t size);
/* What a launcher takes over from who starts it. -errno: not known. */
int lend_surroundings(const char *launcher, struct buf *ret);
/* The pid at the other end. -1: another user, or it is fenced otherwise than we are. What Landlock refuses cannot be
 * read, but nobody in a domain may look at a process outside of it (ptrace(2), PTRACE_MODE_READ): where each end may
 * look at the other, both are in the same. */
int lend_peer(int sock);
/* LEND_NO_SCORE: it does not say. */
int lend_oom_score(int pid);
/* In lend_given's order. -> how many there are in it, each NULL or a place in i */
size_t lend_places(struct instance *i, const struct lend_wish *w, int *places[static LEND_FDS_MAX]);

/* Asks, and does not wait. -> the socket by which it is lent, the caller's; -1: nobody lends */
int lend_begin(const char *launcher);
/* True: *ret is a connection to the service's launcher, and the caller's. */
bool lend_end(int lender, const char *launcher, struct client *ret);
/* True: *ret waited for a run of this plan (plan_park()), and is the caller's. */
bool lend_claim(int lender, const struct plan *park, struct instance *ret);
