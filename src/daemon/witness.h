/* witness.h - `sandbox-agent witness`: on another machine, remembers how far an audit went, and signs that it only
 * grew.
 *
 * Fetches a checkpoint, checks the log's signature with the key that the operator gave, asks for the proof that the
 * tree of its last checkpoint is the beginning of the new one, and only then remembers the new one, on its disk, and
 * adds its own signature. A shorter, another or an unproven history is refused, and what is remembered stays.
 */
#pragma once

/* argv[0] is «witness». 0: signed. 1: refused. 2: usage. 125: the service or our own disk does not answer. */
int witness_main(int argc, char **argv);
