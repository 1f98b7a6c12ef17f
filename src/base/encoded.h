/* encoded.h - lines of credentials that stand encoded in a text: base64, hexadecimal, the percent signs of an address.
 *
 * A program that uses a file of credentials is told its values, as they are. One that sends the file in a header, an
 * address or a body has whole lines, encoded. Compared are hashes: what remembers a line keeps no secret.
 */
#pragma once
#include "base/base.h"

/* Of a line without its end; another one in each process. 0: there is no randomness, so nothing is the same. */
uint64_t encoded_hash(const char *line, size_t size);
/* «NAME=VALUE», or a line of a key: what is worth being looked for. */
bool encoded_is_worthwhile(const char *line, size_t size);
/* Calls fn for each such line that stands encoded in data. */
void encoded_find(const char *data, size_t size, void (*fn)(void *context, uint64_t hash), void *context);
