/* options.h - what a program has set on its socket before it connected, carried over to the socket that takes its
 * place, and bounded there. */
#pragma once

/* What SO_SNDBUF and SO_RCVBUF may be set to: net.core.wmem_max and rmem_max as the kernel is made. Doubled, as always.
 */
#define OPTIONS_BUFFER_MAX 212992
/* TCP_USER_TIMEOUT: a peer that takes nothing for so long has its connection ended, whichever side has closed it. */
#define OPTIONS_PATIENCE_MS 60000

/* Options of `from` that differ from a fresh socket's. An option that cannot be read or set is left as it is: most are
 * advice. most: the size of its buffers; 0: as the kernel likes. */
void options_copy(int domain, int from, int to, int most);
