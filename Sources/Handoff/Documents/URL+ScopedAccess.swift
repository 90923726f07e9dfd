// SPDX-License-Identifier: Apache-2.0

public import Foundation
internal import HandoffSystem

extension URL {
    /// Begins to use a file that was handed to this app. True for the documents of a continued activity, for what lies in
    /// the app's containers, and for whatever this process may read. Each call that returns true is balanced by one of
    /// ``stopAccessingSecurityScopedResource()``.
    ///
    /// Programs on Linux are not given files one by one, so nothing becomes readable by this that was not before.
    @discardableResult
    public func startAccessingSecurityScopedResource() -> Bool {
        guard let place = FilePlace(self) else { return false }
        return ActivityCenter.current.beginAccess(to: place)
    }

    /// Ends what ``startAccessingSecurityScopedResource()`` began. One call too many does nothing.
    public func stopAccessingSecurityScopedResource() {
        guard let place = FilePlace(self) else { return }
        ActivityCenter.current.endAccess(to: place)
    }
}

extension ActivityCenter {
    func beginAccess(to place: FilePlace) -> Bool {
        let isHandedOver = state.withLock { $0.files.delivered[place] != nil }
        guard isHandedOver || place.isReadable || isInContainer(place) else { return false }
        state.withLock { $0.files.accesses[place, default: 0] += 1 }
        return true
    }

    func endAccess(to place: FilePlace) {
        state.withLock { state in
            guard let count = state.files.accesses[place] else { return }
            state.files.accesses[place] = count > 1 ? count - 1 : nil
        }
    }
}
