/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Network devices by name.
 */
#ifndef TOOLS_ST_DEVICE_H
#define TOOLS_ST_DEVICE_H

/*
 * The index of the device with this name or alternative name, or 0 with errno.
 * if_nametoindex() supports only names that fit an ioctl(), up to 15 bytes.
 */
unsigned int device_index(const char *name);

#endif
