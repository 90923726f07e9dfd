// SPDX-License-Identifier: Apache-2.0

#define _GNU_SOURCE

#include "CHandoffWebFetch.h"

#include <arpa/nameser.h>
#include <fcntl.h>
#include <netdb.h>
#include <netinet/in.h>
#include <resolv.h>
#include <signal.h>
#include <stddef.h>
#include <string.h>
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

// Libraries, and files for name lookup and certificate verification.
static const char *const readable[] = {
    "/etc", "/usr", "/lib", "/lib64", "/nix/store", "/run/systemd/resolve", "/run/resolvconf", "/run/NetworkManager",
    "/var/lib/ca-certificates", "/dev/null", "/dev/urandom",
};

static void give_up_files(void)
{
    // The access rights of Landlock's first version, which every kernel with Landlock supports.
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

// Sanitizers map terabytes that they never touch.
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

static int read_addresses(const unsigned char *answer, int size, unsigned char *addresses, int most)
{
    ns_msg message;
    if (ns_initparse(answer, size, &message) != 0) return -1;
    int count = 0;
    for (int index = 0; index < ns_msg_count(message, ns_s_an) && count < most; index++) {
        ns_rr record;
        if (ns_parserr(&message, ns_s_an, index, &record) != 0) return -1;
        if (ns_rr_type(record) != ns_t_aaaa || ns_rr_rdlen(record) != NS_IN6ADDRSZ) continue;
        memcpy(addresses + NS_IN6ADDRSZ * count++, ns_rr_rdata(record), NS_IN6ADDRSZ);
    }
    return count;
}

int cwebfetch_look_up(const char *name, unsigned short port, unsigned char *addresses, int most)
{
    struct __res_state state;
    memset(&state, 0, sizeof state);
    if (res_ninit(&state) != 0) return -1;
    if (port != 0) {
        state.nsaddr_list[0] = (struct sockaddr_in){
            .sin_family = AF_INET, .sin_port = htons(port), .sin_addr.s_addr = htonl(INADDR_LOOPBACK),
        };
        state.nscount = 1;
    }
    // Two servers, two attempts each, a second per attempt. TCP for longer answers could take longer, so it is
    // disabled.
    if (state.nscount > 2) state.nscount = 2;
    state.retrans = 1;
    state.retry = 2;
    state.options |= RES_IGNTC;
    unsigned char answer[4096];
    int size = res_nquery(&state, name, ns_c_in, ns_t_aaaa, answer, sizeof answer);
    int isAbsent = size < 0 && (state.res_h_errno == HOST_NOT_FOUND || state.res_h_errno == NO_DATA);
    res_nclose(&state);
    if (isAbsent) return 0;
    // `res_nquery` returns the full length, even if the answer was truncated.
    if (size < 0 || size > (int)sizeof answer) return -1;
    return read_addresses(answer, size, addresses, most);
}
