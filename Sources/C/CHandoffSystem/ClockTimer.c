// SPDX-License-Identifier: Apache-2.0

#include "ClockTimer.h"

#include <errno.h>
#include <stdint.h>
#include <sys/timerfd.h>
#include <time.h>
#include <unistd.h>

int chandoff_clock_timer(void)
{
    int timer = timerfd_create(CLOCK_REALTIME, TFD_NONBLOCK | TFD_CLOEXEC);
    if (timer < 0) return -1;
    struct itimerspec never = {.it_value = {.tv_sec = INT32_MAX * (time_t)64}};
    if (timerfd_settime(timer, TFD_TIMER_ABSTIME | TFD_TIMER_CANCEL_ON_SET, &never, NULL) < 0) {
        int error = errno;
        close(timer);
        errno = error;
        return -1;
    }
    return timer;
}
