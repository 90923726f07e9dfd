// SPDX-License-Identifier: Apache-2.0

// Linux calls that are not available in Swift's Glibc module.

#ifndef C_HANDOFF_SYSTEM_H
#define C_HANDOFF_SYSTEM_H

#include "ClockTimer.h"
#include "Descriptors.h"
#include "SealedBytes.h"
#include "UserBus.h"

#include <malloc.h>
#include <stdbool.h>
#include <stdint.h>
#include <sys/resource.h>
#include <sys/types.h>

/// Starts `path` in a new session and in `directory`, with default signal handling and only the standard descriptors. A
/// negative descriptor means /dev/null. The descriptors may be standard ones of this process only if `input` is
/// negative, and `errors` is negative or `output`. Returns 0, or the error number, also if the program itself cannot be
/// run. Does not copy the caller's memory.
int chandoff_spawn(
    pid_t *process, const char *path, char *const arguments[], char *const environment[], const char *directory,
    int input, int output, int errors);

/// Makes standard output line-buffered even for files and pipes, as on a terminal.
void chandoff_print_by_lines(void);

/// Raises this process's limit of descriptors as far as the system allows. Programs started by `chandoff_spawn` get the
/// original limit, because select() supports only 1024 and its users do not check. Call this once, before starting a
/// program. Returns the new limit, or 0 on failure.
rlim_t chandoff_raise_descriptors(rlim_t wanted);

/// Swaps two names in one step. Returns 0, or -1 and `errno`: EINVAL if the file system does not support it.
int chandoff_exchange(int directory, const char *one, int other_directory, const char *other);

/// Renames in one step without replacing a file. Returns 0, or -1 and `errno`: EEXIST if the name is taken, EINVAL if
/// the file system does not support it.
int chandoff_rename_to_free(int directory, const char *name, int new_directory, const char *new_name);

/// Like openat, but never leaves the folder: not through "..", an absolute path, a link, or a magic link of /proc.
/// Returns -1 and `errno`: EXDEV if the path leads out, ELOOP for a link if `follow_links` is false, ENOSYS before
/// Linux 5.6.
int chandoff_open_beneath(int directory, const char *path, int flags, bool follow_links);

/// The same, following links, with a descriptor for inspection only. The file itself is not opened.
int chandoff_look_beneath(int directory, const char *path);

/// Creates an unnamed file in that folder for reading and writing, which disappears with the process. Returns a
/// descriptor, or -1 and `errno`: EOPNOTSUPP, EISDIR or EINVAL if unsupported.
int chandoff_open_unnamed(int directory, mode_t mode);

/// Names a file of `chandoff_open_unnamed`. Returns 0, or -1 and `errno`: EEXIST if the name is taken.
int chandoff_give_name(int descriptor, int directory, const char *name);

/// Refers to the item at that path, following links, without opening it. The descriptor cannot be read, but shows the
/// item's attributes and path. Returns a descriptor, or -1 and `errno`.
int chandoff_hold_place(const char *path);

/// An extended attribute whose presence means true; `name` begins with "user.". Returns 0, or -1 and `errno`:
/// EOPNOTSUPP if the file system does not support it.
int chandoff_set_mark(const char *path, const char *name);
int chandoff_remove_mark(const char *path, const char *name);
/// 1 if it is set, 0 if it is not or cannot be read.
int chandoff_has_mark(const char *path, const char *name);

/// Copies owner and group as far as this user may, the access control list, `user.` attributes and the security label,
/// and sets `mode`. Grants nothing to a group that had no access before. Returns 0, or -1 and `errno`: the mode is set,
/// but an attribute did not fit.
int chandoff_keep_attributes(int from, int to, mode_t mode);

/// Opens the folder at that path beneath another one for listing, without following links. Gives its owner all rights
/// if they are missing. Returns a descriptor, or -1 and `errno`.
int chandoff_open_to_empty(int directory, const char *path);

/// Reserves space for so many bytes in total, without changing the file's size. Returns 0, or -1 and `errno`:
/// EOPNOTSUPP if the file system does not support it.
int chandoff_reserve(int descriptor, off_t bytes);

/// Frees the blocks of this range, without changing the file's size. Returns 0, or -1 and `errno`: EOPNOTSUPP if the
/// file system does not support it.
int chandoff_free_range(int descriptor, off_t offset, off_t bytes);

/// Releases the read-only pages of the program and its libraries until they are used again. The system keeps them in
/// its cache, and may drop them.
void chandoff_let_go_of_code(void);

/// A descriptor of the process that currently has this number, which becomes readable when the process ends; or -1 and
/// `errno`.
int chandoff_open_process(pid_t process);

/// Disables core dumps of this process, and prevents other programs of the same user from attaching to it; root still
/// may. Programs that it starts are not affected. Returns 0, or -1 and `errno`.
int chandoff_keep_memory_to_itself(void);

/// Returns once everything on the file system of `descriptor` is on disk: 0, or -1 and `errno`.
int chandoff_sync_file_system(int descriptor);

typedef struct {
    /// A constant of <linux/magic.h>.
    uint32_t type;
    bool is_read_only;
    /// Available to this user.
    uint64_t free_bytes;
} chandoff_file_system_facts;

/// Returns 0, or -1 and `errno`.
int chandoff_file_system(int descriptor, chandoff_file_system_facts *facts);

/// Whether the folder ignores case in names, which can be enabled on ext4, f2fs and tmpfs.
bool chandoff_folds_case(int directory);

/// Copies up to `count` bytes within the kernel, sharing blocks if the file system can. Returns the number of bytes, 0
/// at the end, or -1 and `errno`.
ssize_t chandoff_copy_range(int from, off_t from_offset, int to, off_t to_offset, size_t count);

/// Starts writing this range to disk, so that a later sync is shorter. Returns 0, or -1 and `errno`.
int chandoff_begin_writing(int descriptor, off_t offset, off_t count);

#endif
