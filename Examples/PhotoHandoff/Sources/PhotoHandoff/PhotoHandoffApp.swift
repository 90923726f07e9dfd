// SPDX-License-Identifier: Apache-2.0

import Foundation
import HandoffApp
import Synchronization

/// The app: a photo and a filter. The filter is sent in the activity's payload, the photo through streams.
@MainActor
final class PhotoHandoffApp: HandoffApplicationDelegate, NSUserActivityDelegate {
    static let editing = "com.example.photohandoff.editing"

    /// Protected by a lock, because other devices request it in the background.
    private let state = Mutex<Edit?>(nil)
    private var activity: NSUserActivity?
    /// The photo that is arriving.
    private(set) var loading: Task<Void, Never>?
    private let say: @MainActor @Sendable (String) -> Void

    init(say: @escaping @MainActor @Sendable (String) -> Void = { _ in }) { self.say = say }

    nonisolated var edit: Edit? { state.withLock { $0 } }

    // MARK: Commands of the user

    func open(_ name: String, _ file: Data) {
        do {
            show(try Edit(name: name, file: file))
        } catch {
            say("\(name) is no picture that this app reads: it takes PGM and PPM.")
        }
    }

    func set(_ part: WritableKeyPath<Filter, Int>, _ value: Int?) {
        guard let value, Filter.range.contains(value) else { return say("A number from -100 to 100, please.") }
        let isOpen = state.withLock { edit in
            edit?.filter[keyPath: part] = value
            return edit != nil
        }
        guard isOpen else { return say("Open a picture first.") }
        activity?.needsSave = true
        tell()
    }

    /// The picture with the filter applied.
    var result: Picture? { edit.map { $0.filter.applied(to: $0.picture) } }

    private func show(_ edit: Edit, as next: NSUserActivity = NSUserActivity(activityType: PhotoHandoffApp.editing)) {
        loading?.cancel()
        state.withLock { $0 = edit }
        activity?.invalidate()
        activity = next
        next.title = edit.name
        next.delegate = self
        next.needsSave = true
        next.supportsContinuationStreams = true
        next.becomeCurrent()
        tell()
    }

    private func tell() {
        guard let edit else { return }
        say("\(edit.name), \(edit.picture.width) x \(edit.picture.height): \(edit.filter.words)")
    }

    // MARK: Sending to other devices

    nonisolated func userActivityWillSave(_ userActivity: NSUserActivity) {
        guard let edit else { return }
        try? userActivity.setTypedPayload(EditPayload(edit))
    }

    /// Writing waits for the other device, so it runs on its own thread.
    nonisolated func userActivity(
        _ userActivity: NSUserActivity, didReceive inputStream: InputStream, outputStream: OutputStream
    ) {
        // From here on only this thread uses them.
        nonisolated(unsafe) let (input, output) = (inputStream, outputStream)
        let photo = edit
        Thread.detachNewThread { [say] in
            input.open()
            output.open()
            defer {
                output.close()
                input.close()
            }
            guard let photo, output.writeAll(photo.file) else { return }
            output.close()
            // The other app closes its direction when it has the photo.
            var byte: UInt8 = 0
            guard input.read(&byte, maxLength: 1) == 0 else { return }
            DispatchQueue.main.async { say("\(photo.name) has gone to another device.") }
        }
    }

    // MARK: Continuing from other devices

    func application(
        _ application: HandoffApplication, willContinueUserActivityWithType userActivityType: String
    ) -> Bool {
        say("Continuing...")
        return true
    }

    func application(
        _ application: HandoffApplication, continue userActivity: NSUserActivity,
        restorationHandler: @escaping ([any NSUserActivityRestoring]) -> Void
    ) -> Bool {
        guard let payload = try? userActivity.typedPayload(EditPayload.self), payload.isSensible else {
            say("What came from the other device is of another version.")
            return false
        }
        say("Loading \(payload.name)...")
        loading?.cancel()
        loading = Task { await load(payload, from: userActivity) }
        return true
    }

    private func load(_ payload: EditPayload, from userActivity: NSUserActivity) async {
        do {
            let (input, output) = try await userActivity.continuationStreams()
            input.open()
            output.open()
            defer {
                output.close()
                input.close()
            }
            var file = Data()
            for try await chunk in input.chunks {
                file += chunk
                guard file.count <= payload.byteCount else { break }
            }
            try Task.checkCancellation()
            guard file.count == payload.byteCount else { throw CocoaError(.fileReadCorruptFile) }
            // It is now this device's activity, and a third device can continue it.
            show(try Edit(name: payload.name, file: file, filter: payload.filter), as: userActivity)
        } catch is CancellationError {
            // Another picture has replaced it already.
        } catch {
            say("\(payload.name) did not come: \(error.localizedDescription)")
        }
    }

    func application(
        _ application: HandoffApplication, didFailToContinueUserActivityWithType userActivityType: String,
        error: any Error
    ) {
        if (error as? CocoaError)?.code != .userCancelled { say("Could not continue: \(error.localizedDescription)") }
    }
}

extension OutputStream {
    /// False if the other device did not take the whole photo.
    fileprivate func writeAll(_ data: Data) -> Bool {
        data.withUnsafeBytes { (bytes: UnsafeRawBufferPointer) in
            var done = 0
            while done < bytes.count {
                let next = bytes.baseAddress!.advanced(by: done).assumingMemoryBound(to: UInt8.self)
                let count = write(next, maxLength: bytes.count - done)
                guard count > 0 else { return false }
                done += count
            }
            return true
        }
    }
}
