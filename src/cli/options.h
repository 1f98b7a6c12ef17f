/* options.h - the command line of `run`, as one table: parsing, --help and the error texts come from it. */
#pragma once
#include "base/error.h"
#include "base/strlist.h"

struct options {
    const char *language, *code, *risk_level, *agent_id, *profile, *timeout, *memory, *cpu, *output_file,
        *backend, *config, *stdin_file, *log_level, *signature, *record_events;
    struct strlist env, volumes;
    struct strlist command; /* behind `--` */
    bool json, dry_run, debug, help, version, network_learn;
};

/* argv without the program's name (and without `run`). 0, or BLAME_CALLER naming option and value. */
int options_parse(int argc, char **argv, struct options *ret, struct error *err);
void options_done(struct options *o);
/* The option lines of --help. */
struct buf;
void options_help(struct buf *out);
/* All option names, one a line: for the bash completion and its test. */
void options_names(struct buf *out);
