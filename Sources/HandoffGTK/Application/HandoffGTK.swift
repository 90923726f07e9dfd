// SPDX-License-Identifier: Apache-2.0

#if canImport(CGTK)
// A GTK app needs no other import.
@_exported public import CGTK
@_exported public import HandoffApp
@_exported public import HandoffGTKCalls
#else
/// Unavailable without the package's GTK trait.
@available(*, unavailable, message: "depend on handoff with the trait: .package(…, traits: [\"GTK\"])")
public enum GTKApplication {}

/// Unavailable; see ``GTKApplication``.
@available(*, unavailable, message: "depend on handoff with the trait: .package(…, traits: [\"GTK\"])")
public enum GTKWindow {}
#endif
