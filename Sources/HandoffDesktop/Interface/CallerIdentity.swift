// SPDX-License-Identifier: Apache-2.0

internal import Glibc
package import HandoffBus
internal import HandoffSystem
package import HandoffWire

/// Finds out which program is behind a unique name on the bus.
///
/// The bus knows the number of the process that connected, which may be another's by now. So the process is held by a
/// descriptor, and the bus is asked once more: if the name is still there, its process lived when it was taken hold of. Then
/// it is looked at what that process runs.
package struct CallerIdentity {
    private let bus: BusConnection

    package init(bus: BusConnection) { self.bus = bus }

    package typealias Completion = (Result<BusCaller, BusFailure>) -> Void

    /// `claim`: a well-known name by which it wants to be known; it counts where the program owns it.
    package func find(_ name: String, claim: String?, then: @escaping Completion) {
        bus.process(behind: name) { result in
            switch result {
            case .failure(let failure): then(.failure(failure))
            case .success(let peer) where peer.userID != geteuid():
                then(.failure(BusFailure(BusFailure.accessDenied, "the program belongs to another user")))
            case .success(let peer): hold(peer, name, claim, then)
            }
        }
    }

    private func hold(_ peer: BusPeer, _ name: String, _ claim: String?, _ then: @escaping Completion) {
        let process = HeldProcess(peer.processID)
        bus.process(behind: name) { again in
            guard case .success(peer) = again, let file = process.file else {
                return then(.failure(BusFailure(BusFailure.serviceUnknown, "the program has ended")))
            }
            let caller = BusCaller(
                processID: peer.processID, path: file.path, device: file.device, inode: file.inode)
            guard let claim else { return then(.success(caller)) }
            owner(of: claim) { owner in
                var caller = caller
                if owner == name { caller.names = [claim] }
                then(.success(caller))
            }
        }
    }

    private func owner(of name: String, then: @escaping (String?) -> Void) {
        bus.call(.bus("GetNameOwner", [.string(name)])) { result in
            if case .success(let answer) = result { then(answer[0]?.text) } else { then(nil) }
        }
    }

    private final class HeldProcess {
        private let number: Int32
        private let descriptor: ProcessDescriptor?

        init(_ number: Int32) {
            self.number = number
            descriptor = ProcessDescriptor(of: number)
        }

        /// Nil: it has ended, or the system has no descriptors of processes (before Linux 5.3), and nobody can be told from
        /// another that was given the same number.
        var file: ProcessFile? { descriptor == nil ? nil : ProcessFile(of: number, heldBy: descriptor) }
    }
}
