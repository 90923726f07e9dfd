// SPDX-License-Identifier: Apache-2.0

#define _GNU_SOURCE

#include "CTerminal.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <sys/ioctl.h>
#include <unistd.h>

int cterminal_open(int *end)
{
    char name[128];
    int terminal = posix_openpt(O_RDWR | O_NOCTTY | O_CLOEXEC);
    if (terminal < 0) return -errno;
    *end = -1;
    if (grantpt(terminal) == 0 && unlockpt(terminal) == 0 && ptsname_r(terminal, name, sizeof name) == 0)
        *end = open(name, O_RDWR | O_NOCTTY | O_CLOEXEC);
    if (*end >= 0) return terminal;
    int error = errno;
    close(terminal);
    return -error;
}

int cterminal_resize(int terminal, int columns)
{
    struct winsize size = {.ws_row = 25, .ws_col = (unsigned short)columns};
    return ioctl(terminal, TIOCSWINSZ, &size) == 0 ? 0 : -errno;
}
