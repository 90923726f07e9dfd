// SPDX-License-Identifier: Apache-2.0

internal import HandoffBus
internal import HandoffCore
internal import HandoffSystem
internal import HandoffWire

/// Lets sandboxed programs only take part, unless the user allows more.
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
        guard threads < Self.looks else { return answer(refusal) }
        lastLook += 1
        let look = lastLook
        let found = { [weak self] (isConfined: Bool) in
            guard let self, looks.removeValue(forKey: look) != nil else { return }
            answer(isConfined ? refusal : nil)
        }
        let ended = { [weak self] (isConfined: Bool) in
            self?.threads -= 1
            found(isConfined)
        }
        looks[look] = loop.after(Self.patience) { found(true) }
        threads += 1
        if !loop.runOnThread({ SandboxSigns.hasFlatpakRoot(process) }, then: ended) { ended(true) }
    }

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
