// SPDX-License-Identifier: Apache-2.0

public import Foundation
internal import HandoffWire

extension NSUserActivity {
    /// A value that an activity cannot hold. Equal if the codes are equal.
    public struct InvalidValueError: Error, Sendable, Hashable, CustomStringConvertible, LocalizedError {
        public enum Code: Sendable, Hashable {
            /// A type that `userInfo` does not support, at any depth.
            case typeNotAllowed
            /// Containers nested more than 64 deep.
            case nestedTooDeep
            /// A container that contains itself.
            case holdsItself
            /// A NaN as a dictionary key or set member.
            case keyNotEqualToItself
            /// The scheme is neither http nor https.
            case schemeNotAllowed
            /// A URL of more than 16 KiB.
            case urlTooLong
        }

        public let code: Code
        /// One sentence.
        public let reason: String

        init(_ code: Code, _ reason: String) {
            self.code = code
            self.reason = reason
        }

        public var description: String { reason }
        public var errorDescription: String? { reason }

        public static func == (left: Self, right: Self) -> Bool { left.code == right.code }
        public func hash(into hasher: inout Hasher) { hasher.combine(code) }
    }

    /// Sets `userInfo`, or throws and changes nothing.
    public func setUserInfo(_ userInfo: [AnyHashable: Any]?) throws(InvalidValueError) {
        guard let userInfo else { return update { $0.userInfo = nil } }
        let converted = try [Value: Value](foundation: userInfo)
        update { $0.userInfo = converted }
    }

    /// Sets `webpageURL`, or throws and changes nothing.
    public func setWebpageURL(_ webpageURL: URL?) throws(InvalidValueError) {
        if let webpageURL {
            let text = webpageURL.absoluteString
            let scheme = WebPageURL.scheme(of: text) ?? ""
            guard scheme == "http" || scheme == "https" else {
                throw InvalidValueError(
                    .schemeNotAllowed, "NSUserActivity.webpageURL scheme \"\(webpageURL.scheme ?? "")\" is not allowed."
                )
            }
            guard WebPageURL.isAllowed(text) else {
                throw InvalidValueError(
                    .urlTooLong, "NSUserActivity.webpageURL has at most \(Limits.urlBytes) bytes.")
            }
        }
        updateOffered { $0.webpageURL = webpageURL }
    }
}
