// SPDX-License-Identifier: Apache-2.0

#pragma once

// The oldest supported GTK is 4.8, so later deprecations are ignored if 4.8 has no alternative.
#define GDK_DISABLE_DEPRECATION_WARNINGS
#define GLIB_DISABLE_DEPRECATION_WARNINGS

#include <glib-unix.h>
#include <gtk/gtk.h>

// libdispatch's interface for foreign main loops: a descriptor that is readable when the main queue has work, and a
// function that does the work.
int _dispatch_get_main_queue_handle_4CF(void);
void _dispatch_main_queue_callback_4CF(void *message);
