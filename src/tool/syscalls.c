/* syscalls.c - `sandbox-policy syscalls [--tsv]`: docs/syscalls.md, read off the compiled filters. */
#include "filter/filter.h"
#include "tool/tool.h"

#include <stdio.h>

int cmd_syscalls(struct tool *t, int argc, char **argv)
{
    (void)t;
    bool is_tsv = argc == 2 && str_eq(argv[1], "--tsv");
    if (argc != 1 && !is_tsv) {
        (void)fprintf(stderr, "usage: sandbox-policy syscalls [--tsv]\n");
        return 2;
    }
    cleanup(buf_done) struct buf out;
    buf_init(&out, 1024 * 1024);
    int r = is_tsv ? filter_table_tsv(&out) : filter_table_markdown(&out);
    if (r < 0)
        out.failed = true; /* tool_print() says so */
    return tool_print(&out);
}
