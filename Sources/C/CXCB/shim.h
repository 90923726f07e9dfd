// SPDX-License-Identifier: Apache-2.0

#pragma once

#include <xcb/res.h>
#include <xcb/xcb.h>
