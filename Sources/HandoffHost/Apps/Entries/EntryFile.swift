// SPDX-License-Identifier: Apache-2.0

internal import HandoffCore
internal import HandoffWire

/// A desktop entry where it lies.
struct EntryFile: Sendable {
    /// The desktop file ID without `.desktop`: of `applications/example/notes.desktop` it is `example-notes`.
    let id: ExactText
    /// Absolute.
    let path: String
    let bytes: [UInt8]
    let entry: DesktopEntry

    /// In its place none counts either, not even one of the system's.
    var isHidden: Bool { entry.flag(.hidden) }
}
