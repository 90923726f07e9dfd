// SPDX-License-Identifier: Apache-2.0

#ifndef C_PACKET_SOCKET_H
#define C_PACKET_SOCKET_H

#include <sys/types.h>

/// Opens a socket that gets every frame that enters or leaves `interface` of the network namespace whose file is
/// `space`. The kernel keeps up to `buffer` bytes of them. Its descriptor, or minus an `errno`.
int cpacket_open(const char *space, const char *interface, int buffer);

/// Connects to a port of 127.0.0.1 in the network namespace whose file is `space`, NULL for this one. Its descriptor, or
/// minus an `errno`.
int cpacket_connect(const char *space, int port);

/// The next frame that waits, `is_leaving`: the interface sent it. Its length in bytes, zero
/// if none waits, or minus an `errno`.
ssize_t cpacket_read(int socket, void *bytes, size_t size, int *is_leaving);

/// How many frames found no room since the last time this was asked, or minus an `errno`.
int cpacket_lost(int socket);

#endif
