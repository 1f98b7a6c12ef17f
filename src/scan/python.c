/* python.c - placeholder of the engine's first commit: walks, emits nothing. */
#include "scan/resolver.h"

void resolve_python(struct scan_ctx *c, TSNode root)
{
    TSTreeCursor cursor = ts_tree_cursor_new(root);
    while (!scan_stop(c) && ts_tree_cursor_goto_first_child(&cursor))
        ;
    ts_tree_cursor_delete(&cursor);
}
