/* confine.h - what the scanner gives up before it looks at the first byte of code.
 *
 * Afterwards: no new file, no memory beyond the bound, no process, no network, and of the system calls only those that
 * read and allocate; write() on one descriptor. Anything else ends the process.
 */
#pragma once
#include "base/error.h"

int confine(int answer_fd, uint32_t timeout_ms, struct error *err);
