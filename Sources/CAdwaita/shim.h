// SPDX-License-Identifier: Apache-2.0

#pragma once

// GTK is that of HandoffGTK: were its headers read once more here, a widget would be of two types.
#pragma clang module import CGTK

#include <adwaita.h>
