// SPDX-License-Identifier: Apache-2.0

internal import HandoffCore
internal import HandoffWire

struct EntryFile: Sendable {
    /// The desktop file ID without `.desktop`: `example-notes` for `applications/example/notes.desktop`.
    let id: ExactText
    let path: String
    let bytes: [UInt8]
    let entry: DesktopEntry

    /// It also hides entries of lower precedence with the same identifier, even the system's.
    var isHidden: Bool { entry.flag(.hidden) }
}
