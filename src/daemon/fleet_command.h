/* fleet_command.h - `sandbox-agent fleet status|drain|resume` (docs/fleet.md). */
#pragma once

int fleet_command_main(int argc, char **argv); /* -> the exit code */
