/* mcp_stdio.h - `sandbox-agent mcp`: the Model Context Protocol on standard input and output, a message a line.
 *
 * It passes each line on to the /mcp of a service, and back what that says. The service is the one that is named
 * (--url, SANDBOX_AGENT_URL), or this user's private one: `sandboxd --private` (mcp_private.h), which all such
 * programs of a user share, and which ends when the last of them does.
 */
#pragma once

int mcp_stdio_main(int argc, char **argv);
