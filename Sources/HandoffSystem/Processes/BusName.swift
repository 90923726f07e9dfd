// SPDX-License-Identifier: Apache-2.0

extension String {
    /// A well-known name of the D-Bus Specification.
    package var isBusName: Bool {
        let parts = split(separator: ".", omittingEmptySubsequences: false)
        return utf8.count <= 255 && parts.count >= 2
            && parts.allSatisfy { part in
                guard let first = part.utf8.first, !first.isDigit else { return false }
                return part.utf8.allSatisfy {
                    $0.isDigit || $0.isLetter || $0 == UInt8(ascii: "-") || $0 == UInt8(ascii: "_")
                }
            }
    }

    /// By the Desktop Entry Specification: `/org/example/My_App` for `org.example.My-App`.
    package var applicationPath: String { "/" + String(map { $0 == "." ? "/" : $0 == "-" ? "_" : $0 }) }
}

extension UInt8 {
    fileprivate var isDigit: Bool { (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(self) }
    fileprivate var isLetter: Bool {
        (UInt8(ascii: "a")...UInt8(ascii: "z")).contains(self) || (UInt8(ascii: "A")...UInt8(ascii: "Z")).contains(self)
    }
}
