// SPDX-License-Identifier: Apache-2.0

// Open descriptors that go from process to process with a datagram. Swift's Glibc module has no macros for them.

#ifndef C_HANDOFF_DESCRIPTORS_H
#define C_HANDOFF_DESCRIPTORS_H

#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

/// Sends those bytes with that descriptor on a connected datagram socket, without waiting. Returns 0, or -1 and `errno`:
/// EAGAIN where whoever reads has more to read than the system lets wait.
int chandoff_send_descriptor(int socket, const void *bytes, size_t count, int descriptor);

/// A datagram, and what came with it.
typedef struct {
    /// Of it that are in the buffer.
    size_t count;
    /// Nothing of it, and none of its descriptors, was cut off.
    int is_whole;
    /// Who sent it, as the kernel says: `process` 0 and `user` (uid_t)-1 where it does not.
    pid_t process;
    uid_t user;
    /// Where exactly one came; else -1, and all that came are closed.
    int descriptor;
} chandoff_datagram;

/// The next datagram of a socket with SO_PASSCRED, without waiting. Returns 0, or -1 and `errno`: EAGAIN where none is there.
int chandoff_receive_descriptor(int socket, void *buffer, size_t size, chandoff_datagram *datagram);

/// Whether by that descriptor a plain file or a folder can be read, and not be written to. Asks no file system, of which some
/// never answer.
int chandoff_reads_file_or_folder(int descriptor);

/// The file that a process runs, in whatever mount namespace and whatever has become of its path. `process_folder` is its
/// open folder in /proc. The kernel answers from memory, so a dead mount cannot hold up the caller. Returns 0, or -1 and
/// `errno`.
int chandoff_running_file(int process_folder, uint64_t *device, uint64_t *inode);

#endif
