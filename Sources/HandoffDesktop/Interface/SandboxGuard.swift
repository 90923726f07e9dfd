// SPDX-License-Identifier: Apache-2.0

internal import HandoffBus
internal import HandoffCore
internal import HandoffSystem
internal import HandoffWire

/// Sandboxed programs may only take part, unless the user allows more.
final class SandboxGuard {
    /// Simultaneous checks of file systems, each on a thread.
    static let looks = 8
    /// Later, the process is treated as confined.
    static let patience = Duration.seconds(2)

    var locations: Locations
    private let loop: BusLoop
    private let signs: SandboxSigns
    private var looks: [UInt64: LoopWatch] = [:]
    private var threads = 0
    private var lastLook: UInt64 = 0

    init(_ locations: Locations, signs: SandboxSigns = SandboxSigns(), on loop: BusLoop) {
        self.locations = locations
        self.signs = signs
        self.loop = loop
    }

    func admit(_ peer: BusPeer, _ answer: @escaping (BusFailure?) -> Void) {
        switch signs.finding(of: peer) {
        case .isFree: answer(nil)
        case .isConfined: answer(refusal)
        case .hasEnded: answer(BusFailure(BusFailure.accessDenied, "the process of this connection has ended"))
        case .hasOtherMounts: look(peer.processID ?? 0, answer)
        }
    }

    private func look(_ process: Int32, _ answer: @escaping (BusFailure?) -> Void) {
        look({ SandboxSigns.hasFlatpakRoot(process) }, otherwise: true) { [weak self] isConfined in
            answer(isConfined ? self?.refusal : nil)
        }
    }

    /// Calls `then` once, with `otherwise` if the look takes too long or no thread is free.
    private func look<Answer: Sendable>(
        _ work: @escaping @Sendable () -> Answer, otherwise: Answer, then: @escaping (Answer) -> Void
    ) {
        guard threads < Self.looks else { return then(otherwise) }
        lastLook += 1
        let look = lastLook
        let found = { [weak self] (answer: Answer) in
            guard let self, looks.removeValue(forKey: look) != nil else { return }
            then(answer)
        }
        let ended = { [weak self] (answer: Answer) in
            self?.threads -= 1
            found(answer)
        }
        looks[look] = loop.after(Self.patience) { found(otherwise) }
        threads += 1
        if !loop.runOnThread(work, then: ended) { ended(otherwise) }
    }

    // MARK: Which sandbox

    /// Calls `answer` once, with nil for a program in no sandbox that Handoff knows. The caller must check afterwards that
    /// the connection still belongs to this process.
    func identify(_ peer: BusPeer, _ answer: @escaping (Result<Sandbox?, BusFailure>) -> Void) {
        if let snap = signs.snap(of: peer) { return answer(.success(.snap(snap))) }
        switch signs.finding(of: peer) {
        case .isFree: answer(.success(nil))
        case .hasEnded:
            answer(.failure(BusFailure(BusFailure.accessDenied, "the process of this connection has ended")))
        case .isConfined: identifyFlatpak(peer, isConfined: true, answer)
        case .hasOtherMounts: identifyFlatpak(peer, isConfined: false, answer)
        }
    }

    private func identifyFlatpak(
        _ peer: BusPeer, isConfined: Bool, _ answer: @escaping (Result<Sandbox?, BusFailure>) -> Void
    ) {
        let (process, proc) = (peer.processID ?? 0, signs.proc)
        look({ FlatpakInfo.of(process, proc: proc) }, otherwise: .isUnreadable) { info in
            switch info {
            case .app(let id): answer(.success(.flatpak(id)))
            case .isMissing where !isConfined: answer(.success(nil))
            case .isMissing, .isUnreadable: answer(.failure(Self.isUnknown))
            }
        }
    }

    private static let isUnknown = BusFailure(
        BusFailure.accessDenied,
        """
        this program is in a sandbox that cannot be identified: it has no label of a Snap, and no /.flatpak-info that \
        names an app
        """)

    /// Nil if the user allows it. Read for each program.
    private var refusal: BusFailure? {
        let path = locations.configurationFile
        let bytes = try? UserFile(path: path).read(limit: ConfigurationFile.limit)
        let file = try? ConfigurationFile(bytes ?? nil, path: path)
        let setting = Setting.sandboxedPrograms
        if case .text("control") = try? file?.value(of: setting, setting.key) { return nil }
        return BusFailure(
            BusFailure.accessDenied,
            """
            a program in a sandbox may only take part, through \(InterfaceNames.participantBus); its user can allow more: \
            handoff config set \(setting.key) control
            """)
    }
}
