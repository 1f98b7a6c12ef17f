/* fact.h - what a program does, as far as its text tells: the one thing that resolvers make and rules are matched with.
 *
 * A resolver (python.c, ir_node.c, bash.c, ir_go.c, ir_rust.c) walks a tree-sitter tree once, follows imports, aliases
 * and simple assignments, folds constant strings ("o"+"s", "".join(...), base64 of a literal, chr(..), [::-1]), and
 * emits facts with *resolved* names: `import subprocess as s; s.run(x)` and `getattr(__import__("subpro"+"cess"),
 * "run")(x)` are both CALL subprocess.run. Comments make none; string literals make FACT_STRING, which only rules that
 * ask for it see.
 */
#pragma once
#include "base/base.h"

enum fact_kind {
    FACT_IMPORT,   /* name: module, package or crate path; has_dynamic_name: computed (name is what folding gave, or "")
                    */
    FACT_CALL,     /* name: resolved dotted callee (os.system, child_process.exec, net.Dial, std::process::Command::new,
                    * bash: the command's name, also behind sudo, env, xargs, exec, command, nohup, timeout ...) */
    FACT_NAME,     /* an attribute or variable read or written that is no call: os.environ, process.env, $SSH_KEY */
    FACT_STRING,   /* a literal, folded: args[0] */
    FACT_REDIRECT, /* bash: name "<" or ">" or ">>"; args[0]: the target */
    FACT_PIPE,     /* bash: name: the right command; args[0]: the left command, args[1]: its words, args[2]: the right
                    * one's */
    FACT_FLOW,     /* a resolver's own observation, by name: decode-then-exec, fork-loop, socket-dup2, self-pipe,
                    * computed-call, download-then-exec, secret-then-send, endless-alloc: see each resolver's header comment
                    */
    FACT_KINDS
};

#define FACT_MAX_ARGS 8u

struct fact {
    uint8_t kind;
    uint8_t arg_count;               /* positional arguments; keywords are «key=value» */
    bool has_dynamic_name;           /* the name was computed at run time (getattr, [..], require(x)) */
    bool has_dynamic_args;           /* an argument could not be folded */
    const char *name;                /* never NULL */
    const char *args[FACT_MAX_ARGS]; /* folded text, or NULL: not known */
    uint32_t byte, line, column;     /* line and column from 1 */
};

/* Where facts go: returns false when the bound is reached and the resolver should stop. Strings live in the scan's
 * arena. */
struct scan_ctx;
bool fact_emit(struct scan_ctx *c, const struct fact *f);
