// SPDX-License-Identifier: Apache-2.0

#pragma once

// Uses HandoffGTK's import of GTK: a second import of its headers would make two types of each widget.
#pragma clang module import CGTK

#include <adwaita.h>
