// SPDX-License-Identifier: Apache-2.0

import HandoffCore
import HandoffTesting
import HandoffTrust
import HandoffWire
import Testing

@testable import HandoffDaemon

// Shows T01, but for the recovery key, and X06.

@Suite struct AccountTests {
    let simulation = JoiningSimulation()
    let laptop: JoiningDevice

    init() throws { laptop = try simulation.device("laptop", number: 1) }

    @Test func thereIsNoAccountAtFirst() {
        #expect(laptop.identity.account == nil)
        #expect(laptop.identity.members.isEmpty)
        #expect(laptop.identity.rosterDigest.isEmpty)
        #expect(laptop.identity.seal(laptop.makeBeacon(), with: .account) == nil)
        for message in [LocalMessage.Identity.showAccount, .listDevices(), .createInvite(asking: false)] {
            #expect(laptop.ask(message).failure?.code == .noAccount)
        }
    }

    @Test func creatingMakesTheFounderAMember() throws {
        let account = try #require(laptop.ask(.createAccount).account)
        #expect(account.account == laptop.identity.account)
        let device = try #require(account.devices.first)
        #expect(device.device == laptop.id)
        #expect(device.name.text == "laptop")
        #expect(device.isThisDevice)
        #expect(device.admittedBy == nil)
        #expect(laptop.changes.map(\.isOtherAccount) == [true])
        #expect(laptop.changes.map(\.joined) == [[laptop.id]])
    }

    /// Shows L05. Even before there is an account, and until the client leaves.
    @Test func deviceWatchersReceiveChanges() throws {
        let watch = laptop.ask(.listDevices(watch: true))
        _ = laptop.ask(.createAccount)
        _ = laptop.ask(.renameDevice(nil, to: "lap"))
        _ = laptop.ask(.renameDevice(nil, to: "lap"))
        #expect(watch.devices.map { $0.map(\.name.text) } == [[], ["laptop"], ["lap"]])
        laptop.clientGoes()
        _ = laptop.ask(.renameDevice(nil, to: "top"))
        #expect(watch.devices.count == 3)
    }

    @Test func oneClientWatchesAsManyListsAsTheLimitSays() {
        for _ in 0..<WatchedContent<[DeviceSummary]>.maximumWatches {
            #expect(laptop.ask(.listDevices(watch: true)).failure == nil)
        }
        #expect(laptop.ask(.listDevices(watch: true)).failure?.code == .limitReached)
        #expect(laptop.ask(.listDevices()).failure?.code == .noAccount)
    }

    @Test func accountOutlivesTheDaemon() throws {
        _ = laptop.ask(.createAccount)
        let (account, digest) = (laptop.identity.account, laptop.identity.rosterDigest)
        let beacon = laptop.makeBeacon()
        let sealed = try #require(laptop.identity.seal(beacon, with: .account))
        try laptop.restart()
        #expect(laptop.identity.account == account)
        #expect(laptop.identity.rosterDigest == digest)
        #expect(laptop.identity.open(sealed, from: "10.0.0.9")?.beacon == beacon)
    }

    private func desktopJoins() throws -> JoiningDevice {
        _ = laptop.ask(.createAccount)
        let desktop = try simulation.device("desktop", number: 2)
        _ = desktop.join(laptop.invite().code, at: laptop)
        simulation.settle()
        #expect(laptop.memberNames == ["laptop", "desktop"])
        return desktop
    }

    private func lastSeen(_ device: JoiningDevice) -> WallTime? {
        laptop.ask(.listDevices()).devices.last?.first { $0.device == device.id }?.lastSeen
    }

    // Shows L10.
    @Test func whenADeviceWasLastSeenOutlivesTheDaemonAndGoesWithTheDevice() throws {
        let desktop = try desktopJoins()
        #expect(lastSeen(desktop) == nil)
        StandInSessions.join(laptop.sessions, desktop.sessions)
        simulation.settle()
        #expect(lastSeen(desktop) == nil, "it is connected")
        StandInSessions.part(laptop.sessions, desktop.sessions)
        let end = simulation.time.wallTime
        simulation.settle()
        #expect(lastSeen(desktop) == end)
        try laptop.stopAndStart()
        #expect(lastSeen(desktop) == end)

        _ = laptop.ask(.removeDevice("desktop", onlyAsk: false))
        simulation.time.advance(by: .seconds(600))
        #expect(laptop.store.files["last-seen"] == [])
        #expect(lastSeen(laptop) == nil)
    }

    /// A crash loses at most a short time.
    @Test func lastSeenTimesAreStoredPeriodically() throws {
        let desktop = try desktopJoins()
        StandInSessions.join(laptop.sessions, desktop.sessions)
        let begin = simulation.time.wallTime
        simulation.time.advance(by: .seconds(60))
        try laptop.restart()
        #expect(lastSeen(desktop) == begin)
        laptop.store.writeFailure = Failure(.stateNotWritable, "last-seen: no space left on device")
        StandInSessions.join(laptop.sessions, desktop.sessions)
        simulation.time.advance(by: .seconds(60))
        #expect(laptop.ask(.listDevices()).failure == nil)
    }

    @Test func thereIsOneAccountADevice() {
        _ = laptop.ask(.createAccount)
        #expect(laptop.ask(.createAccount).failure?.code == .alreadyMember)
        #expect(laptop.ask(.joinAccount(code: "x", address: nil)).failure?.code == .alreadyMember)
    }

    @Test func fullDiskCreatesNothing() {
        laptop.store.writeFailure = Failure(.stateNotWritable, "account.bin: no space left on device")
        #expect(laptop.ask(.createAccount).failure?.code == .stateNotWritable)
        #expect(laptop.identity.account == nil)
        #expect(laptop.changes.isEmpty)
        laptop.store.writeFailure = nil
        #expect(laptop.ask(.createAccount).account != nil)
    }

    @Test func damagedAccountIsNamedAndNeverReplaced() throws {
        _ = laptop.ask(.createAccount)
        let whole = try #require(laptop.store.files["account.bin"])
        for index in stride(from: 0, to: whole.count, by: 11) {
            var damaged = whole
            damaged[index] ^= 0x40
            laptop.store.files["account.bin"] = damaged
            simulation.network.crash("laptop")
            let error = #expect(throws: DamagedStateError.self) { try laptop.restart() }
            #expect(error?.file == "account.bin")
            #expect(laptop.store.files["account.bin"] == damaged)
            simulation.network.crash("laptop")
        }
    }

    // Shows T04.
    @Test func aCrashWhileLeavingLeavesAMemberAFormerMemberOrANewDevice() throws {
        _ = laptop.ask(.createAccount)
        var crashes: [[String: [UInt8]]] = []
        laptop.store.changed = { crashes.append($0) }
        _ = laptop.ask(.leaveAccount(evenAsMember: true))
        simulation.time.advance(by: .seconds(10))
        #expect(laptop.identity.device != laptop.id)
        #expect(crashes.count >= 4, "removed, leaving, new key, forgotten")
        var forgotten = 0
        for files in crashes {
            let store = MemoryStateStore()
            store.files = files
            for _ in 1...2 {
                let credentials = try DeviceCredentials.loadOrCreate(store: store)
                let book = try AccountBook(store: store, credentials: credentials)
                #expect(book.record == nil)
                #expect((book.stored == nil) == (credentials.device != laptop.id))
                if book.stored == nil { forgotten += 1 }
            }
        }
        #expect(forgotten >= 3 * 2)
    }

    @Test func fullDiskWhileLeavingKeepsTheAccount() throws {
        _ = laptop.ask(.createAccount)
        let book = laptop.identity.book
        let full = Failure(.stateNotWritable, "device.pem: no space left on device")
        let store = laptop.store
        store.changed = { store.writeFailure = $0["account.bin"]?.count == 7 ? full : nil }
        #expect(throws: full) { try book.forget() }
        store.changed = { _ in }
        #expect(book.record != nil)
        store.writeFailure = nil
        try book.forget()
        #expect(book.stored == nil && store.files["account.bin"] == nil)
    }

    /// The key was replaced and the account was not, so this device is not that member.
    @Test func accountOfAnotherKeyIsNotTakenOver() throws {
        _ = laptop.ask(.createAccount)
        let desktop = try simulation.device("desktop", number: 2)
        desktop.store.files["account.bin"] = laptop.store.files["account.bin"]
        #expect(throws: DamagedStateError.self) { try desktop.restart() }
    }
}
