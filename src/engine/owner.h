/* owner.h - whose a container is: told by labels, so that what dead owners left can be found.
 *
 * sandbox-agent.owner is «boot id:pid namespace:pid:start time». Only who shares boot and pid namespace with the owner
 * can tell whether it lives; of an earlier boot of the same machine (sandbox-agent.machine, of /etc/machine-id) no
 * process does.
 */
#pragma once
#include <jansson.h>
#include "base/base.h"

#define LABEL_OWNER     "sandbox-agent.owner"
#define LABEL_MACHINE   "sandbox-agent.machine"
#define LABEL_EXECUTION "sandbox-agent.execution"
#define LABEL_KEPT      "sandbox-agent.kept" /* docker.container.remove_on_exit: false */

struct owner {
    char boot[40], machine[40]; /* machine: "" where it has no id */
    uint64_t pid_ns, pid, start;
};

void owner_of_self(struct owner *ret);
json_t *owner_labels(const struct owner *o, const char *execution, bool is_kept);

enum process_state { PROCESS_GONE, PROCESS_LIVES };
/* False where it lives, where it cannot be told, and where the labels are not ours. */
bool owner_is_dead(const struct owner *self, const char *owner, const char *machine,
                   enum process_state (*look)(uint64_t pid, uint64_t start));
enum process_state process_look(uint64_t pid, uint64_t start);
