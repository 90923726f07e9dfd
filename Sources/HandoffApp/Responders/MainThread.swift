// SPDX-License-Identifier: Apache-2.0

internal import Foundation

enum MainThread {
    /// The main queue may be served on a thread that is not the first one of the process.
    private static let mark: DispatchSpecificKey<Bool> = {
        let key = DispatchSpecificKey<Bool>()
        DispatchQueue.main.setSpecific(key: key, value: true)
        return key
    }()

    /// Where code of the main actor may be run at once.
    static var isCurrent: Bool { DispatchQueue.getSpecific(key: mark) == true || Thread.isMainThread }
}
