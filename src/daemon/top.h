/* top.h - `sandbox-agent ps` and `sandbox-agent top`: what runs, once, or again and again on a terminal. */
#pragma once

/* argv[0]: ps or top. The exit code. */
int top_main(int argc, char **argv);
