// SPDX-License-Identifier: Apache-2.0

public import Foundation
internal import HandoffClient

extension NSUserActivity {
    /// Requests streams to the origin app; each app reads what the other writes.
    ///
    /// ```swift
    /// activity.getContinuationStreams { input, output, error in
    ///     guard let input, let output else { return show(error) }
    ///     input.open()
    ///     output.open()
    /// }
    /// ```
    ///
    /// Only a continued activity has streams. In the origin app, ``supportsContinuationStreams`` must be true, and the
    /// delegate's `userActivity(_:didReceive:outputStream:)` is called. Each call creates another pair, up to 192 at
    /// once per app.
    ///
    /// The handler is called once, on a background queue, within 30 seconds: with both streams, connected but not open,
    /// or with a `CocoaError`: `featureUnsupported` if this is not a continued activity or the origin app accepts no
    /// streams; 4609 if the origin device cannot be reached; 4610 if its app does not answer; 4608 for other failures.
    /// The app may try again.
    ///
    /// Close both streams. The origin app notices the end of the output, but a closed input only by backpressure until
    /// then. See <doc:StreamLargeData>.
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

    /// The `async` form of ``getContinuationStreams(completionHandler:)``. Throws its errors.
    public func continuationStreams() async throws -> (InputStream, OutputStream) {
        let pair = try await withCheckedThrowingContinuation {
            (continuation: CheckedContinuation<StreamPair, any Error>) in
            center.openStream(of: record) { continuation.resume(with: $0.mapError(\.streamError)) }
        }
        return pair.makeStreams()
    }
}
