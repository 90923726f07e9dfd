// SPDX-License-Identifier: Apache-2.0

import Foundation
import HandoffSystem
import HandoffWire
import Testing

@testable import Handoff

/// The daemon requests the files that a state names, because another device fetches it.
@Suite struct SavingFilesTests {
    private let laptop: Laptop
    private let taker: FileTaker
    private let folder: String

    init() throws {
        laptop = try Laptop()
        taker = try FileTaker(laptop.locations)
        folder = (laptop.locations.root ?? "") + "/letters"
        mkdir(folder, 0o700)
    }

    private func letter(_ name: String, _ text: String = "Dear Anna,") throws -> URL {
        let url = URL(fileURLWithPath: folder + "/" + name, isDirectory: false)
        try Data(text.utf8).write(to: url)
        return url
    }

    /// The saved state of an activity with this `userInfo`, as the daemon receives it.
    private func saved(
        _ userInfo: [AnyHashable: Any], withFiles: Bool = true, within deadline: Duration = .seconds(30)
    ) async throws -> [SavedFile] {
        let (activity, _) = try await laptop.currentActivity()
        activity.userInfo = userInfo
        return try await saved(activity, withFiles: withFiles, within: deadline)
    }

    private func saved(
        _ activity: NSUserActivity, withFiles: Bool = true, within deadline: Duration = .seconds(30)
    ) async throws -> [SavedFile] {
        let message = LocalMessage.advertising(
            .save(activity.record.id, deadline: deadline, withFiles: withFiles))
        let answer = try await laptop.daemon.request(message)
        guard case .advertising(.saved(_, _, let files)) = answer else {
            throw FakeDaemon.Unexpected(frame: LocalFrame(answer))
        }
        return files
    }

    private func given() throws -> [FileToken: String] {
        let taken = try taker.takeAll()
        #expect(taken.allSatisfy { $0.isToRead && $0.isOfThisProcess })
        return Dictionary(
            uniqueKeysWithValues: try taken.map { (try FileToken(bytes: $0.token), $0.text ?? "") })
    }

    @Test func filesThatAStateNamesAreGivenOpen() async throws {
        let url = try letter("An Anna.txt")
        let files = try await saved(["letter": url])
        let file = try #require(files.first)
        #expect(files.count == 1 && file.url.text == url.absoluteString)
        #expect(file.path.text == folder + "/An Anna.txt")
        #expect(try given() == [#require(file.token): "Dear Anna,"])
    }

    @Test func unrequestedFilesAreNotOpened() async throws {
        #expect(try await saved(["letter": letter("a")], withFiles: false).isEmpty)
        #expect(try given().isEmpty)
    }

    @Test func stateWithoutFilesIsSentAtOnce() async throws {
        // No file is opened, because opening would block.
        let blocked = DispatchSemaphore(value: 0)
        laptop.center.files.async { blocked.wait() }
        defer { blocked.signal() }
        let page = try #require(URL(string: "https://example.com/"))
        #expect(try await saved(["page": page, "text": "file:///etc/passwd"]).isEmpty)
    }

    /// A request without files is answered at once, after the same hook.
    @Test func eachWhoWaitsGetsWhatHeAskedFor() async throws {
        let url = try letter("a")
        let (activity, _) = try await laptop.currentActivity()
        let editor = Editor { $0.userInfo = ["letter": url] }
        activity.delegate = editor
        activity.needsSave = true
        let plain = laptop.daemon.ask(.advertising(.save(activity.record.id, deadline: .seconds(30))))
        #expect(try await saved(activity).map(\.url.text) == [url.absoluteString])
        guard case .advertising(.saved(_, _, let files)) = try await plain.next() else {
            Issue.record("no state")
            return
        }
        #expect(files.isEmpty)
        #expect(editor.saves.waiting.count == 1)
    }

    @Test func eachFileIsGivenOnceWhereverItIsNamed() async throws {
        let urls = try ["a", "b", "c", "d"].map { try letter($0, $0) }
        let files = try await saved([
            "one": urls[0], "list": [urls[0], ["again": urls[1]], Set([urls[2]])] as [Any], urls[3]: "a key",
        ])
        #expect(files.map(\.url.text) == urls.map(\.absoluteString))
        #expect(try given().values.sorted() == ["a", "b", "c", "d"])
    }

    @Test func filesOverTheLimitAreNotPassed() async throws {
        let urls = try (0..<Limits.documents + 4).map { try letter("\($0 + 100)") }
        // The system may allow fewer to wait.
        let taken = Mailbox<Int>()
        onThread { [taker] in
            var count = 0
            while taker.wait(), (try? taker.take()) != .some(nil) {
                count += 1
                if count == Limits.documents { break }
            }
            taken.post(count)
        }
        let files = try await saved(["letters": urls])
        #expect(files.map(\.url.text) == urls.prefix(Limits.documents).map(\.absoluteString))
        #expect(files.allSatisfy { $0.token != nil })
        #expect(try await taken.next() == Limits.documents)
        #expect(try given().isEmpty)
    }

    @Test func pathIsTheResolvedPathOfTheFile() async throws {
        let letter = try letter("An Anna.txt")
        let link = folder + "/newest"
        try FileManager.default.createSymbolicLink(atPath: link, withDestinationPath: letter.path)
        let files = try await saved(["letter": URL(fileURLWithPath: link, isDirectory: false)])
        #expect(files.first?.url.text == "file://" + link)
        #expect(files.first?.path.text == letter.path)
    }

    @Test func nonTextNameIsPassedByItsBytes() async throws {
        let name = Array(folder.utf8) + [0x2F, 0xFF]
        let descriptor = open(name.map { CChar(bitPattern: $0) } + [0], O_WRONLY | O_CREAT | O_CLOEXEC, 0o600)
        try OpenFile(descriptor: descriptor, path: "").write("odd".utf8)
        let url = try #require(URL(string: "file://\(folder)/%FF"))
        let files = try await saved(["letter": url])
        #expect(files.first?.path.bytes == name)
        #expect(try given().values.sorted() == ["odd"])
    }

    @Test func folderIsGivenToo() async throws {
        let files = try await saved(["folder": URL(fileURLWithPath: folder, isDirectory: true)])
        #expect(files.first?.url.text == "file://\(folder)/")
        #expect(files.first?.path.text == folder)
        #expect(try given().count == 1)
    }

    @Test func unopenableFilesAreOmittedAndLoggedOnce() async throws {
        mkfifo(folder + "/pipe", 0o600)
        let urls = try [letter("a")] + ["missing", "gone", "pipe"].map { URL(fileURLWithPath: folder + "/" + $0) }
        let other = try #require(URL(string: "file://server/share/letter"))
        let files = try await saved(["letters": urls + [other, URL(fileURLWithPath: "/dev/null")]])
        #expect(files.map(\.url.text) == [urls[0].absoluteString])
        #expect(try given().count == 1)
        #expect(laptop.log.waiting.filter { $0.contains("cannot be opened") }.count == 1)
        #expect(laptop.log.waiting.filter { $0.contains("neither a file nor a folder") }.count == 1)
        #expect(!laptop.log.waiting.contains { $0.contains("missing") })
    }

    @Test func stateIsSentWithoutFilesThatCannotBePassed() async throws {
        unlink(laptop.locations.descriptors)
        let files = try await saved(["letter": letter("a")])
        #expect(files.count == 1 && files.first?.token == nil)
        #expect(files.first?.path.text == folder + "/a")
    }

    /// As on an unreachable network file system.
    @Test func stateDoesNotWaitForAFileSystemThatDoesNotAnswer() async throws {
        let blocked = DispatchSemaphore(value: 0)
        laptop.center.files.async { blocked.wait() }
        defer { blocked.signal() }
        #expect(try await saved(["letter": letter("a")], within: .milliseconds(100)).isEmpty)
    }
}
