// SPDX-License-Identifier: Apache-2.0

#define _GNU_SOURCE

#include "CHandoffSystem.h"

#include <errno.h>
#include <fcntl.h>
#include <link.h>
#include <linux/fs.h>
#include <linux/openat2.h>
#include <signal.h>
#include <spawn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/statfs.h>
#include <sys/statvfs.h>
#include <sys/syscall.h>
#include <sys/xattr.h>
#include <time.h>
#include <unistd.h>

// The original limits of this process. Written once, before any program is started.
static struct rlimit given_descriptors;
static bool has_more_descriptors = false;

void chandoff_print_by_lines(void) { setvbuf(stdout, NULL, _IOLBF, 0); }

rlim_t chandoff_raise_descriptors(rlim_t wanted)
{
    struct rlimit limit;
    if (getrlimit(RLIMIT_NOFILE, &limit) != 0) return 0;
    struct rlimit given = limit;
    if (wanted > limit.rlim_max) wanted = limit.rlim_max;
    if (limit.rlim_cur >= wanted) return limit.rlim_cur;
    limit.rlim_cur = wanted;
    if (setrlimit(RLIMIT_NOFILE, &limit) != 0) return given.rlim_cur;
    given_descriptors = given;
    has_more_descriptors = true;
    return wanted;
}

static int give(posix_spawn_file_actions_t *actions, int descriptor, int place, int access)
{
    return descriptor >= 0 ? posix_spawn_file_actions_adddup2(actions, descriptor, place)
                           : posix_spawn_file_actions_addopen(actions, place, "/dev/null", access, 0);
}

// The number of attempts to start a busy program, and the pause between them, nanoseconds.
#define BUSY_TRIES 100
#define BUSY_PAUSE 2000000

int chandoff_spawn(
    pid_t *process, const char *path, char *const arguments[], char *const environment[], const char *directory,
    int input, int output, int errors)
{
    posix_spawn_file_actions_t actions;
    posix_spawnattr_t attributes;
    sigset_t none, all;
    sigemptyset(&none);
    sigfillset(&all);

    int error = posix_spawn_file_actions_init(&actions);
    if (error != 0) return error;
    error = posix_spawnattr_init(&attributes);
    if (error != 0) {
        posix_spawn_file_actions_destroy(&actions);
        return error;
    }

    // Output and errors first, because their descriptor may have any number, even 0.
    if (error == 0) error = give(&actions, output, 1, O_WRONLY);
    if (error == 0) error = errors == output ? posix_spawn_file_actions_adddup2(&actions, 1, 2)
                                             : give(&actions, errors, 2, O_WRONLY);
    if (error == 0) error = give(&actions, input, 0, O_RDONLY);
    if (error == 0) error = posix_spawn_file_actions_addclosefrom_np(&actions, 3);
    if (error == 0) error = posix_spawn_file_actions_addchdir_np(&actions, directory);
    if (error == 0) error = posix_spawnattr_setsigmask(&attributes, &none);
    if (error == 0) error = posix_spawnattr_setsigdefault(&attributes, &all);
    if (error == 0)
        error = posix_spawnattr_setflags(
            &attributes, POSIX_SPAWN_SETSID | POSIX_SPAWN_SETSIGMASK | POSIX_SPAWN_SETSIGDEF);
    if (error == 0) error = posix_spawn(process, path, &actions, &attributes, arguments, environment);
    // A new program is busy while a child of another thread still has it open for writing.
    for (int tries = BUSY_TRIES; error == ETXTBSY && tries > 0; tries--) {
        nanosleep(&(struct timespec){.tv_nsec = BUSY_PAUSE}, NULL);
        error = posix_spawn(process, path, &actions, &attributes, arguments, environment);
    }
    if (error == 0 && has_more_descriptors) prlimit(*process, RLIMIT_NOFILE, &given_descriptors, NULL);

    posix_spawnattr_destroy(&attributes);
    posix_spawn_file_actions_destroy(&actions);
    return error;
}

int chandoff_exchange(int directory, const char *one, int other_directory, const char *other)
{
    return renameat2(directory, one, other_directory, other, RENAME_EXCHANGE);
}

int chandoff_rename_to_free(int directory, const char *name, int new_directory, const char *new_name)
{
    return renameat2(directory, name, new_directory, new_name, RENAME_NOREPLACE);
}

int chandoff_open_beneath(int directory, const char *path, int flags, bool follow_links)
{
    struct open_how how = {
        .flags = (__u64)(flags | O_CLOEXEC),
        .resolve = RESOLVE_BENEATH | RESOLVE_NO_MAGICLINKS | (follow_links ? 0 : RESOLVE_NO_SYMLINKS),
    };
    // EAGAIN: a folder was renamed while ".." of a link was resolved. The number of attempts is limited.
    int descriptor;
    int tries = 8;
    do {
        descriptor = (int)syscall(SYS_openat2, directory, path, &how, sizeof how);
    } while (descriptor < 0 && (errno == EINTR || (errno == EAGAIN && tries-- > 0)));
    return descriptor;
}

int chandoff_look_beneath(int directory, const char *path)
{
    return chandoff_open_beneath(directory, path, O_PATH, true);
}

int chandoff_open_to_empty(int directory, const char *path)
{
    const int flags = O_DIRECTORY | O_NOFOLLOW;
    int place = chandoff_open_beneath(directory, path, O_PATH | flags, false);
    if (place < 0) return -1;
    struct stat status;
    if (fstat(place, &status) == 0 && (status.st_mode & S_IRWXU) != S_IRWXU) {
        // `fchmod` refuses an O_PATH descriptor, and a folder without read permission cannot be opened otherwise. This
        // name leads to the open folder itself. For another user's folder this fails, and so does opening it.
        char name[32];
        snprintf(name, sizeof name, "/proc/self/fd/%d", place);
        if (chmod(name, (status.st_mode & 07777) | S_IRWXU) != 0) { /* see above */ }
    }
    int descriptor = chandoff_open_beneath(place, ".", O_RDONLY | flags, false);
    int error = errno;
    close(place);
    errno = error;
    return descriptor;
}

int chandoff_file_system(int descriptor, chandoff_file_system_facts *facts)
{
    struct statfs found;
    if (fstatfs(descriptor, &found) != 0) return -1;
    facts->type = (uint32_t)found.f_type;
    facts->is_read_only = (found.f_flags & ST_RDONLY) != 0;
    unsigned __int128 free_bytes = (unsigned __int128)found.f_bavail * (uint64_t)found.f_bsize;
    facts->free_bytes = free_bytes > UINT64_MAX ? UINT64_MAX : (uint64_t)free_bytes;
    return 0;
}

bool chandoff_folds_case(int directory)
{
    int flags = 0;
    return ioctl(directory, FS_IOC_GETFLAGS, &flags) == 0 && (flags & FS_CASEFOLD_FL) != 0;
}

ssize_t chandoff_copy_range(int from, off_t from_offset, int to, off_t to_offset, size_t count)
{
    return copy_file_range(from, &from_offset, to, &to_offset, count, 0);
}

int chandoff_begin_writing(int descriptor, off_t offset, off_t count)
{
    return sync_file_range(descriptor, offset, count, SYNC_FILE_RANGE_WRITE);
}

int chandoff_open_unnamed(int directory, mode_t mode)
{
    /* The file gets its name through this link. */
    if (access("/proc/self/fd", X_OK) != 0) {
        errno = EOPNOTSUPP;
        return -1;
    }
    return openat(directory, ".", O_TMPFILE | O_RDWR | O_CLOEXEC, mode);
}

int chandoff_give_name(int descriptor, int directory, const char *name)
{
    char link[sizeof "/proc/self/fd/" + 3 * sizeof(int)];
    snprintf(link, sizeof link, "/proc/self/fd/%d", descriptor);
    return linkat(AT_FDCWD, link, directory, name, AT_SYMLINK_FOLLOW);
}

int chandoff_hold_place(const char *path)
{
    return open(path, O_PATH | O_CLOEXEC);
}

// An access control list, as defined in <linux/posix_acl_xattr.h>: little-endian on every machine.
#define ACL_NAME "system.posix_acl_access"
#define ACL_HEADER 4
#define ACL_ENTRY 8
#define ACL_GROUP_OBJECT 0x04
#define ACL_OTHER 0x20

// Limits the group's entry to the permissions of others, because the group has changed.
static void narrow_group(unsigned char *list, size_t length)
{
    unsigned char others = 0;
    for (size_t at = ACL_HEADER; at + ACL_ENTRY <= length; at += ACL_ENTRY)
        if (list[at] == ACL_OTHER) others = list[at + 2];
    for (size_t at = ACL_HEADER; at + ACL_ENTRY <= length; at += ACL_ENTRY)
        if (list[at] == ACL_GROUP_OBJECT) list[at + 2] &= others;
}

static bool is_kept(const char *name)
{
    return strncmp(name, "user.", 5) == 0 || strcmp(name, ACL_NAME) == 0 || strcmp(name, "security.selinux") == 0;
}

// Returns 0, or an error number.
static int keep_attribute(int from, int to, const char *name, bool has_group)
{
    // The longest that Linux supports.
    static const size_t longest = 65536;
    unsigned char *value = malloc(longest);
    if (value == NULL) return ENOMEM;
    ssize_t length = fgetxattr(from, name, value, longest);
    int error = 0;
    if (length >= 0) {
        if (!has_group && strcmp(name, ACL_NAME) == 0) narrow_group(value, (size_t)length);
        if (fsetxattr(to, name, value, (size_t)length, 0) != 0) error = errno;
    }
    free(value);
    // The file system lacks the attribute, or the user may not set it.
    return error == EOPNOTSUPP || error == EPERM || error == EACCES || error == EINVAL ? 0 : error;
}

// Returns 0, or an error number.
static int keep_attributes(int from, int to, bool has_group)
{
    ssize_t room = flistxattr(from, NULL, 0);
    // Removes a list that the new file inherited from its folder.
    fremovexattr(to, ACL_NAME);
    if (room <= 0) return 0;
    char *names = malloc((size_t)room);
    if (names == NULL) return ENOMEM;
    ssize_t length = flistxattr(from, names, (size_t)room);
    int error = 0;
    for (ssize_t at = 0; at < length; at += (ssize_t)strlen(names + at) + 1) {
        if (!is_kept(names + at)) continue;
        int failed = keep_attribute(from, to, names + at, has_group);
        if (error == 0) error = failed;
    }
    free(names);
    return error;
}

int chandoff_keep_attributes(int from, int to, mode_t mode)
{
    struct stat old, new;
    if (fstat(from, &old) != 0 || fstat(to, &new) != 0) return -1;
    // Only root may change the owner, and other users may only use their own groups.
    bool has_group = old.st_gid == new.st_gid || fchown(to, (uid_t)-1, old.st_gid) == 0;
    if (old.st_uid != new.st_uid && fchown(to, old.st_uid, (gid_t)-1) != 0) mode |= S_IRUSR | S_IWUSR;
    int error = keep_attributes(from, to, has_group);
    bool had_list = fgetxattr(from, ACL_NAME, NULL, 0) > 0;
    bool has_list = fgetxattr(to, ACL_NAME, NULL, 0) > 0;
    // With a list, the group bits are its mask.
    if (!has_list && (had_list || !has_group)) mode &= ~(mode_t)S_IRWXG | (mode & S_IRWXO) << 3;
    if (fchmod(to, mode) != 0) return -1;
    errno = error;
    return error == 0 ? 0 : -1;
}

int chandoff_set_mark(const char *path, const char *name)
{
    return setxattr(path, name, "1", 1, 0);
}

int chandoff_remove_mark(const char *path, const char *name)
{
    return removexattr(path, name);
}

int chandoff_has_mark(const char *path, const char *name)
{
    return getxattr(path, name, NULL, 0) >= 0;
}

int chandoff_reserve(int descriptor, off_t bytes)
{
    return fallocate(descriptor, FALLOC_FL_KEEP_SIZE, 0, bytes);
}

int chandoff_free_range(int descriptor, off_t offset, off_t bytes)
{
    return fallocate(descriptor, FALLOC_FL_PUNCH_HOLE | FALLOC_FL_KEEP_SIZE, offset, bytes);
}

int chandoff_sync_file_system(int descriptor)
{
    return syncfs(descriptor);
}

static int let_go_of_object(struct dl_phdr_info *object, size_t size, void *nothing)
{
    (void)size;
    (void)nothing;
    const ElfW(Addr) page = (ElfW(Addr))sysconf(_SC_PAGESIZE);
    for (int i = 0; i < object->dlpi_phnum; i++) {
        const ElfW(Phdr) *part = &object->dlpi_phdr[i];
        // Segments that were writable while linking no longer match the file, even if they are now read-only.
        if (part->p_type != PT_LOAD || (part->p_flags & PF_W) != 0) continue;
        ElfW(Addr) begin = (object->dlpi_addr + part->p_vaddr) & ~(page - 1);
        ElfW(Addr) end = (object->dlpi_addr + part->p_vaddr + part->p_filesz) & ~(page - 1);
        if (end > begin) madvise((void *)begin, end - begin, MADV_DONTNEED);
    }
    return 0;
}

void chandoff_let_go_of_code(void)
{
    dl_iterate_phdr(let_go_of_object, NULL);
}

int chandoff_open_process(pid_t process)
{
    return (int)syscall(SYS_pidfd_open, process, 0);
}

int chandoff_keep_memory_to_itself(void)
{
    return prctl(PR_SET_DUMPABLE, 0, 0, 0, 0);
}
