// SPDX-License-Identifier: Apache-2.0

#if canImport(CGTK)
// An app on GTK needs no other import: GTK's own interface, and the application, its windows, documents and activities.
@_exported public import CGTK
@_exported public import HandoffApp
@_exported public import HandoffGTKCalls
#endif
