// SPDX-License-Identifier: Apache-2.0

#ifndef C_PACKET_SOCKET_H
#define C_PACKET_SOCKET_H

#include <sys/types.h>

/// Opens a socket that receives every frame on `interface`, in both directions, in the network namespace whose file is
/// `space`. The kernel buffers up to `buffer` bytes. Returns its descriptor, or minus an `errno`.
int cpacket_open(const char *space, const char *interface, int buffer);

/// Connects to a port of 127.0.0.1 in the network namespace whose file is `space`, NULL for this one. Returns
/// its descriptor, or minus an `errno`.
int cpacket_connect(const char *space, int port);

/// Reads the next frame. `is_leaving`: the interface sent it. Returns its length in bytes, zero without a frame, or minus
/// an `errno`.
ssize_t cpacket_read(int socket, void *bytes, size_t size, int *is_leaving);

/// Returns how many frames were dropped since the last call, or minus an `errno`.
int cpacket_lost(int socket);

#endif
