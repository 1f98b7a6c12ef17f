/* request.h - what was asked for: argv, HTTP and SDKs all make this. */
#pragma once
#include "base/request_field.h"
#include "base/strlist.h"
#include "config/config.h"

#define REQUEST_MAX_VOLUMES    16
#define REQUEST_MAX_CODE_BYTES (8u * 1024u * 1024u)

struct request_volume {
    const char *host, *inside; /* absolute; host has no symbolic link on its way */
    bool is_writable;
    uint64_t dev, ino; /* what was at `host` when it was judged */
};

/* A package set (src/packages): read-only, at a place that its language looks into. */
#define PACKAGES_OF_PYTHON "/packages/python"
#define PACKAGES_OF_NODE   "/node_modules" /* above every program: require() and import look there */
struct request_packages {
    const char *name; /* NULL: none */
    const char *tree; /* the hash of its contents */
    const char *host; /* where it lies, absolute and without links; NULL: the session of this job has it mounted */
    bool is_node;
    uint64_t dev, ino;
};

#define REQUEST_MAX_FILES 16
struct request_file { /* beside the code: delivered as /code/PATH, and as a copy of the program's own in its working
                         directory */
    const char *path; /* relative, plain */
    const char *data;
    size_t size;
};

/* What a plan is to be of (docs/sessions.md). */
enum session_role {
    SESSION_NONE,  /* one run */
    SESSION_OPENS, /* a session's sandbox: its program is the steward, which comes in place of a compiled program */
    SESSION_JOB,   /* a job inside one: its code lies in a place of its own */
};

struct run_request {
    const struct request_words *words; /* what its front calls a field; NULL: plain names */
    enum language language;
    enum config_backend backend; /* as asked for, or the configuration's */
    const char *code_path;       /* for messages; NULL for a command */
    const char *code;            /* the program text (command: NULL) */
    size_t code_size;
    const char
        *judged; /* what is scanned, hashed and kept: the code, and behind it every file with a line that names it */
    size_t judged_size;
    uint32_t file_count;
    struct request_file files[REQUEST_MAX_FILES];
    struct strlist command; /* language command: argv; otherwise further arguments of the program */
    const char *agent_id;   /* NULL: anonymous */
    struct strlist env;     /* K=V asked for */
    bool is_learning;       /* --network-learn */
    bool has_terminal;      /* its input and outputs are one */
    bool wants_workspace;   /* --output-dir, or a set's build: what is left in /workspace, also where nothing is kept */
    enum session_role session;
    bool is_cell;   /* a job that a kernel runs */
    bool is_kernel; /* a job whose code is a kernel (guards/kernel_*): frames over its standard input, no deadline */
    const char *workdir; /* inside, absolute and plain; NULL: the level's */
    uint32_t volume_count;
    struct request_volume volumes[REQUEST_MAX_VOLUMES];
    const char *git_config;        /* the text of /etc/gitconfig; borrowed; NULL: none */
    const struct strlist *guards;  /* as shape.guards (plan/plan.h); borrowed; NULL: none */
    const struct strlist *missing; /* lines for isolation.missing; likewise */
    struct request_packages packages;
};
