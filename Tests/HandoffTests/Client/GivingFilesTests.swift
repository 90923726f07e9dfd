// SPDX-License-Identifier: Apache-2.0

import Foundation
import HandoffClient
import HandoffSystem
import HandoffWire
import Testing

@Suite struct GivingFilesTests {
    private let laptop: Laptop
    private let connection: DaemonConnection
    private let letter: String

    init() throws {
        laptop = try Laptop()
        connection = DaemonConnection(locations: laptop.locations)
        letter = (laptop.locations.root ?? "") + "/letter"
        try Data("Dear Anna,".utf8).write(to: URL(fileURLWithPath: letter))
    }

    private static let token = FileToken(uncheckedBytes: Array(0..<32))

    private func give(within limit: Duration = .zero) throws -> Bool {
        let file = try OpenFile.open(following: Array(letter.utf8), O_RDONLY)
        return connection.give(file, as: Self.token, within: limit)
    }

    @Test func fileComesWithItsTokenAndNothingElse() throws {
        let taker = try FileTaker(laptop.locations)
        #expect(try give())
        let expected = FileTaker.Taken(
            token: Self.token.bytes, text: "Dear Anna,", isToRead: true, isClosedOnExec: true, isOfThisProcess: true)
        #expect(try taker.takeAll() == [expected])
    }

    @Test func withoutADaemonNoneIsGiven() throws {
        #expect(try !give())
        // A daemon that has ended.
        _ = try DescriptorSocket.bound(to: laptop.locations.descriptors)
        #expect(try !give())
        unlink(laptop.locations.descriptors)
        try Data().write(to: URL(fileURLWithPath: laptop.locations.descriptors))
        #expect(try !give())
    }

    @Test func daemonThatIsBusyIsWaitedFor() async throws {
        let taker = try FileTaker(laptop.locations)
        while try give() {}
        let given = Mailbox<Bool>()
        let file = letter
        onThread { [connection] in
            guard let open = try? OpenFile.open(following: Array(file.utf8), O_RDONLY) else { return }
            given.post(connection.give(open, as: Self.token, within: .seconds(30)))
        }
        _ = try taker.takeAll()
        #expect(try await given.next())
    }

    @Test func daemonThatDoesNotReadDoesNotBlockTheClient() throws {
        let taker = try FileTaker(laptop.locations)
        var given = 0
        // As many as the system queues.
        while try given < 100_000 && give() { given += 1 }
        #expect(given > 0 && given < 100_000)
        let begin = ContinuousClock.now
        #expect(try !give(within: .milliseconds(20)))
        #expect(ContinuousClock.now - begin >= .milliseconds(20))
        _ = try taker.take()
        #expect(try give())
    }
}
