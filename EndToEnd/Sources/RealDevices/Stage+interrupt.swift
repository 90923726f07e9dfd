// SPDX-License-Identifier: Apache-2.0

package import Foundation

extension Stage {
    /// Ctrl-C leaves nothing behind either. Keep the result for as long as the scene plays, and cancel it then.
    package func endOnInterrupt() -> any DispatchSourceSignal {
        signal(SIGINT, SIG_IGN)
        let source = DispatchSource.makeSignalSource(signal: SIGINT, queue: .global())
        source.setEventHandler { self.breakOff() }
        source.resume()
        return source
    }
}
