// SPDX-License-Identifier: Apache-2.0

/// The permission bits that a document has at its origin. A receiver cannot read them: it gets the bits that the document may
/// have here, which always let its owner read and write it, and never another user write it.
package struct SentMode: Hashable, Sendable {
    /// At most 0o777.
    let bits: UInt16

    /// Other bits than these of permissions are left out.
    package init(_ bits: UInt16) { self.bits = bits & 0o777 }

    /// The item that the document replaces, with its permission bits; `nothing`: the bits that new files here do not get.
    package enum Replaced: Hashable, Sendable {
        case nothing(umask: UInt16)
        case file(UInt16)
        case folder(UInt16)
    }

    /// The bits of a file. It keeps those of the file that it replaces, and its owner may read it; a new file is never
    /// executable.
    package func ofFile(replacing replaced: Replaced) -> UInt16 {
        switch replaced {
        case .nothing(let umask): 0o600 | bits & 0o044 & ~umask
        case .file(let mode): 0o400 | mode & 0o777
        case .folder(let mode): 0o600 | bits & 0o044 & mode
        }
    }

    /// The bits of a package's folder. No bit for others is set that the replaced item lacks.
    package func ofFolder(replacing replaced: Replaced) -> UInt16 {
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
