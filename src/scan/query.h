/* query.h - tree-sitter queries with the predicates #eq?, #not-eq?, #match?, #not-match? and #any-of?.
 *
 * For what no fact tells. They cost: compiling one takes longer than all facts of a program.
 */
#pragma once
#include <tree_sitter/api.h>
#include "base/error.h"
#include "scan/rule.h"

struct scan_ctx;
/* Called with the first byte of each match; false: enough. */
typedef bool query_found(void *ctx, uint32_t byte);
void syntax_query_run(const char *source, const TSLanguage *language, struct scan_ctx *c, TSNode root,
                      query_found *found, void *ctx);
/* 0, or what is wrong with it. */
int query_check(const char *source, const TSLanguage *language, struct error *err);
