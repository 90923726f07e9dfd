// SPDX-License-Identifier: Apache-2.0

#if !canImport(CGTK)
/// Unavailable: this package is built without GTK unless the trait is requested, so programs without windows do not
/// need it.
@available(*, unavailable, message: "depend on handoff with the trait: .package(…, traits: [\"GTK\"])")
public enum GTKApplication {}

/// Unavailable; see ``GTKApplication``.
@available(*, unavailable, message: "depend on handoff with the trait: .package(…, traits: [\"GTK\"])")
public enum GTKWindow {}
#endif
