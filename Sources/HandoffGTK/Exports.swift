// SPDX-License-Identifier: Apache-2.0

#if canImport(CGTK)
// A GTK app needs no other import.
@_exported public import CGTK
@_exported public import HandoffApp
@_exported public import HandoffGTKCalls
#endif
