// SPDX-License-Identifier: Apache-2.0

#ifndef C_TERMINAL_H
#define C_TERMINAL_H

/// Opens a terminal. `end` is set to the descriptor that programs have. The descriptor of who draws it, or minus an
/// `errno`.
int cterminal_open(int *end);

/// Tells the programs in it how wide it is. Zero, or minus an `errno`.
int cterminal_resize(int terminal, int columns);

#endif
