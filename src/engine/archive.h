/* archive.h - a tar archive in memory: directories, regular files and their modes, everything root's.
 *
 * ustar; a name of more than 100 bytes has GNU's long-name entry before it, which every engine's reader takes.
 */
#pragma once
#include "base/buf.h"

#define ARCHIVE_MAX (512u * 1024u * 1024u)

int archive_dir(struct buf *b, const char *name, uint32_t mode);
int archive_file(struct buf *b, const char *name, uint32_t mode, const void *data, size_t size);
int archive_end(struct buf *b);
