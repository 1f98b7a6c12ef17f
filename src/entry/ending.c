/* ending.c - signals for all processes inside, the dead, and the file that is asked for. */
#include "entry/entry.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include "base/clock.h"

#define REAP_AT_ONCE 64 /* then the pipes have their turn: a fork bomb makes dead faster than we take them */

void payload_signal(struct entry *e, int signal)
{
    if (e->is_init)
        (void)kill(-1, signal); /* ESRCH: no process is left */
    else if (e->payload)
        (void)kill(-e->payload, signal); /* not yet reaped, so its group's number belongs to no other */
}

void payload_wake_with(struct entry *e, int signal)
{
    payload_signal(e, signal);
    if (signal != SIGKILL)
        payload_signal(e, SIGCONT);
}

void deadline_start(struct entry *e)
{
    if (!e->plan.timeout_ms)
        return;
    e->deadline_us = clock_us() + e->plan.timeout_ms * 1000;
    e->kill_us = e->deadline_us + e->plan.grace_ms * 1000;
    e->gone_us = e->kill_us + ENTRY_PATIENCE_MS * 1000;
}

void deadline_look(struct entry *e)
{
    const uint64_t now = e->deadline_us ? clock_us() : 0;
    if (now < e->deadline_us || !e->deadline_us)
        return;
    if (now >= e->gone_us)
        e->is_host_gone = true;
    if (e->state != STATE_RUNNING)
        return;
    if (!e->is_timed_out)
        payload_wake_with(e, SIGTERM);
    e->is_timed_out = true;
    if (now >= e->kill_us) {
        e->is_killed = true;
        payload_signal(e, SIGKILL);
    }
}

static void note_end(struct entry *e, int status)
{
    e->wait_status = status;
    e->end_us = clock_us();
}

/* What its group did is over before the number is free. */
static bool is_payload_dead(const struct entry *e)
{
    siginfo_t info = { 0 };
    return e->payload && waitid(P_PID, (id_t)e->payload, &info, WEXITED | WNOHANG | WNOWAIT) == 0 &&
           info.si_pid == e->payload;
}

bool payload_reap(struct entry *e, bool *ret_is_alone)
{
    *ret_is_alone = false;
    if (is_payload_dead(e))
        payload_signal(e, SIGKILL);
    for (int i = 0; i < REAP_AT_ONCE; i++) {
        int status;
        pid_t pid = waitpid(-1, &status, WNOHANG);
        if (pid <= 0) {
            *ret_is_alone = pid < 0; /* ECHILD: as pid 1 we had all there are */
            return false;
        }
        if (pid == e->payload) {
            e->payload = 0;
            note_end(e, status);
        } else {
            connect_reaped(e, pid);
        }
    }
    return true;
}

void artifact_open(struct entry *e)
{
    struct stat st;
    if (!e->plan.artifact || !WIFEXITED(e->wait_status) || WEXITSTATUS(e->wait_status))
        return;
    cleanup(closep) int fd = open(e->plan.artifact, O_RDONLY | O_NOFOLLOW | O_CLOEXEC | O_NONBLOCK | O_NOCTTY);
    if (fd < 0 || fstat(fd, &st) < 0 || !S_ISREG(st.st_mode) || (uint64_t)st.st_size > e->plan.artifact_max)
        return;
    e->artifact_left = (uint64_t)st.st_size;
    e->artifact_fd = TAKE_FD(fd);
}

size_t artifact_read(struct entry *e, char *to, size_t max)
{
    ssize_t n = e->artifact_fd < 0 ? 0 : read(e->artifact_fd, to, (size_t)MIN_OF((uint64_t)max, e->artifact_left));
    if (n <= 0) {
        if (e->artifact_left)
            e->artifact_bytes = 0; /* half a file is none */
        closep(&e->artifact_fd);
        return 0;
    }
    e->artifact_left -= (uint64_t)n;
    e->artifact_bytes += (uint64_t)n;
    return (size_t)n;
}
