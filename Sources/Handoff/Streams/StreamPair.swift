// SPDX-License-Identifier: Apache-2.0

internal import Foundation
internal import HandoffClient
internal import HandoffWire

/// Both directions of one stream, and what the daemon says of it on the app's own connection. Held by the streams that the
/// app has.
final class StreamPair: Sendable {
    let input: StreamInput
    let output: StreamOutput

    /// `center` knows it by `stream`.
    init(_ stream: StreamID, _ attached: AttachedStream, of center: ActivityCenter) {
        let output = StreamOutput(attached) { byteCount in
            center.say(StreamEnd(stream: stream, byteCount: byteCount))
        }
        self.output = output
        input = StreamInput(attached, wait: center.environment.wait) { output.cut($0) }
    }

    /// Once.
    func makeStreams() -> (InputStream, OutputStream) {
        (ContinuationInputStream(self), ContinuationOutputStream(self))
    }

    func wordCame(_ end: StreamEnd) {
        input.wordCame(end)
        if let failure = end.failure { output.cut(failure) }
    }

    /// The connection on which words come is gone.
    func lineLost(_ failure: Failure) {
        input.wordLost(failure)
        output.cut(failure)
    }
}

/// What the center knows of a stream, from its ticket on: words may come before the stream itself.
struct KnownStream: Sendable {
    weak var pair: StreamPair?
    /// Nil once there is a pair.
    var early: [StreamEnd]? = []
}

extension Failure {
    /// Why there is no stream, or why it ended, as an app sees it.
    var streamError: CocoaError {
        // An app that has no streams is not one that could not be reached.
        let isUnsupported = code == .noStreams || code == .unimplemented
        let what = code == .streamCut ? "" : "The activity has no continuation stream: "
        return CocoaError(
            isUnsupported ? .featureUnsupported : CocoaError.Code(rawValue: cocoaErrorCode),
            userInfo: [
                NSLocalizedDescriptionKey: "\(what)\(description).", NSLocalizedFailureReasonErrorKey: description,
            ])
    }
}
