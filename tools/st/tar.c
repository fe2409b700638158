// SPDX-License-Identifier: GPL-2.0
#include <errno.h>
#include <fcntl.h>
#include <spawn.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "tar.h"

/* @end is the standard input or output of tar; this program has the other end of the pipe */
static bool start(struct tar *tar, int end, char *const *argv)
{
	posix_spawn_file_actions_t actions;
	int fds[2], error;

	if (pipe2(fds, O_CLOEXEC))
		return false;
	error = posix_spawn_file_actions_init(&actions);
	if (!error) {
		error = posix_spawn_file_actions_adddup2(&actions, fds[end], end);
		if (!error)
			error = posix_spawnp(&tar->pid, argv[0], &actions, NULL, argv, environ);
		posix_spawn_file_actions_destroy(&actions);
	}
	close(fds[end]);
	tar->fd = fds[!end];
	if (error)
		close(tar->fd);
	errno = error;
	return !error;
}

bool tar_pack(struct tar *tar, char *const *files)
{
	static char *const first[] = { "tar", "-c", "-f", "-", "--" };
	size_t n = sizeof(first) / sizeof(*first), count = 0;
	char **argv;
	bool started;

	while (files[count])
		count++;
	argv = calloc(n + count + 1, sizeof(*argv));
	if (!argv)
		return false;
	memcpy(argv, first, sizeof(first));
	memcpy(argv + n, files, count * sizeof(*argv));
	started = start(tar, STDOUT_FILENO, argv);
	free(argv);
	return started;
}

bool tar_unpack(struct tar *tar, const char *folder)
{
	char *const argv[] = { "tar", "-x", "-f", "-", "-C", (char *)folder, NULL };

	return start(tar, STDIN_FILENO, argv);
}

int tar_end(struct tar *tar)
{
	int status;

	close(tar->fd);
	while (waitpid(tar->pid, &status, 0) < 0)
		if (errno != EINTR)
			return -1;
	return WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
}
