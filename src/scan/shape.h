/* shape.h - what a program looks like when names, values and text are taken away, as numbers that can be compared.
 *
 *   set    which constructs stand in which (a call in an assignment, a loop in a function), each once: two programs
 * that differ only in names, literals, order or repetition have the same. What trust counts as diversity. tree   the
 * whole tree in its order: much more specific. What known-bad code is recognised by. size   how many different
 * constructs there are: what tells work from print(1)
 */
#pragma once
#include "base/base.h"

#include <tree_sitter/api.h>

/* «set-tree-size», 16 hex digits each for the first two. */
#define SHAPE_TEXT_MAX 48u
void shape_of(const TSLanguage *language, TSNode root, char ret[static SHAPE_TEXT_MAX]);
