// SPDX-License-Identifier: Apache-2.0

public import Foundation
internal import HandoffSystem

extension URL {
    /// Begins the use of a file. True for documents of a continued activity, items in the app's containers, and
    /// everything that this process may read; balance it with ``stopAccessingSecurityScopedResource()``.
    ///
    /// Grants no access: programs on Linux do not receive access to individual files.
    @discardableResult
    public func startAccessingSecurityScopedResource() -> Bool {
        guard let place = FilePlace(self) else { return false }
        return ActivityCenter.current.beginAccess(to: place)
    }

    /// Ends the use that ``startAccessingSecurityScopedResource()`` began. Extra calls have no effect.
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
