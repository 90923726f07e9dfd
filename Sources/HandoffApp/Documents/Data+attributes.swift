// SPDX-License-Identifier: Apache-2.0

internal import Foundation
internal import HandoffSystem

extension Data {
    /// Atomic, but unlike Foundation's `.atomic` keeps mode, group, access control list and extended attributes.
    func writeKeepingAttributes(to url: URL) throws {
        do {
            try withUnsafeBytes { try ReplacedFile.write($0, to: url.path(percentEncoded: false)) }
        } catch let error as SystemError {
            let underlying = POSIXErrorCode(rawValue: error.code).map { POSIXError($0) }
            var information: [String: Any] = [NSFilePathErrorKey: url.path, NSURLErrorKey: url]
            information[NSUnderlyingErrorKey] = underlying
            throw CocoaError(CocoaError.Code(writing: error.code), userInfo: information)
        }
    }
}

extension URL {
    /// If `body` replaces the file, the attributes stay.
    func keepingAttributes(_ body: () throws -> Void) throws {
        try ReplacedFile.keepingAttributes(of: path(percentEncoded: false), body)
    }
}

extension CocoaError.Code {
    /// As Foundation maps errors of writing a file.
    fileprivate init(writing code: CInt) {
        self =
            switch code {
            case EACCES, EPERM: .fileWriteNoPermission
            case ENOSPC, EDQUOT: .fileWriteOutOfSpace
            case EROFS: .fileWriteVolumeReadOnly
            case ENAMETOOLONG: .fileWriteInvalidFileName
            case ENOENT: .fileNoSuchFile
            default: .fileWriteUnknown
            }
    }
}
