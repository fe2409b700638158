// SPDX-License-Identifier: GPL-2.0
/*
 * From the kernel's numbers to handles.
 */
#include <stdlib.h>
#include <string.h>

#include "lib.h"

/**
 * map_add - enters a handle
 * @nic: the port
 * @map: a map of it
 * @number: the kernel's number
 * @handle: the handle
 *
 * Return: 0, or -1 when there is no memory, or the port has been closed.
 */
int map_add(struct nic *nic, struct map *map, uint32_t number, void *handle)
{
	uint32_t size = number + number / 2 + 16;
	void **handles;
	int ret = 0;

	pthread_mutex_lock(&nic->lock);
	if (nic->closed) {
		ret = -1;
	} else if (number >= map->size) {
		handles = realloc(map->handles, size * sizeof(*handles));
		if (handles) {
			memset(handles + map->size, 0, (size - map->size) * sizeof(*handles));
			map->handles = handles;
			map->size = size;
		} else {
			ret = -1;
		}
	}
	if (!ret)
		map->handles[number] = handle;
	pthread_mutex_unlock(&nic->lock);
	return ret;
}

/**
 * map_remove - takes a handle out
 * @nic: the port
 * @map: a map of it
 * @number: the kernel's number, which may stand for something else already
 * @handle: the handle
 */
void map_remove(struct nic *nic, struct map *map, uint32_t number, const void *handle)
{
	pthread_mutex_lock(&nic->lock);
	if (number < map->size && map->handles[number] == handle)
		map->handles[number] = NULL;
	pthread_mutex_unlock(&nic->lock);
}

/**
 * map_find - finds a handle
 * @nic: the port
 * @map: a map of it
 * @number: the kernel's number; 0 is none
 *
 * Return: the handle, or NULL.
 */
void *map_find(struct nic *nic, struct map *map, uint32_t number)
{
	void *handle = NULL;

	pthread_mutex_lock(&nic->lock);
	if (number < map->size)
		handle = map->handles[number];
	pthread_mutex_unlock(&nic->lock);
	return handle;
}

/**
 * map_take - takes any handle out
 * @nic: the port
 * @map: a map of it
 *
 * Return: the handle, NULL when there is none left.
 */
void *map_take(struct nic *nic, struct map *map)
{
	void *handle = NULL;
	uint32_t i;

	pthread_mutex_lock(&nic->lock);
	for (i = 0; i < map->size && !handle; i++) {
		handle = map->handles[i];
		map->handles[i] = NULL;
	}
	pthread_mutex_unlock(&nic->lock);
	return handle;
}

/**
 * close_object - ends what has only a handle, as its port is closed
 * @handle: the handle
 * @kind: what it is
 */
void close_object(void *handle, enum kind kind)
{
	struct object *obj = handle_get(handle, kind);

	if (!obj)
		return;
	if (!handle_end(obj))
		handle_put(obj);
	handle_put(obj);
}
