// SPDX-License-Identifier: Apache-2.0

// Swift's Glibc module lacks <sys/timerfd.h>.

#ifndef C_HANDOFF_CLOCK_TIMER_H
#define C_HANDOFF_CLOCK_TIMER_H

/// A timer of the wall clock that does not expire, but becomes readable when the clock is set or the machine wakes up; then
/// reading fails with ECANCELED. Returns a descriptor, or -1 and `errno`.
int chandoff_clock_timer(void);

#endif
