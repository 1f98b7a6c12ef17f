/* carrier.h - texts that are no programs, but hold some: makefiles, tables of cron, units and workflows, JSON with
 * commands, notebooks and tool calls.
 *
 * Each command is queued as a program of its own (embedded.h), and a «path» beside a «content» as a file that is
 * written. What is not understood is passed over: a carrier never makes a scan incomplete. Work and memory are linear
 * in the text, whose length is bounded by the queue; nesting of JSON is followed to a fixed depth.
 */
#pragma once
#include "scan/embedded.h"

/* Queues what a text of one of the carriers' languages holds; `c` is its place. */
void carrier_unpack(struct scan_ctx *c, uint8_t language, const char *text, size_t size);

/* What a key of data says of a text behind it, {"cmd": TEXT}: a language, or EMBEDDED_LANGUAGES. */
uint8_t carrier_language(const char *key, size_t key_size, const char *text, size_t size);

/* The language that a program's text looks like; the shell's when it looks like none. */
uint8_t carrier_guess(const char *text, size_t size);

/* A literal of a program: JSON that names a command or code. */
bool carrier_is_call(const char *text, size_t size);
