/* homes.h - the home of a user who does not exist: planted files that look like keys (MOUNT_HOME, plan/plan.h).
 *
 * No program of a sandbox has a home there, so who reads them reads the homes of others. That they were read shows in
 * their times of access: they are planted with one that lies before the time of writing. Beside them lie plain files:
 * a search of everything (grep -r WORD /) reads these, too, and looks for no keys.
 */
#pragma once

#define HOMES_PLACE "/home"
#define HOMES_ROOT  "/root" /* leads to the home below */
#define HOMES_USER  HOMES_PLACE "/admin"
/* Below HOMES_PLACE. */
#define HOMES_FILES                                                                                      \
    "admin/.ssh/id_rsa", "admin/.ssh/id_ed25519", "admin/.aws/credentials", "admin/.docker/config.json", \
        "admin/.kube/config", "admin/.git-credentials"
#define HOMES_COUNT 6u
#define HOMES_PLAIN "admin/.profile", "admin/notes.txt"
