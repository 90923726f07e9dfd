// SPDX-License-Identifier: Apache-2.0

// Passes open descriptors between processes with datagrams. Swift's Glibc module lacks the macros.

#ifndef C_HANDOFF_DESCRIPTORS_H
#define C_HANDOFF_DESCRIPTORS_H

#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

/// Sends the bytes and the descriptor on a connected datagram socket, without waiting. Returns 0, or -1 and `errno`:
/// EAGAIN if the reader's queue is full.
int chandoff_send_descriptor(int socket, const void *bytes, size_t count, int descriptor);

typedef struct {
    /// The number of bytes in the buffer.
    size_t count;
    /// Neither bytes nor descriptors were truncated.
    int is_whole;
    /// The sender according to the kernel. If it is unknown, `process` is 0 and `user` is (uid_t)-1.
    pid_t process;
    uid_t user;
    /// -1 unless exactly one descriptor was passed; otherwise all passed descriptors are closed.
    int descriptor;
} chandoff_datagram;

/// Receives the next datagram of a socket with SO_PASSCRED, without waiting. Returns 0, or -1 and `errno`: EAGAIN if
/// none is queued.
int chandoff_receive_descriptor(int socket, void *buffer, size_t size, chandoff_datagram *datagram);

/// Whether the descriptor is a regular file or folder opened for reading only. Does not access the file system, because
/// some never answer.
int chandoff_reads_file_or_folder(int descriptor);

/// The file that a process runs or has open, in any mount namespace, even if its path has changed. `folder` is the
/// process's open folder in /proc, or `fd` in it, and `link` is `exe`, or a descriptor. The kernel answers from memory, so
/// an unreachable mount cannot block the caller. `is_file`: it is a regular file. Returns 0, or -1 and `errno`.
int chandoff_linked_file(int folder, const char *link, uint64_t *device, uint64_t *inode, int *is_file);

#endif
