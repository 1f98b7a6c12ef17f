/* notify.h - what a service manager and we tell each other: systemd's sd_notify and socket activation protocols, in the
 * few lines they take.
 *
 * Without $NOTIFY_SOCKET nothing is told, and that is no fault. Thread-safe; the environment is only read.
 */
#pragma once
#include "base/base.h"

void notify_ready(void);
void notify_reloading(void); /* notify_ready() again when done */
void notify_stopping(void);
/* One line for `systemctl status`; cut at 200 bytes. */
void notify_status(const char *fmt, ...) PRINTF_LIKE(1, 2);

#define NOTIFY_MAX_SOCKETS 16
/* Listening sockets that the manager made for us ($LISTEN_FDS, for our pid), now close-on-exec; the variables are
 * removed, so that no child takes them for its own. Before there are threads, and before parent_split(). Descriptors
 * that are no listening stream sockets are left out. */
size_t notify_sockets(int ret_fds[static NOTIFY_MAX_SOCKETS]);
