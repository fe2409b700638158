/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Files and folders as a stream of bytes, by tar(1).
 */
#ifndef TOOLS_ST_TAR_H
#define TOOLS_ST_TAR_H

#include <stdbool.h>
#include <sys/types.h>

struct tar {
	pid_t pid;
	int fd;		/* its output when it packs, its input when it unpacks */
};

/* Packs @files, a list that ends with NULL; false with errno set. */
bool tar_pack(struct tar *tar, char *const *files);

/* Unpacks into @folder; false with errno set. */
bool tar_unpack(struct tar *tar, const char *folder);

/* Waits for the end of tar; its exit status, or 128 plus the signal that killed it. */
int tar_end(struct tar *tar);

#endif
