/* main.c - sandbox-entry: nothing to be told but by frames on the standard input (frame.h). */
#include "entry/entry.h"

#include <stdio.h>
#include <sys/prctl.h>
#include <unistd.h>
#include "base/io.h"
#include "base/kernel.h"

static void last_word(void)
{
    static const char text[] = "sandbox-entry: the first program of a container that sandbox-agent makes; it takes its "
                               "orders from sandbox-engine, "
                               "and what came in is none: start it by sandbox-agent run --backend docker\n";
    (void)write_all(STDERR_FILENO, text, sizeof text - 1); /* no other process to tell */
}

int main(void)
{
    static struct entry e;                    /* large, and pages that are never touched cost nothing */
    (void)prctl(PR_SET_DUMPABLE, 0, 0, 0, 0); /* before any process is there who might look: the payload has our uid */
    (void)sys_close_range(3, ~0u);
    e.is_init = getpid() == 1;
    e.notify.listener = e.questions = e.notify.events = e.proc = e.stdin_fd = e.artifact_fd = e.file_fd = -1;
    for (int i = 0; i < PIPE_COUNT; i++)
        e.pipes[i] = -1;
    e.out = (struct queue){ .data = e.out_bytes, .cap = sizeof e.out_bytes };
    e.in = (struct queue){ .data = e.in_bytes, .cap = sizeof e.in_bytes };
    frame_reader_init(&e.reader, e.reader_bytes, sizeof e.reader_bytes);
    (void)sigemptyset(&e.waiting_mask);

    entry_loop(&e);
    payload_signal(&e, SIGKILL); /* as pid 1 the kernel would; END has been told, or no process is there to tell */
    if (e.is_broken || (e.is_host_gone && e.state == STATE_PLAN_WANTED)) {
        last_word();
        return ENTRY_EXIT_BROKEN;
    }
    return e.is_host_gone && e.state != STATE_TOLD ? ENTRY_EXIT_BROKEN : 0;
}
