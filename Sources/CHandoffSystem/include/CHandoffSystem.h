// SPDX-License-Identifier: Apache-2.0

// Calls of Linux that Swift's Glibc module does not show.

#ifndef C_HANDOFF_SYSTEM_H
#define C_HANDOFF_SYSTEM_H

#include "Descriptors.h"
#include "SealedBytes.h"
#include "UserBus.h"

#include <malloc.h>
#include <stdbool.h>
#include <stdint.h>
#include <sys/resource.h>
#include <sys/types.h>

/// Starts `path` in a session of its own, in `directory`, with fresh signal handling and no descriptor but the standard
/// ones; of these a negative one is /dev/null. Only where `input` is negative, and `errors` is `output` or negative, may
/// they be standard ones of this process.
/// Returns 0, or the error number, also where the program itself cannot be run. Does not copy the caller's memory.
int chandoff_spawn(
    pid_t *process, const char *path, char *const arguments[], char *const environment[], const char *directory,
    int input, int output, int errors);

/// From now on, what this process prints leaves it at the end of each line, into a file or pipe as on a terminal.
void chandoff_print_by_lines(void);

/// Lets this process have so many descriptors, as far as the system allows. What `chandoff_spawn` starts has as many as
/// this process was given: select() ends at 1024, and programs that use it do not look. To be called once, before
/// anything is started. Returns the limit that holds now, 0 where it is not to be had.
rlim_t chandoff_raise_descriptors(rlim_t wanted);

/// Swaps two names in one step. Returns 0, or -1 and `errno`: EINVAL where the file system cannot.
int chandoff_exchange(int directory, const char *one, int other_directory, const char *other);

/// A new name in one step. Returns 0, or -1 and `errno`: EEXIST where the name is taken, EINVAL where the file system
/// cannot.
int chandoff_rename_to_free(int directory, const char *name, int new_directory, const char *new_name);

/// As openat, but never out of that folder: not by "..", an absolute path or a link, and by no link of /proc. Returns -1 and
/// `errno`: EXDEV where it would lead out, ELOOP for a link where none is followed, ENOSYS before Linux 5.6.
int chandoff_open_beneath(int directory, const char *path, int flags, bool follow_links);

/// The same, following links, for one that can be looked at and not read: nothing of what it is hears of it.
int chandoff_look_beneath(int directory, const char *path);

/// A new file without a name in that folder, to be written and read: gone with the process, however that ends. Returns it, or -1 and `errno`:
/// EOPNOTSUPP, EISDIR or EINVAL where there is no such thing.
int chandoff_open_unnamed(int directory, mode_t mode);

/// A name for what `chandoff_open_unnamed` made. Returns 0, or -1 and `errno`: EEXIST where the name is taken.
int chandoff_give_name(int descriptor, int directory, const char *name);

/// What is at that path, also behind a symbolic link, without opening it: it cannot be read by this descriptor, but the
/// system tells what it is and where. Returns it, or -1 and `errno`.
int chandoff_hold_place(const char *path);

/// An extended attribute that says yes by being there; `name` begins with "user.". Returns 0, or -1 and `errno`:
/// EOPNOTSUPP where the file system has none.
int chandoff_set_mark(const char *path, const char *name);
int chandoff_remove_mark(const char *path, const char *name);
/// 1 where it is there, 0 where it is not, or cannot be read.
int chandoff_has_mark(const char *path, const char *name);

/// Gives a new file or folder what the replaced item has beside its content: owner and group as far as this user may
/// set them, access control list, `user.` attributes, security label; and that mode. Grants nothing to a different group than
/// before. Returns 0, or -1 and `errno`: the mode is set, and an attribute found no room.
int chandoff_keep_attributes(int from, int to, mode_t mode);

/// The folder at that path beneath another one, reached through no link and open to be listed. Its owner gets all rights to
/// it, if they have them not. Returns a descriptor, or -1 and `errno`.
int chandoff_open_to_empty(int directory, const char *path);

/// Room for so many bytes in all, without the file growing. Returns 0, or -1 and `errno`: EOPNOTSUPP where the file system
/// cannot.
int chandoff_reserve(int descriptor, off_t bytes);

/// Cuts these bytes out of the file, so that they take no room, and leaves its size. Returns 0, or -1 and `errno`: EOPNOTSUPP
/// where the file system cannot.
int chandoff_free_range(int descriptor, off_t offset, off_t bytes);

/// The pages of the program and of its libraries that were read so far and cannot be written to are no longer this
/// process's, until it reads them again: the system has them in its cache, and may drop them.
void chandoff_let_go_of_code(void);

/// A descriptor of the process that has this number now, which becomes readable when it ends, or -1 and `errno`.
int chandoff_open_process(pid_t process);

/// This process leaves no core dump, and no program of the same user may attach to it, as root still may. What it starts is
/// as it would be without. Returns 0, or -1 and `errno`.
int chandoff_keep_memory_to_itself(void);

/// Returns once everything on the file system of `descriptor` is on the disk: 0, or -1 and `errno`.
int chandoff_sync_file_system(int descriptor);

/// What a file or folder is on.
typedef struct {
    /// One of <linux/magic.h>.
    uint32_t type;
    bool is_read_only;
    /// For this user.
    uint64_t free_bytes;
} chandoff_file_system_facts;

/// Returns 0, or -1 and `errno`.
int chandoff_file_system(int descriptor, chandoff_file_system_facts *facts);

/// Whether two names in that folder are one if they differ by case alone, as a folder of ext4, f2fs or tmpfs can be set.
bool chandoff_folds_case(int directory);

/// Copies at most `count` bytes within the kernel, without copying where the file system can have two files share them.
/// Returns how many, 0 at the end, or -1 and `errno`.
ssize_t chandoff_copy_range(int from, off_t from_offset, int to, off_t to_offset, size_t count);

/// Begins to write these to the disk, so that less is left to be waited for. Returns 0, or -1 and `errno`.
int chandoff_begin_writing(int descriptor, off_t offset, off_t count);

#endif
