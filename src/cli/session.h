/* session.h - one run of the command line, from words to exit code: what run.c and execute.c share. */
#pragma once
#include "cli/keep.h"
#include "cli/learn.h"
#include "cli/load.h"
#include "cli/runlog.h"
#include "cli/stream.h"
#include "cli/violations.h"
#include "cli/workspace.h"
#include "config/compiled.h"

struct session {
    const struct paths *paths;
    struct arena *arena;
    struct options options;
    struct load load;
    struct compiled policy;
    bool has_policy;
    enum risk_level asked; /* by option or profile; the default's, if neither is given */
    struct judgement judgement;
    struct trail trail;
    struct keep keep;
    struct plan plan;
    struct plan compiler_plan;
    struct client client;
    struct runlog log;
    struct stream stream;
    struct workspace workspace; /* what the program leaves in /workspace */
    struct violations violations; /* borrows from stream */
    struct outcome outcome;
    bool has_outcome;
    struct error error;
    const char *id;
    uint64_t start_us;
    struct {
        const char *name;
        uint64_t at_us;
    } marks[12]; /* for --debug: the command line's own way */
    size_t mark_count;
};

/* For --debug: «this is done now». */
void session_mark(struct session *s, const char *name);
/* execute.c: the plan is there; the program runs until its outcome is. binary: of a compiled language, or -1; stays the
 * caller's. */
int session_execute(struct session *s, int binary, struct error *err);
