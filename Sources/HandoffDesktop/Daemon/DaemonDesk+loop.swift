// SPDX-License-Identifier: Apache-2.0

package import HandoffBus
package import HandoffClient
package import HandoffWire

extension DaemonDesk {
    /// One on the loop of a program on the bus.
    package convenience init(_ line: any DaemonLine, hello: LocalHello, on loop: BusLoop) {
        self.init(line, hello: hello, hop: loop.errands.execute)
    }
}
