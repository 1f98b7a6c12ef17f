/* confine.h - what the scanner gives up before it looks at the first byte of code.
 *
 * Afterwards: no new file, no memory beyond the bound, no process, no network, and of the system calls only those that
 * allocate; write() on one descriptor, and read() on one more where it stays for many scans. Anything else ends the
 * process.
 */
#pragma once
#include "base/error.h"

/* asked_fd: -1: none is read. timeout_ms: of CPU time, in whole seconds and two more. */
int confine(int asked_fd, int answer_fd, uint32_t timeout_ms, struct error *err);
