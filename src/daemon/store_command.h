/* store_command.h - `sandbox-agent store migrate|copy|check|grant` (docs/fleet.md), and sandboxd as the ledger of one
 * command line whose store is on PostgreSQL. */
#pragma once

int store_command_main(int argc, char **argv);                 /* -> the exit code */
int shared_ledger_main(const char *place /* store/place.h */); /* likewise */
