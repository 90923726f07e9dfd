// SPDX-License-Identifier: Apache-2.0

/// Permission bits at the origin. The receiver derives bits that let the owner read and write, and no other user write.
package struct SentMode: Hashable, Sendable {
    /// At most 0o777.
    let bits: UInt16

    package init(_ bits: UInt16) { self.bits = bits & 0o777 }

    /// The replaced item with its permission bits, or the bits that new files here do not get.
    package enum Replaced: Hashable, Sendable {
        case nothing(umask: UInt16)
        case file(UInt16)
        case folder(UInt16)
    }

    /// Keeps a replaced file's bits, plus read access for its owner. A new file is never executable.
    package func fileMode(replacing replaced: Replaced) -> UInt16 {
        switch replaced {
        case .nothing(let umask): 0o600 | bits & 0o044 & ~umask
        case .file(let mode): 0o400 | mode & 0o777
        case .folder(let mode): 0o600 | bits & 0o044 & mode
        }
    }

    /// Gives others no access that the replaced item lacks.
    package func folderMode(replacing replaced: Replaced) -> UInt16 {
        switch replaced {
        case .nothing(let umask): return 0o700 | bits & 0o055 & ~umask
        case .folder(let mode): return 0o700 | bits & 0o055 & mode
        case .file(let mode):
            let readers = mode & 0o044
            return 0o700 | bits & (readers | readers >> 2)
        }
    }
}

extension SentMode: ExpressibleByIntegerLiteral {
    package init(integerLiteral value: UInt16) { self.init(value) }
}

extension SentMode: CustomStringConvertible {
    package var description: String { "0\(String(bits, radix: 8))" }
}
