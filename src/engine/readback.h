/* readback.h - what was asked of an engine against what it says is in force: never believed, always compared.
 *
 * Podman 4.3 answers 201 to a runtime that it then does not use; an engine's own configuration may change others. Every
 * member that was sent is looked for in GET /containers/{id}/json; the few that an engine renders differently are a
 * table, each with its reason.
 */
#pragma once
#include <jansson.h>
#include "base/error.h"

/* The runtime that is really used, or NULL. Borrows. Podman's HostConfig.Runtime is «oci» whatever it is. */
const char *readback_runtime(const json_t *found, bool is_podman);
/* accepted: features (memory, cpu, pids) whose limits need not be as asked; readback_limits() tells which are. */
int readback_compare(const json_t *asked, const json_t *found, bool is_podman, uint32_t accepted, struct error *err);
uint32_t readback_limits(const json_t *asked, const json_t *found, bool is_podman);
