/* secret.h - places where secrets and accounts are kept, as parts of paths: what resolvers follow to where it is sent.
 *
 * Which of them make a finding when they are only read is said in rules/: this list is for flows.
 */
#pragma once
#include "base/base.h"

/* True when the text names such a place. Any bytes; one pass. */
bool secret_place_in(const char *s, size_t n);
