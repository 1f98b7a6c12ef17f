/* secret.h - places where secrets and accounts are kept, as parts of paths: what resolvers follow to where it is sent.
 *
 * Which of them make a finding when they are only read is said in rules/: this list is for flows.
 */
#pragma once
#include "base/base.h"

/* Whether one of the words, which are separated by «|», is in the text. */
bool secret_word_in(const char *s, size_t n, const char *words);
/* True when the text names such a place. Any bytes. */
bool secret_place_in(const char *s, size_t n);
