/* bytecode.h - Python's compiled form of a guard: a run that starts from it does not wait 3 ms for Python's compiler.
 */
#pragma once
#include "base/buf.h"
#include "base/pack.h"

#define BYTECODE_MAX_BYTES (256u * 1024u)

/* Has COMPILED_PYTHON run the guard's text with --compile, and adds to out what it wrote. Any failure is -errno, and
 * no reason to complain: the text does the same, later. 25 ms; at most 10 s. */
int bytecode_make(struct bytes text, struct buf *out);
