// SPDX-License-Identifier: Apache-2.0

import Foundation

/// A terminal that passes on the programs' output unchanged.
struct PseudoTerminal {
    /// The end for programs.
    let end: FileHandle
    let reader: FileHandle

    // Linux's numbers, because the C library's functions are not available in Swift.
    private static let setLock = UInt(0x4004_5431)
    private static let getNumber = UInt(0x8004_5430)

    init(columns: Int) throws {
        let terminal = open("/dev/ptmx", O_RDWR | O_NOCTTY | O_CLOEXEC)
        guard terminal >= 0 else { throw CocoaError(.fileReadUnknown) }
        reader = FileHandle(fileDescriptor: terminal, closeOnDealloc: true)
        var isLocked: CInt = 0
        var number: CInt = 0
        var size = winsize(ws_row: 25, ws_col: UInt16(columns), ws_xpixel: 0, ws_ypixel: 0)
        guard ioctl(terminal, Self.setLock, &isLocked) == 0, ioctl(terminal, Self.getNumber, &number) == 0,
            ioctl(terminal, UInt(TIOCSWINSZ), &size) == 0
        else { throw CocoaError(.fileReadUnknown) }
        let other = open("/dev/pts/\(number)", O_RDWR | O_NOCTTY | O_CLOEXEC)
        guard other >= 0 else { throw CocoaError(.fileReadUnknown) }
        end = FileHandle(fileDescriptor: other, closeOnDealloc: true)
        var settings = termios()
        guard tcgetattr(other, &settings) == 0 else { throw CocoaError(.fileReadUnknown) }
        cfmakeraw(&settings)
        guard tcsetattr(other, TCSANOW, &settings) == 0 else { throw CocoaError(.fileReadUnknown) }
    }
}
