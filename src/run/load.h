/* load.h - options -> request: what was asked for is read and judged here, once. Borrows from the options. */
#pragma once
#include "run/options.h"
#include "plan/request.h"

struct load {
    struct run_request request;
    char *code, *joined; /* owned; request.code and request.judged borrow */
    int stdin_fd;        /* opened --stdin FILE, 0 for -, or -1 */
};

/* «a/b.txt»: below a directory, without detours, printable. */
bool load_is_plain_relative(const char *path);
/* 0, or BLAME_CALLER with the field's name and the remedy. */
int load_request(const struct options *o, struct load *ret, struct error *err);
void load_done(struct load *l);
