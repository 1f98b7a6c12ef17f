/* terminal.h - terminals of programs that others start, from outside. */
#pragma once
#include <sys/ioctl.h>

/* A new one, of this size: our side, non-blocking, which opens the other by TIOCGPTPEER, since its name is of no use in
 * a sandbox, where there is no /dev/pts of ours. The caller's to close. Or -errno. */
int terminal_new(const struct winsize *size);
/* A signalfd that tells when our own terminal has another size: SIGWINCH is blocked for this thread from now on, and
 * for those that it makes. The caller's to close. Or -errno. */
int terminal_sizes(void);
