// SPDX-License-Identifier: Apache-2.0

// What a program gives up, by calls of Linux that Swift's Glibc module does not show.

#ifndef C_HANDOFF_WEB_FETCH_H
#define C_HANDOFF_WEB_FETCH_H

/// Gives up for good what a program that asks one web site has no need of: more rights, through a program that has them;
/// processes of its own; files that grow; a core dump; more memory, descriptors and processor time than an answer takes;
/// and, where the kernel has Landlock, every file but the system's own, and of those all but reading them. Ends this
/// process after so many seconds, and with the thread that started it.
/// What the system refuses to take is kept: it is one wall of several.
void cwebfetch_confine(unsigned seconds);

#endif
