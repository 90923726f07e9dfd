// SPDX-License-Identifier: Apache-2.0

// Calls on the user's bus by libsystemd, which is loaded when the first is made: an app that opens no URL never has it.

#ifndef C_HANDOFF_USER_BUS_H
#define C_HANDOFF_USER_BUS_H

#include <stddef.h>
#include <stdint.h>

typedef struct sd_bus chandoff_bus;

/// Connects to the bus with that D-Bus address. NULL: there is no libsystemd or no such bus, it does not let this program in,
/// or it does not answer within that time.
chandoff_bus *chandoff_bus_open(const char *address, uint64_t microseconds);

void chandoff_bus_close(chandoff_bus *bus);

/// Calls a method that takes a URL: `ssa{sv}`, a window and the URL, for the portal's OpenURI, or `asa{sv}` if `is_list`, for
/// org.freedesktop.Application.Open. `token`: of the activation; NULL: none. Returns 0 once it is answered, or a negative
/// `errno`; then `error` has the name of the D-Bus error, or nothing.
int chandoff_bus_open_url(
    chandoff_bus *bus, const char *destination, const char *path, const char *interface, const char *member, const char *url,
    int is_list, const char *token, uint64_t microseconds, char *error, size_t size);

#endif
