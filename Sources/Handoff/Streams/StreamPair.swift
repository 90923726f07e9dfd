// SPDX-License-Identifier: Apache-2.0

internal import Foundation
internal import HandoffClient
internal import HandoffWire

/// Both directions of a stream. Receives its messages on the app's connection. Retained by the app's streams.
final class StreamPair: Sendable {
    let input: StreamInput
    let output: StreamOutput

    /// `stream`: the key in `center`.
    init(_ stream: StreamID, _ attached: AttachedStream, of center: ActivityCenter) {
        let output = StreamOutput(attached) { byteCount in
            center.say(StreamEnd(stream: stream, byteCount: byteCount))
        }
        self.output = output
        input = StreamInput(attached, wait: center.environment.wait) { output.cut($0) }
    }

    /// May be called once.
    func makeStreams() -> (InputStream, OutputStream) {
        (ContinuationInputStream(self), ContinuationOutputStream(self))
    }

    func wordCame(_ end: StreamEnd) {
        input.wordCame(end)
        if let failure = end.failure { output.cut(failure) }
    }

    func lineLost(_ failure: Failure) {
        input.wordLost(failure)
        output.cut(failure)
    }
}

/// Exists since the stream's ticket, because messages may arrive before the stream.
struct KnownStream: Sendable {
    weak var pair: StreamPair?
    /// Nil once there is a pair.
    var early: [StreamEnd]? = []
}

extension Failure {
    /// The app's error for a missing or ended stream.
    var streamError: CocoaError {
        // An app without streams was still reachable.
        let isUnsupported = code == .noStreams || code == .unimplemented
        let what = code == .streamCut ? "" : "The activity has no continuation stream: "
        return CocoaError(
            isUnsupported ? .featureUnsupported : CocoaError.Code(rawValue: cocoaErrorCode),
            userInfo: [
                NSLocalizedDescriptionKey: "\(what)\(description).", NSLocalizedFailureReasonErrorKey: description,
            ])
    }
}
