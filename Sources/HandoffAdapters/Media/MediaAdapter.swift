// SPDX-License-Identifier: Apache-2.0

import Glibc
import HandoffBus
import HandoffCore
import HandoffSystem
import HandoffWire

/// Offers the media of programs that are switched on. It reads only the desktop entry of other players.
final class MediaAdapter {
    /// For a player that does not answer.
    static let answerTime = Duration.seconds(2)

    /// Players that are followed, and those that are being identified.
    static let maximum = 32

    /// Nothing is left to watch, or something is again.
    var isIdleChanged: () -> Void = {}
    var isIdle: Bool { players.isEmpty }

    private let address: String
    private let loop: BusLoop
    private let offLoop: OffLoop
    private let home: HomeFile
    private let programFile: (Int32) -> String?
    private var bus: BusConnection?
    private var names: PlayerNames?
    private var offers: [BundleID: MediaOffer] = [:]
    private var players: [PlayerName: FollowedPlayer] = [:]
    private var asked = 0

    /// `programFile` returns the path of a process's executable.
    init(address: String, home: HomeFile, programFile: @escaping (Int32) -> String?, on loop: BusLoop) {
        self.address = address
        self.programFile = programFile
        self.home = home
        self.loop = loop
        offLoop = OffLoop(loop)
    }

    func busConnected(_ bus: BusConnection) { self.bus = bus }

    /// `programs`: whose user has switched them on.
    func switchedOn(_ programs: Set<BundleID>) {
        guard programs != Set(offers.keys) else { return }
        offers = offers.filter { programs.contains($0.key) }
        for program in programs where offers[program] == nil {
            offers[program] = MediaOffer(program, to: address, on: loop) { [unowned self] in players[$0] }
        }
        // Players of a program that was switched on now were ignored before.
        names = nil
        players = [:]
        offers.values.forEach { $0.allLeft() }
        defer { isIdleChanged() }
        guard let bus, !offers.isEmpty else { return }
        names = try? PlayerNames(
            on: bus, appeared: { [unowned self] in appeared($0) }, left: { [unowned self] in left($0) })
    }

    private func appeared(_ name: PlayerName) {
        guard let bus, players.count + asked < Self.maximum else { return }
        asked += 1
        let question = BusCall.property("DesktopEntry", of: PlayerNames.prefix, at: PlayerNames.path, on: name.text)
        bus.call(question, within: Self.answerTime) { [weak self] result in
            self?.asked -= 1
            guard let self, let bus = self.bus, case .success(let answer) = result, let entry = answer[0]?.text,
                let program = try? BundleID(systemProgram: entry), offers[program] != nil
            else { return }
            bus.process(behind: name.text) { [weak self] result in
                guard let self, case .success(let peer) = result, peer.userID == geteuid(),
                    runs(program, peer.processID)
                else { return }
                follow(name, of: program)
            }
        }
    }

    /// playerctld shows the properties of the active player, even if its program is switched off.
    private func runs(_ program: BundleID, _ process: Int32?) -> Bool {
        guard let file = process.flatMap(programFile) else { return false }
        return file.split(separator: "/").last.map(String.init) == KnownProgram.of(program)?.executable
    }

    private func follow(_ name: PlayerName, of program: BundleID) {
        guard let bus, let offer = offers[program], players[name] == nil else { return }
        let player = FollowedPlayer(name, of: program, home: home, offLoop: offLoop, on: loop)
        player.changed = { [unowned offer] in offer.changed(name, $0, $1) }
        player.moved = { [unowned offer] in offer.moved(name) }
        do throws(BusFailure) {
            try player.follow(on: bus)
            players[name] = player
            isIdleChanged()
        } catch {
            Complaint.say("cannot follow \(program): \(error.sentence)")
        }
    }

    private func left(_ name: PlayerName) {
        guard let player = players.removeValue(forKey: name) else { return }
        offers[player.program]?.left(name)
        isIdleChanged()
    }
}

/// To the journal, through standard error. Must not contain the user's data.
enum Complaint {
    private static let standardError = DroppingStream(STDERR_FILENO)

    static func say(_ sentence: String) { standardError.write("handoff-adapters: \(sentence)\n") }
}
