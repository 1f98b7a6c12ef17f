/* packages_command.h - `sandbox-agent packages create|list|show|remove`: the sets of this user's state directory
 * (docs/packages.md). It needs no service; the sets of a service's clients are made by it (packages_api.h). */
#pragma once

int packages_command_main(int argc, char **argv); /* -> the exit code */
