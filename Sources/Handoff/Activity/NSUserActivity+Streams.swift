// SPDX-License-Identifier: Apache-2.0

public import Foundation

extension NSUserActivity {
    /// Asks for streams to the app that the activity came from.
    ///
    /// Streams are not there yet: the handler is called with neither stream and with
    /// `CocoaError(.featureUnsupported)`, once, on a background queue. A program written for them compiles, and is told at
    /// run time.
    public func getContinuationStreams(
        completionHandler: @escaping @Sendable (InputStream?, OutputStream?, (any Error)?) -> Void
    ) {
        center.runHook(on: record.hooks) { completionHandler(nil, nil, CocoaError.noContinuationStreams) }
    }

    /// Asks for streams to the app that the activity came from.
    ///
    /// Streams are not there yet: throws `CocoaError(.featureUnsupported)`.
    public func continuationStreams() async throws -> (InputStream, OutputStream) {
        throw CocoaError.noContinuationStreams
    }
}

extension CocoaError {
    fileprivate static var noContinuationStreams: CocoaError {
        let reason = "Streams between two apps are not supported yet."
        return CocoaError(
            .featureUnsupported,
            userInfo: [
                NSLocalizedDescriptionKey: "The activity has no continuation streams. \(reason)",
                NSLocalizedFailureReasonErrorKey: reason,
            ])
    }
}
