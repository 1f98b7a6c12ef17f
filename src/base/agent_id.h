/* agent_id.h - the alphabet of agent ids: one for the command line, the service and all that names an agent.
 *
 * Printable ASCII without the space, U+0021 to U+007E: two ids that look alike are equal. Of letters beyond ASCII each
 * would need one form of Unicode, by tables that we would have to carry, and an «admin» with a Cyrillic first letter
 * would still look like another in the audit. White space, control characters and characters that hide or turn text are
 * out for the same reason. The store keeps the ids that it has from before: such an agent can be shown, trusted,
 * released, quarantined and banned, but nothing runs in its name any more.
 */
#pragma once
#include "base/base.h"

#define AGENT_ID_MAX      128u
#define AGENT_ID_ACCEPTED "1 to 128 printable ASCII characters without a space"
#define AGENT_ID_REMEDY   "no white space, control characters or letters beyond ASCII: agent-7, team/agent-7, a UUID"

static inline bool agent_id_is_accepted(const char *id)
{
    size_t n = strnlen(id, AGENT_ID_MAX + 1);
    for (size_t i = 0; i < n; i++)
        if ((unsigned char)id[i] <= 0x20 || (unsigned char)id[i] >= 0x7f)
            return false;
    return n > 0 && n <= AGENT_ID_MAX;
}
