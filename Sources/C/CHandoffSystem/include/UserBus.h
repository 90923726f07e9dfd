// SPDX-License-Identifier: Apache-2.0

// Calls on the user's bus with libsystemd, which is loaded at the first call: an app that opens no URLs never loads it.

#ifndef C_HANDOFF_USER_BUS_H
#define C_HANDOFF_USER_BUS_H

#include <stddef.h>
#include <stdint.h>

typedef struct sd_bus chandoff_bus;

/// Connects to the bus with that D-Bus address. NULL if libsystemd or the bus is missing, the bus refuses this program,
/// or it does not answer in time.
chandoff_bus *chandoff_bus_open(const char *address, uint64_t microseconds);

void chandoff_bus_close(chandoff_bus *bus);

/// Calls a method that takes a URL. Its signature is `ssa{sv}`, a window and the URL, for the portal's OpenURI, or
/// `asa{sv}` if `is_list`, for org.freedesktop.Application.Open, or `a{sv}` if `url` is NULL, for its Activate. `token`:
/// the activation token, or NULL. Returns 0 after the answer, or a negative `errno`; then `error` is the name of the
/// D-Bus error, or empty.
int chandoff_bus_open_url(
    chandoff_bus *bus, const char *destination, const char *path, const char *interface, const char *member, const char *url,
    int is_list, const char *token, uint64_t microseconds, char *error, size_t size);

#endif
