/* options.h - what a program has set on its socket before it connected, carried over to the socket that takes its
 * place. */
#pragma once

/* Options of `from` that differ from a fresh socket's. An option that cannot be read or set is left as it is: most are
 * advice. */
void options_copy(int domain, int from, int to);
