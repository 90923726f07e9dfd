// SPDX-License-Identifier: Apache-2.0

#define _GNU_SOURCE

#include "CHandoffWebFetch.h"

#include <fcntl.h>
#include <signal.h>
#include <stddef.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

#if __has_include(<linux/landlock.h>)
#include <linux/landlock.h>
#endif

static void bound(__rlimit_resource_t resource, rlim_t most)
{
    struct rlimit limit = {.rlim_cur = most, .rlim_max = most};
    setrlimit(resource, &limit);
}

#if defined(LANDLOCK_ACCESS_FS_EXECUTE) && defined(SYS_landlock_create_ruleset)

// Where systems keep what looking up a name and checking a certificate read, and libraries.
static const char *const readable[] = {
    "/etc", "/usr", "/lib", "/lib64", "/nix/store", "/run/systemd/resolve", "/run/resolvconf", "/run/NetworkManager",
    "/var/lib/ca-certificates", "/dev/null", "/dev/urandom",
};

static void give_up_files(void)
{
    // Of the first version, which every kernel with Landlock knows.
    struct landlock_ruleset_attr all = {.handled_access_fs = (LANDLOCK_ACCESS_FS_MAKE_SYM << 1) - 1};
    int rules = (int)syscall(SYS_landlock_create_ruleset, &all, sizeof all, 0);
    if (rules < 0) return;
    for (size_t index = 0; index < sizeof readable / sizeof readable[0]; index++) {
        struct stat status;
        int place = open(readable[index], O_PATH | O_CLOEXEC);
        if (place < 0) continue;
        __u64 reading = LANDLOCK_ACCESS_FS_READ_FILE;
        if (fstat(place, &status) == 0 && S_ISDIR(status.st_mode)) reading |= LANDLOCK_ACCESS_FS_READ_DIR;
        struct landlock_path_beneath_attr beneath = {.allowed_access = reading, .parent_fd = place};
        syscall(SYS_landlock_add_rule, rules, LANDLOCK_RULE_PATH_BENEATH, &beneath, 0);
        close(place);
    }
    syscall(SYS_landlock_restrict_self, rules, 0);
    close(rules);
}

#else

static void give_up_files(void) {}

#endif

// A sanitizer maps terabytes that it never touches, beside what the program itself uses.
static void bound_memory(void)
{
#if !__has_feature(thread_sanitizer) && !__has_feature(address_sanitizer)
    bound(RLIMIT_AS, (rlim_t)512 * 1024 * 1024);
#endif
}

void cwebfetch_confine(unsigned seconds)
{
    prctl(PR_SET_PDEATHSIG, SIGKILL);
    alarm(seconds);
    prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0);
    prctl(PR_SET_DUMPABLE, 0, 0, 0, 0);
    bound(RLIMIT_CORE, 0);
    bound(RLIMIT_FSIZE, 0);
    bound(RLIMIT_NPROC, 0);
    bound(RLIMIT_NOFILE, 64);
    bound(RLIMIT_CPU, seconds);
    bound_memory();
    give_up_files();
}
