/* options.h - a request in words, as a person or a program gave them: load.h judges them, policy.h lays them over the
 * profile.
 *
 * Names in messages are those of the command line; the service translates them (daemon/request.c).
 */
#pragma once
#include "base/error.h"
#include "base/strlist.h"
#include "plan/request.h"

struct options {
    const char *language, *code, *risk_level, *agent_id, *profile, *timeout, *memory, *cpu, *output_file, *backend,
        *config, *stdin_file, *log_level, *signature, *record_events, *code_word /* of -c */;
    struct strlist env, volumes;
    struct strlist command; /* behind `--` */
    /* Not from files: NULL where there is a file (code, stdin_file). Borrowed. */
    const char *text, *input;
    size_t text_size, input_size;
    const struct request_file *files;
    uint32_t file_count;
    bool json, dry_run, debug, help, version, network_learn;
};

void options_done(struct options *o);
