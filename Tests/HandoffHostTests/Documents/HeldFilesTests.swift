// SPDX-License-Identifier: Apache-2.0

import Glibc
import HandoffSystem
import Testing

/// Shows X08.
@Suite struct HeldFilesTests {
    private static let start = ContinuousClock.now

    private let files = HeldFiles<String>()

    private func hold(_ token: String, of process: Int32 = 1, at now: ContinuousClock.Instant = start) -> Telltale {
        let telltale = Telltale()
        files.hold(telltale.takeFile(), as: token, of: process, at: now)
        return telltale
    }

    private func hold(_ tokens: some Sequence<String>, of process: Int32) {
        for token in tokens { _ = hold(token, of: process) }
    }

    private func isHeld(_ token: String) -> Bool { files.borrow(token) != nil }

    private func claim(_ token: String, of process: Int32 = 1) -> Bool { files.claim(token, of: process) {} }

    @Test func fileIsBorrowedByItsToken() {
        let telltale = hold("letter")
        #expect(!isHeld("another"))
        guard let first = files.borrow("letter"), let second = files.borrow("letter") else {
            Issue.record("nothing is lent")
            return
        }
        let (one, other) = (first.descriptor, second.descriptor)
        #expect(one != other && fcntl(one, F_GETFD) & FD_CLOEXEC != 0)
        files.forget("letter")
        _ = files.sweep(at: Self.start)
        #expect(!telltale.isClosed)
        _ = consume first
        #expect(!telltale.isClosed)
        _ = consume second
        #expect(telltale.isClosed)
    }

    /// Closing may block, and `forget` must not wait.
    @Test func sweepClosesForgottenFiles() {
        let telltale = hold("letter")
        #expect(!isReadable(files.changed.descriptor))
        files.forget("letter")
        #expect(!isHeld("letter") && !telltale.isClosed)
        #expect(isReadable(files.changed.descriptor))
        #expect(files.sweep(at: Self.start) == nil)
        #expect(telltale.isClosed && !isReadable(files.changed.descriptor))
        files.forget("letter")
        #expect(!isReadable(files.changed.descriptor))
    }

    @Test func secondFileByOneTokenIsNotKept() {
        let first = hold("letter", of: 1)
        let second = hold("letter", of: 2)
        _ = files.sweep(at: Self.start)
        #expect(!first.isClosed && second.isClosed)
        #expect(claim("letter", of: 1))
    }

    @Test func filesOfOneProcessAreForgottenTogether() {
        let (mine, others) = (hold("a", of: 1), hold("b", of: 2))
        files.forgetAll(of: 1)
        _ = files.sweep(at: Self.start)
        #expect(mine.isClosed && !others.isClosed)
        #expect(files.count == 1)
    }

    @Test func allAreClosedWithTheTable() {
        let telltale = Telltale()
        HeldFiles<String>().hold(telltale.takeFile(), as: "letter", of: 1, at: Self.start)
        #expect(telltale.isClosed)
    }

    // MARK: Waiting

    @Test func waiterIsNotifiedWhenTheFileArrives() {
        let told = Lock<[String]>([])
        #expect(!files.claim("letter", of: 1) { told.withLock { $0.append("letter") } })
        #expect(!files.claim("picture", of: 1) { told.withLock { $0.append("picture") } })
        _ = hold("letter", of: 1)
        #expect(told.withLock { $0 } == ["letter"])
        files.forget("picture")
        _ = hold("picture", of: 1)
        #expect(told.withLock { $0 } == ["letter"])
    }

    @Test func fileOfAnotherProcessDoesNotSatisfyAClaim() {
        let told = Lock(0)
        #expect(!files.claim("letter", of: 1) { told.withLock { $0 += 1 } })
        _ = hold("letter", of: 2)
        #expect(told.withLock { $0 } == 0)
        #expect(claim("letter", of: 2))
        #expect(!claim("letter", of: 3))
    }

    // MARK: Limits

    @Test func unclaimedFilesAreClosedAfterTheirTime() {
        let (first, later) = (hold("first"), hold("later", at: Self.start + .seconds(10)))
        let claimed = hold("claimed")
        #expect(claim("claimed"))
        let end = Self.start + HeldFilesLimits.unclaimed
        #expect(HeldFilesLimits.unclaimed == .seconds(60))
        #expect(files.sweep(at: Self.start) == end)
        #expect(files.sweep(at: end - .nanoseconds(1)) == end)
        #expect(!first.isClosed)
        #expect(files.sweep(at: end) == end + .seconds(10))
        #expect(first.isClosed && !later.isClosed)
        #expect(files.sweep(at: end + .seconds(1000)) == nil)
        #expect(later.isClosed && !claimed.isClosed && files.count == 1)
    }

    @Test func filesThatWereWaitedForStay() {
        #expect(!claim("letter"))
        let telltale = hold("letter")
        #expect(files.sweep(at: Self.start + .seconds(1000)) == nil)
        #expect(!telltale.isClosed)
    }

    @Test func filesPerProcessAreLimited() {
        hold((0..<HeldFilesLimits.perProcess).map { "\($0)" }, of: 1)
        _ = hold("others", of: 2)
        #expect(files.count == HeldFilesLimits.perProcess + 1)
        _ = hold("one more", of: 1)
        #expect(files.count == HeldFilesLimits.perProcess + 1)
        #expect(!isHeld("0") && isHeld("1") && isHeld("one more") && isHeld("others"))
    }

    @Test func claimedFilesOfAProcessGoLast() {
        hold((0..<HeldFilesLimits.perProcess).map { "\($0)" }, of: 1)
        #expect(claim("0"))
        _ = hold("one more", of: 1)
        #expect(isHeld("0") && !isHeld("1"))
        for token in (0..<HeldFilesLimits.perProcess).map({ "\($0)" }) + ["one more"] { _ = claim(token) }
        _ = hold("another", of: 1)
        #expect(!isHeld("0") && isHeld("one more") && isHeld("another"))
    }

    /// Many processes fill the table; a process with few files keeps them.
    @Test func filesInAllAreLimitedAndWhoHasMostLosesOne() {
        let processes = Int32(HeldFilesLimits.inAll / HeldFilesLimits.perProcess)
        _ = hold("letter", of: 100)
        for process in 1...processes {
            hold((0..<HeldFilesLimits.perProcess).map { "\(process) \($0)" }, of: process)
        }
        #expect(files.count == HeldFilesLimits.inAll)
        #expect(isHeld("letter"))
        for process in 101...120 as ClosedRange<Int32> { _ = hold("of \(process)", of: process) }
        #expect(files.count == HeldFilesLimits.inAll)
        #expect(isHeld("letter"))
        #expect((101...120).allSatisfy { isHeld("of \($0)") })
    }

    private func isReadable(_ descriptor: CInt) -> Bool {
        var poller = pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0)
        return poll(&poller, 1, 0) == 1
    }
}
