// SPDX-License-Identifier: Apache-2.0

#if !canImport(CGTK)
/// Not there: this package is built without GTK unless somebody asks for it, so that who needs no windows needs none of it.
@available(*, unavailable, message: "depend on handoff with the trait: .package(…, traits: [\"GTK\"])")
public enum GTKApplication {}

/// Not there; see ``GTKApplication``.
@available(*, unavailable, message: "depend on handoff with the trait: .package(…, traits: [\"GTK\"])")
public enum GTKWindow {}
#endif
