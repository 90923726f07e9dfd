// SPDX-License-Identifier: Apache-2.0

internal import Foundation

enum MainThread {
    /// The main queue may run on another thread than the process's first.
    private static let mark: DispatchSpecificKey<Bool> = {
        let key = DispatchSpecificKey<Bool>()
        DispatchQueue.main.setSpecific(key: key, value: true)
        return key
    }()

    /// Whether main-actor code may run synchronously here.
    static var isCurrent: Bool { DispatchQueue.getSpecific(key: mark) == true || Thread.isMainThread }
}
