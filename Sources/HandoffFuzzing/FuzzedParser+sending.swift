// SPDX-License-Identifier: Apache-2.0

internal import HandoffWire

extension FuzzedParser {
    /// Files of the state directory for sent and received activities.
    static let sending = [
        FuzzedParser("stored-send") { bytes in
            if case .activity(let sent)? = try? StoredSend(encoded: bytes).content {
                try promise(!sent.state.supportsStreams, "it has streams")
                try promise(try sent.byteCount() <= Limits.sentActivityBytes, "it is over the limit")
            }
            return try roundTrip(bytes, parse: { try StoredSend(encoded: $0) }, write: { try $0.encoded() })
        }
    ]
}
