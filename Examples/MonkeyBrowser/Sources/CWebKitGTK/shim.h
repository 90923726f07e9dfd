// SPDX-License-Identifier: Apache-2.0

#pragma once

#include <glib-unix.h>
#include <gtk/gtk.h>
#include <webkit/webkit.h>

// The side of libdispatch that is for main loops of others: readable when the main queue has work, and does that work.
int _dispatch_get_main_queue_handle_4CF(void);
void _dispatch_main_queue_callback_4CF(void *message);
