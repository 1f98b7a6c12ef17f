/* Python: what python.h describes, from the beginning to the end.
 *
 * Names: os.system, socket.socket.connect (a method of what socket.socket() gave), «?.connect» (of no process knows
 * what), eval and open without a module. Text that is known in part has «{}» for the rest: /proc/{}/mem, ~/.ssh/{}.
 *
 * Flows, with arguments:
 *   command TEXT                     a command is run, lists joined by blanks
 *   file-read file-write file-delete file-delete-tree file-delete-many file-rename-many file-move file-list file-walk
 *   file-delete-kind PATTERN: files of one kind in a directory below the working directory
 *   file-chmod file-link PATH [MODE]; file-write-own file-delete-own: temporary, or made by the program itself;
 *   file-read-far file-write-far: of names listed below / or a process's home; file-read-self, self-copy: its own text
 *   net ADDRESS|URL, net-listen ADDRESS, net-dns NAME
 *   decode-then-exec, download-then-exec, input-then-exec: what is run was decoded, fetched, typed in
 *   object-graph-walk ATTRIBUTE      from any object to all classes, or to a function's globals
 *   computed-call NAME               a function of a module that matters, by a name not known (os.?)
 *   socket-dup2                      a socket becomes a program's standard input or output
 *   fork-loop, endless-alloc, endless-write, endless-loop, port-scan, kill-other PID SIGNAL, process-probe
 *   environ-secret NAME, environ-write NAME VALUE, secret-then-send (seen to be the same data), secret-and-send (not
 * seen), credential-then-send (one variable with the name of a secret), dns-exfil, capture-then-send unsafe-unpickle,
 * pickle-gadget NAME
 */
#include "scan/python.h"

#define MAX_MEMORY (48u << 20)
#define AGAIN      20000u /* nodes evaluated more than once: two milliseconds at most */

static void run_rest(struct py *p)
{
    /* what no process called; it may define more */
    for (uint32_t i = 0; i < p->function_count && !scan_stop(p->e->c); i++)
        py_body_of(p, i);
}

/* A secret was read and something was sent, though not seen to be the same: still worth a word. */
static void conclude(struct py *p)
{
    if (p->seen_secret && p->seen_send && !p->has_sent_secret && p->secret_taint & T_SECRET)
        py_flow(p, p->seen_send, "secret-and-send", NULL, NULL);
}

bool py_begin(struct eval *e)
{
    struct py *p = e->own;
    p->e = e;
    p->scope_count = 1; /* 0 is none */
    p->scope = py_scope_new(p, 0, -1, -1);
    return p->scope == 1;
}

void py_finish(struct eval *e)
{
    struct py *p = e->own;
    p->scope = 1;
    run_rest(p);
    conclude(p);
    e->is_cut |= p->mem.failed;
}

void resolve_python(struct scan_ctx *c, TSNode root)
{
    struct py p = { .again = AGAIN };
    fold_init(&p.mem, MAX_MEMORY);
    eval_program(py_language(), c, root, &p);
    fold_done(&p.mem);
}
