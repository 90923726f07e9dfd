// SPDX-License-Identifier: Apache-2.0

#pragma once

// The oldest GTK that this is built with is 4.8, so what later ones advise against is used where 4.8 has nothing else.
#define GDK_DISABLE_DEPRECATION_WARNINGS
#define GLIB_DISABLE_DEPRECATION_WARNINGS

#include <glib-unix.h>
#include <gtk/gtk.h>

// The side of libdispatch that is for main loops of others: readable when the main queue has work, and does that work.
int _dispatch_get_main_queue_handle_4CF(void);
void _dispatch_main_queue_callback_4CF(void *message);
