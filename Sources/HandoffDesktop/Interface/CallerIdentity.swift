// SPDX-License-Identifier: Apache-2.0

internal import Glibc
import HandoffBus
internal import HandoffSystem
import HandoffWire

/// A connection outlives the process that opened it if a child holds it, and the process number may be reused. So an
/// executable is only trusted if the bus holds a descriptor of the process. Otherwise the bus names identify the
/// program, or the token of its start, which the daemon checks. A sandboxed program is identified only by its sandbox.
struct CallerIdentity {
    struct Found: Hashable, Sendable {
        var caller: BusCaller
        /// For people. It may belong to another process.
        var shownName: String
    }

    private let bus: BusConnection
    private let sandboxes: SandboxGuard

    init(bus: BusConnection, sandboxes: SandboxGuard) {
        self.bus = bus
        self.sandboxes = sandboxes
    }

    typealias Completion = (Result<Found, BusFailure>) -> Void

    /// `claim`: a name that must belong to the program.
    func find(_ name: String, claim: String?, then: @escaping Completion) {
        bus.process(behind: name) { result in
            switch result {
            case .failure(let failure): then(.failure(failure))
            case .success(let peer) where peer.userID != geteuid():
                then(.failure(BusFailure(BusFailure.accessDenied, "the program belongs to another user")))
            case .success(let peer): identify(peer, name, claim, then)
            }
        }
    }

    private func identify(_ peer: BusPeer, _ name: String, _ claim: String?, _ then: @escaping Completion) {
        sandboxes.identify(peer) { result in
            switch result {
            case .failure(let failure): then(.failure(failure))
            case .success(nil): found(peer, name, claim, then)
            case .success(let sandbox?): confirm(sandbox, of: peer, name, then)
            }
        }
    }

    /// The process may have ended before its files were read, and its number may have been reused. If the connection still
    /// exists, the process lives: a proxy and a Snap's program do not pass their connection to a child of another package.
    private func confirm(_ sandbox: Sandbox, of peer: BusPeer, _ name: String, _ then: @escaping Completion) {
        bus.process(behind: name) { result in
            switch result {
            case .failure(let failure): then(.failure(failure))
            case .success(let again) where again.processID != peer.processID:
                then(.failure(BusFailure(BusFailure.accessDenied, "the process of this connection has changed")))
            case .success:
                then(
                    .success(
                        Found(
                            caller: BusCaller(processID: peer.processID ?? 0, file: nil, sandbox: sandbox),
                            shownName: sandbox.name.name)))
            }
        }
    }

    private func found(_ peer: BusPeer, _ name: String, _ claim: String?, _ then: @escaping Completion) {
        let file = Self.provenFile(of: peer)
        let path = file?.path ?? peer.processID.flatMap { ProcessFile(of: $0, heldBy: nil)?.path } ?? ""
        var found = Found(
            caller: BusCaller(processID: peer.processID ?? 0, file: file),
            shownName: String(path.split(separator: "/").last ?? ""))
        guard let claim else { return then(.success(found)) }
        bus.call(.bus("GetNameOwner", [.string(claim)])) { result in
            if case .success(let answer) = result, answer[0]?.text == name { found.caller.names = [claim] }
            then(.success(found))
        }
    }

    /// Nil if the bus holds no descriptor, or the process has ended.
    static func provenFile(of peer: BusPeer) -> BusCaller.File? {
        guard let number = peer.processID, let descriptor = peer.process?.duplicate() else { return nil }
        let process: ProcessDescriptor? = ProcessDescriptor(taking: descriptor)
        guard let file = ProcessFile(of: number, heldBy: process) else { return nil }
        return BusCaller.File(path: file.path, device: file.device, inode: file.inode)
    }
}
