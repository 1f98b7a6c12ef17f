/* script.h - perl, ruby, php, lua, awk and C, for which there is no grammar: a look at their text.
 *
 * The calls that matter (commands, files, connections, processes, code) are found by name with their constant arguments
 * and are written down as the Python that does the same, line for line; the Python resolver and its rules do the rest,
 * also with the commands that a shell gets. What is not recognised is left out: the report says that the language was
 * looked at as text only.
 */
#pragma once
#include "base/buf.h"
#include "scan/embedded.h"

#define SCRIPT_MAX_BYTES (256u * 1024u) /* of what is written; then it ends */

/* `ret` is initialised here; the caller frees it. It has a line for each line of the text. */
void script_as_python(uint8_t language, const char *text, size_t size, struct buf *ret);
