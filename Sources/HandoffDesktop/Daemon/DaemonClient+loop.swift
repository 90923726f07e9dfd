// SPDX-License-Identifier: Apache-2.0

package import HandoffBus
package import HandoffClient
package import HandoffWire

extension DaemonClient {
    convenience init(_ line: any DaemonLine, hello: LocalHello, on loop: BusLoop) {
        self.init(line, hello: hello, hop: loop.queue.execute)
    }
}
