// SPDX-License-Identifier: Apache-2.0

public import Foundation

/// The domain of `CSIndexError`.
public let CSIndexErrorDomain = "CSIndexErrorDomain"

/// Why an index did not carry out a request, with Core Spotlight's codes.
public struct CSIndexError: Error, Hashable, Sendable {
    /// The kind of an error.
    public enum Code: Int, Hashable, Sendable {
        /// -1: unknown.
        case unknownError = -1
        /// -1000: the index is unavailable.
        case indexUnavailableError = -1000
        /// -1001: an item cannot be indexed.
        case invalidItemError = -1001
        /// -1002: a client state is invalid.
        case invalidClientStateError = -1002
        /// -1003: no answer from the index's process.
        case remoteConnectionError = -1003
        /// -1004: the app's quota is reached.
        case quotaExceeded = -1004
        /// -1005: this device has no index. Do not retry.
        case indexingUnsupported = -1005
        /// -1006: the index has a different client state.
        case mismatchedClientState = -1006

        /// Supports `catch CSIndexError.indexingUnsupported`.
        public static func ~= (code: Code, error: any Error) -> Bool { (error as? CSIndexError)?.code == code }
    }

    public let code: Code

    public init(_ code: Code) { self.code = code }

    /// See ``Code/unknownError``.
    public static var unknownError: Code { .unknownError }
    /// See ``Code/indexUnavailableError``.
    public static var indexUnavailableError: Code { .indexUnavailableError }
    /// See ``Code/invalidItemError``.
    public static var invalidItemError: Code { .invalidItemError }
    /// See ``Code/invalidClientStateError``.
    public static var invalidClientStateError: Code { .invalidClientStateError }
    /// See ``Code/remoteConnectionError``.
    public static var remoteConnectionError: Code { .remoteConnectionError }
    /// See ``Code/quotaExceeded``.
    public static var quotaExceeded: Code { .quotaExceeded }
    /// See ``Code/indexingUnsupported``.
    public static var indexingUnsupported: Code { .indexingUnsupported }
    /// See ``Code/mismatchedClientState``.
    public static var mismatchedClientState: Code { .mismatchedClientState }
}

extension CSIndexError: CustomNSError {
    public static var errorDomain: String { CSIndexErrorDomain }
    public var errorCode: Int { code.rawValue }
    public var errorUserInfo: [String: Any] { [NSLocalizedDescriptionKey: sentence] }

    private var sentence: String {
        switch code {
        case .unknownError: "The index failed."
        case .indexUnavailableError: "The index cannot be reached."
        case .invalidItemError: "The item cannot be indexed."
        case .invalidClientStateError: "The client state is not valid."
        case .remoteConnectionError: "The index did not answer."
        case .quotaExceeded: "The app has reached its limit in the index."
        case .indexingUnsupported: "This system has no search index."
        case .mismatchedClientState: "The client state differs from the index's client state."
        }
    }
}
