// SPDX-License-Identifier: Apache-2.0

internal import Foundation
internal import HandoffSystem

extension Data {
    /// As a whole or not at all, as `.atomic`. Foundation gives the file a mode of its own choice, and takes its group, access
    /// control list and extended attributes.
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
    /// `body` may put a new file there in its own way: it gets the attributes of the old one.
    func keepingAttributes(_ body: () throws -> Void) throws {
        try ReplacedFile.keepingAttributes(of: path(percentEncoded: false), body)
    }
}

extension CocoaError.Code {
    /// As Foundation reports that a file cannot be written.
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
