// SPDX-License-Identifier: Apache-2.0

#ifndef C_TERMINAL_H
#define C_TERMINAL_H

/// Opens a terminal. `end` becomes the descriptor for programs. Returns the descriptor of the terminal emulator, or minus
/// an `errno`.
int cterminal_open(int *end);

/// Sets the width, and notifies the programs. Returns zero, or minus an `errno`.
int cterminal_resize(int terminal, int columns);

#endif
