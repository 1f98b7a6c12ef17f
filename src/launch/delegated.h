/* delegated.h - cgroup v2 below a unit of systemd's with Delegate=yes: that group, and nothing above it, is ours.
 *
 * systemd marks it by an extended attribute and starts us as a process in it. The kernel gives a group's children
 * controllers only while no process is in the group itself («no internal processes», cgroups(7)), so a process that
 * lives there has to move one level down first: we do, and with us all others of the unit, such as the service that
 * started us. Only a launcher that stays does so; a command line's makes its group wherever else it may rather than
 * move the user's shell.
 */
#pragma once
#include "base/base.h"

bool delegated_is(const char *path);
/* Moves every process of the group at `path` into a child of it. False: some are still there. */
bool delegated_clear(const char *path);
