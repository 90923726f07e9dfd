// SPDX-License-Identifier: Apache-2.0

public import Foundation
internal import HandoffClient

extension NSUserActivity {
    /// Asks for streams to the app that the activity came from: what one app writes, the other reads.
    ///
    /// ```swift
    /// activity.getContinuationStreams { input, output, error in
    ///     guard let input, let output else { return show(error) }
    ///     input.open()
    ///     output.open()
    /// }
    /// ```
    ///
    /// Only for the very activity that the app was given to continue. The other app takes part if its
    /// ``supportsContinuationStreams`` is true at that moment and the activity has a delegate, whose
    /// `userActivity(_:didReceive:outputStream:)` is called. Each call makes another stream of two directions, up to 192
    /// at once for an app.
    ///
    /// The handler is called once, on a background queue, within 30 seconds: with both streams, connected but not open, or
    /// with neither and a `CocoaError`. Its code is `featureUnsupported` where this is not such an activity or the other app
    /// takes no streams, else that of a continuation: 4609 where there is no way to the other device, 4610 where its app does
    /// not answer, 4608 for the rest, as when that app has quit. The activity stays as it is, and streams may be asked for
    /// again.
    ///
    /// Of the two, close both. The end of the output is what the other app is told; a closed input it only sees by being held
    /// back, until the output is closed too.
    ///
    /// <doc:StreamLargeData> shows how streams are used, and how they end.
    public func getContinuationStreams(
        completionHandler: @escaping @Sendable (InputStream?, OutputStream?, (any Error)?) -> Void
    ) {
        let (center, record) = (center, record)
        center.openStream(of: record) { result in
            center.runHook(on: record.hooks) {
                switch result {
                case .success(let pair):
                    let (input, output) = pair.makeStreams()
                    completionHandler(input, output, nil)
                case .failure(let failure): completionHandler(nil, nil, failure.streamError)
                }
            }
        }
    }

    /// Asks for streams to the app that the activity came from: what one app writes, the other reads. As
    /// ``getContinuationStreams(completionHandler:)``, whose error it throws.
    public func continuationStreams() async throws -> (InputStream, OutputStream) {
        let pair = try await withCheckedThrowingContinuation {
            (continuation: CheckedContinuation<StreamPair, any Error>) in
            center.openStream(of: record) { continuation.resume(with: $0.mapError(\.streamError)) }
        }
        return pair.makeStreams()
    }
}
