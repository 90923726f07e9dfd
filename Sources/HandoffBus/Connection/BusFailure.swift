// SPDX-License-Identifier: Apache-2.0

internal import CSystemd
internal import Glibc

package struct BusFailure: Error, Hashable, Sendable, CustomStringConvertible {
    package var name: String
    package var sentence: String

    package init(_ name: String, _ sentence: String) {
        self.name = name
        self.sentence = sentence
    }

    package var description: String { sentence.isEmpty ? name : sentence }
}

extension BusFailure {
    package static let noReply = "org.freedesktop.DBus.Error.NoReply"
    package static let serviceUnknown = "org.freedesktop.DBus.Error.ServiceUnknown"
    package static let unknownObject = "org.freedesktop.DBus.Error.UnknownObject"
    package static let unknownMethod = "org.freedesktop.DBus.Error.UnknownMethod"
    package static let invalidArguments = "org.freedesktop.DBus.Error.InvalidArgs"
    package static let accessDenied = "org.freedesktop.DBus.Error.AccessDenied"
    package static let limitsExceeded = "org.freedesktop.DBus.Error.LimitsExceeded"
    package static let failed = "org.freedesktop.DBus.Error.Failed"

    /// For a negative error number of libsystemd.
    init(_ number: CInt, _ deed: String) {
        self.init(Self.failed, "\(deed): \(String(cString: strerror(-number)))")
    }

    @discardableResult
    static func check(_ result: CInt, _ deed: @autoclosure () -> String) throws(BusFailure) -> CInt {
        guard result >= 0 else { throw BusFailure(result, deed()) }
        return result
    }
}
