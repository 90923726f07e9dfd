// SPDX-License-Identifier: Apache-2.0

import Foundation
import Glibc
import HandoffCore
import HandoffSystem
import HandoffTrust
import HandoffWire
import Testing

@testable import HandoffHost

/// Lookups in a container, and items that may not enter or leave it.
@Suite struct LookingTests {
    private func digest(_ text: String) -> FileDigest { FileDigest(of: Array(text.utf8)) }

    @Test func aFileIsFoundWithItsHash() throws {
        let fixture = try DiskFixture()
        try fixture.write("Dear Ann", to: "letters/ann.txt")
        chmod(fixture.path("letters/ann.txt"), 0o604)
        let found = try #require(try fixture.found("letters/ann.txt"))
        #expect(found.path == (try DocumentPath("letters/ann.txt")))
        #expect(found.kind == .file)
        #expect(found.version.size == 8)
        #expect(found.version.mode == 0o604)
        #expect(found.hash == digest("Dear Ann"))
    }

    @Test func missingDocumentIsNotFound() throws {
        let fixture = try DiskFixture()
        try fixture.write("a", to: "ann.txt")
        #expect(try fixture.look("bob.txt") == .nothing)
        #expect(try fixture.look("letters/bob.txt") == .nothing)
        let copies = DocumentLocation.received(
            ContinuationID(uncheckedBytes: [UInt8](repeating: 1, count: 16)), name: try DocumentPath("ann.txt"))
        #expect(try fixture.files.look(at: copies, asPackage: false, hashing: .max) == .nothing)
    }

    /// A removed disk must not look like deleted documents.
    @Test func aVanishedFolderIsReported() throws {
        let fixture = try DiskFixture()
        try FileManager.default.removeItem(atPath: fixture.folder.text)
        let failure = failure { _ = try fixture.look("ann.txt") }
        #expect(failure?.code == .documentGone)
        #expect(failure?.reason == "the folder \(fixture.folder) does not exist")
        let search = HandoffHostTests.failure {
            _ = try fixture.files.find(FileNumber(device: 1, inode: 1), size: 1, hash: nil, in: fixture.folder)
        }
        #expect(search?.code == .documentGone)
        let arrival = HandoffHostTests.failure { try fixture.receive([1], as: "ann.txt") }
        #expect(arrival?.code == .documentNotPlaced)
        #expect(arrival?.reason.contains(fixture.folder.text) == true)
        #expect(!FileManager.default.fileExists(atPath: fixture.folder.text))
    }

    @Test func aFolderIsAPackageOrAPlace() throws {
        let fixture = try DiskFixture()
        try fixture.write("1", to: "Book.pages/index")
        let folder = try #require(try fixture.found("Book.pages"))
        #expect(folder.kind == .folder)
        #expect(folder.hash == nil)
        let package = try #require(try fixture.found("Book.pages", asPackage: true))
        #expect(package.kind == .package)
        #expect(package.version.size == 1)
        #expect(package.hash != nil)
        // A file is not treated as a package, whatever its type.
        #expect(try fixture.found("Book.pages/index", asPackage: true)?.kind == .file)
    }

    @Test func aLargeFileIsNotHashedForALook() throws {
        let fixture = try DiskFixture()
        try fixture.write("Dear Ann", to: "ann.txt")
        func look(_ hashing: UInt64) throws -> DocumentSnapshot {
            try fixture.files.look(at: try fixture.place("ann.txt"), asPackage: false, hashing: hashing)
        }
        guard case .found(let unhashed) = try look(7) else { return #expect(Bool(false), "it is there") }
        #expect(unhashed.hash == nil)
        guard case .found(let hashed) = try look(8) else { return #expect(Bool(false), "it is there") }
        #expect(hashed.hash == digest("Dear Ann"))
    }

    // MARK: Items that are not documents

    @Test func socketsDevicesAndFIFOsAreRefusedAtOnce() throws {
        let fixture = try DiskFixture()
        mkfifo(fixture.path("pipe"), 0o600)
        let socket = socket(AF_UNIX, Int32(SOCK_STREAM.rawValue), 0)
        defer { close(socket) }
        var address = sockaddr_un()
        address.sun_family = sa_family_t(AF_UNIX)
        withUnsafeMutableBytes(of: &address.sun_path) { $0.copyBytes(from: fixture.path("socket").utf8) }
        let isBound = withUnsafePointer(to: &address) {
            $0.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                bind(socket, $0, socklen_t(MemoryLayout<sockaddr_un>.size)) == 0
            }
        }
        try #require(isBound)
        for name in ["pipe", "socket"] {
            for asPackage in [false, true] {
                #expect(failure { _ = try fixture.look(name, asPackage: asPackage) }?.code == .notAllowed)
                let opened = failure { _ = try fixture.files.open(try fixture.place(name), asPackage: asPackage) }
                #expect(opened?.code == .notAllowed)
                #expect(opened?.reason.contains(fixture.path(name)) == true)
            }
        }
    }

    @Test func aLinkToADeviceLeadsOut() throws {
        let fixture = try DiskFixture()
        try fixture.home.link("Documents/null", to: "/dev/null")
        #expect(failure { _ = try fixture.look("null") }?.code == .notAllowed)
    }

    @Test(.enabled(if: geteuid() == 0, "devices are made by root alone")) func aDeviceIsRefused() throws {
        let fixture = try DiskFixture()
        try #require(mknod(fixture.path("null"), S_IFCHR | 0o600, dev_t(1 << 8 | 3)) == 0)
        #expect(failure { _ = try fixture.look("null") }?.code == .notAllowed)
    }

    @Test func openDocumentIsExaminedByItsDescriptor() throws {
        let fixture = try DiskFixture()
        let path = try fixture.home.file("elsewhere/ann.txt", "Dear Ann")
        let pipe = fixture.home.path("pipe")
        mkfifo(pipe, 0o600)
        let (file, fifo) = (FileToken(uncheckedBytes: [1]), FileToken(uncheckedBytes: [2]))
        let files = try DirectoryDocumentFiles(state: fixture.state, received: fixture.received) {
            (token) throws(Failure) in
            do throws(SystemError) {
                return try OpenFile.open(token == file ? path : pipe, O_RDONLY | O_NONBLOCK)
            } catch {
                throw Failure(.documentGone, error.description)
            }
        }
        guard case .found(let found) = try files.look(at: .open(file), asPackage: false, hashing: .max) else {
            return #expect(Bool(false), "it is open")
        }
        #expect(found.path == nil)
        #expect(found.hash == digest("Dear Ann"))
        #expect(failure { _ = try files.look(at: .open(fifo), asPackage: false, hashing: .max) }?.code == .notAllowed)
        let arrival = failure { _ = try files.begin(.whole(size: 1), for: .open(file), basis: [], left: nil) }
        #expect(arrival?.code == .notAllowed)
    }

    // MARK: Links

    @Test func linksThatLeadOutAreRefused() throws {
        let fixture = try DiskFixture()
        try fixture.home.file("secret/key.txt", "the key")
        try fixture.home.link("Documents/absolute", to: fixture.home.path("secret/key.txt"))
        try fixture.home.link("Documents/climbing", to: "../secret/key.txt")
        try fixture.home.link("Documents/folder", to: "../secret")
        // A path that leaves the container and returns is outside.
        try fixture.write("a", to: "ann.txt")
        try fixture.home.link("Documents/around", to: "../Documents/ann.txt")
        for path in ["absolute", "climbing", "folder/key.txt", "around"] {
            #expect(failure { _ = try fixture.look(path) }?.code == .notAllowed, "\(path)")
            #expect(
                failure { _ = try fixture.files.open(try fixture.place(path), asPackage: false) }?.code == .notAllowed)
            #expect(failure { try fixture.receive([1], as: path) }?.code == .notAllowed, "\(path)")
        }
        #expect(failure { try fixture.receive([1], as: "folder/new.txt") }?.code == .notAllowed)
        #expect(fixture.home.text("secret/key.txt") == "the key")
        #expect(fixture.home.names("secret") == ["key.txt"])
    }

    @Test func climbingPathsAreRejected() {
        for path in ["../key.txt", "a/../../key.txt", "/etc/passwd", "a//b", "", "a/", "a\0b", ".handoff-1"] {
            #expect(throws: WireError.self, "\(path)") { try DocumentPath(path) }
        }
    }

    @Test func linksInsideAreFollowedToWhatTheyLeadTo() throws {
        let fixture = try DiskFixture()
        try fixture.write("Dear Ann", to: "letters/ann.txt")
        try fixture.home.link("Documents/mail", to: "letters")
        try fixture.home.link("Documents/last.txt", to: "mail/ann.txt")
        for path in ["mail/ann.txt", "last.txt"] {
            let found = try #require(try fixture.found(path))
            #expect(found.path == (try DocumentPath("letters/ann.txt")))
            #expect(found.hash == digest("Dear Ann"))
        }
        // The file is replaced, and the links stay.
        try fixture.receive(Array("Dear Bob".utf8), as: "last.txt")
        #expect(fixture.text("letters/ann.txt") == "Dear Bob")
        try fixture.receive([], as: "mail/new.txt")
        #expect(
            fixture.names() == ["last.txt", "letters/", "letters/ann.txt", "letters/new.txt", "mail/"])
        #expect(try FileManager.default.destinationOfSymbolicLink(atPath: fixture.path("last.txt")) == "mail/ann.txt")
    }

    @Test func aBrokenLinkIsNotAFreeName() throws {
        let fixture = try DiskFixture()
        try fixture.home.link("Documents/ann.txt", to: "nowhere.txt")
        let failure = failure { _ = try fixture.look("ann.txt") }
        #expect(failure?.code == .notAllowed)
        #expect(failure?.reason.contains("a link to a file that does not exist") == true)
    }

    /// A program swaps a folder of the container with a link out of it, in a loop.
    @Test func aFolderSwappedWithALinkLetsNothingOut() throws {
        let fixture = try DiskFixture()
        try fixture.home.file("secret/ann.txt", "the key")
        try fixture.write("Dear Ann", to: "letters/ann.txt")
        try fixture.home.link("Documents/other", to: fixture.home.path("secret"))
        let (one, other) = (fixture.path("letters"), fixture.path("other"))
        let isDone = Lock(false)
        let ended = DispatchSemaphore(value: 0)
        let swaps = Lock(0)
        DetachedThread.start {
            while !isDone.withLock({ $0 }) {
                rename(one, one + "-")
                rename(other, one)
                rename(one + "-", other)
                swaps.withLock { $0 += 1 }
            }
            ended.signal()
        }
        var seen: [String: Int] = [:]
        for _ in 0..<300 {
            do {
                let source = try fixture.files.open(try fixture.place("letters/ann.txt"), asPackage: false)
                seen[String(decoding: try DiskFixture.drain(source), as: UTF8.self), default: 0] += 1
            } catch let failure as Failure {
                seen["\(failure.code)", default: 0] += 1
            }
            if case .found(let found)? = try? fixture.look("letters/ann.txt") {
                #expect(found.hash == digest("Dear Ann"))
            }
            _ = try? fixture.receive(Array("Dear Ann".utf8), as: "letters/ann.txt")
        }
        isDone.withLock { $0 = true }
        #expect(ended.wait(timeout: .now() + 60) == .success)
        #expect(seen["the key"] == nil)
        #expect(Set(seen.keys).isSubset(of: ["Dear Ann", "notAllowed", "documentGone", "documentChanged"]), "\(seen)")
        #expect(swaps.withLock { $0 } > 0)
        #expect(fixture.home.text("secret/ann.txt") == "the key")
        #expect(fixture.home.names("secret") == ["ann.txt"])
    }

    // MARK: Hashes

    @Test func aHashIsReadAgainAfterAWrite() throws {
        let fixture = try DiskFixture()
        for round in 0..<50 {
            // The same length, written as fast as possible: only the times differ.
            try fixture.write("round \(round % 10)", to: "ann.txt")
            #expect(try fixture.found("ann.txt")?.hash == digest("round \(round % 10)"))
        }
    }

    @Test func aConstantlyWrittenFileIsReported() throws {
        let fixture = try DiskFixture()
        try fixture.write(noise(3_000_000, seed: 1), to: "log.txt")
        let path = fixture.path("log.txt")
        let isDone = Lock(false)
        let ended = DispatchSemaphore(value: 0)
        DetachedThread.start {
            let descriptor = open(path, O_WRONLY)
            var number = 0
            while !isDone.withLock({ $0 }) {
                number += 1
                pwrite(descriptor, &number, 8, off_t(number % 1000))
                usleep(200)
            }
            close(descriptor)
            ended.signal()
        }
        // The writer may not be scheduled for a while; the file is then as it was read.
        var isSaid = false
        for _ in 0..<1000 where !isSaid {
            isSaid = failure { _ = try fixture.look("log.txt") }?.code == .documentChanged
        }
        isDone.withLock { $0 = true }
        #expect(ended.wait(timeout: .now() + 60) == .success)
        #expect(isSaid)
        #expect(try fixture.found("log.txt")?.hash == FileDigest(of: fixture.bytes("log.txt") ?? []))
    }

    // MARK: Names

    private static let composed = "Caf\u{E9}.txt", decomposed = "Cafe\u{301}.txt"

    private func write(_ text: String, name: String, in fixture: DiskFixture) throws {
        let descriptor = open(fixture.path(name), O_WRONLY | O_CREAT | O_EXCL, 0o600)
        try #require(descriptor >= 0)
        defer { close(descriptor) }
        try #require(Glibc.write(descriptor, text, text.utf8.count) == text.utf8.count)
    }

    @Test func namesThatSwiftCallsEqualAreTwoFiles() throws {
        let fixture = try DiskFixture()
        #expect(Self.composed == Self.decomposed)
        try write("composed", name: Self.composed, in: fixture)
        try write("decomposed", name: Self.decomposed, in: fixture)
        #expect(try fixture.found(Self.composed)?.hash == digest("composed"))
        #expect(try fixture.found(Self.decomposed)?.hash == digest("decomposed"))
    }

    @Test(arguments: [(composed, decomposed), (decomposed, composed)])
    func aNameInAnotherUnicodeFormFindsTheNameOnDisk(onDisk: String, asked: String) throws {
        let fixture = try DiskFixture()
        try write("coffee", name: onDisk, in: fixture)
        let found = try #require(try fixture.found(asked))
        #expect(found.path?.bytes == Array(onDisk.utf8))
        // No second document is created whose name differs only by its Unicode form.
        let arrival = try fixture.files.begin(.whole(size: 0), for: try fixture.place(asked), basis: [], left: nil)
        _ = try arrival.hash()
        try arrival.sync(modified: FileTime(nanoseconds: 0), mode: 0o644)
        #expect(try arrival.place(try fixture.order(asked)) == .changedMeanwhile)
        try fixture.receive(Array("tea".utf8), as: asked)
        #expect(
            try FileManager.default.contentsOfDirectory(atPath: fixture.folder.text).map { Array($0.utf8) } == [
                Array(onDisk.utf8)
            ])
        #expect(try fixture.found(asked)?.hash == digest("tea"))
    }

    // Shows Q08.
    @Test(arguments: [(composed, decomposed), (decomposed, composed)])
    func exactNameOfAnotherFormIsAFileOfItsOwn(onDisk: String, asked: String) throws {
        let fixture = try DiskFixture()
        try write("coffee", name: onDisk, in: fixture)
        let arrival = try fixture.files.begin(.whole(size: 0), for: try fixture.place(asked), basis: [], left: nil)
        _ = try arrival.hash()
        try arrival.sync(modified: FileTime(nanoseconds: 0), mode: 0o644)
        var order = try fixture.order(asked)
        order.isExact = true
        guard case .placed(let path, let found) = try arrival.place(order) else { return #expect(Bool(false)) }
        #expect(path.bytes.suffix(asked.utf8.count).elementsEqual(asked.utf8))
        #expect(found.path?.bytes == Array(asked.utf8))
        #expect(try fixture.found(onDisk)?.hash == digest("coffee"))
        #expect(try fixture.found(asked)?.hash == digest(""))
    }

    // Shows Q08.
    @Test(.needs(.ext4FoldingCase)) func exactNameIsTakenWhereFormsAreOne() throws {
        let disk = try #require(SmallDisk(.ext4FoldingCase))
        let fixture = try DiskFixture(folder: disk.path)
        try write("coffee", name: Self.composed, in: fixture)
        let arrival = try fixture.files.begin(
            .whole(size: 0), for: try fixture.place(Self.decomposed), basis: [], left: nil)
        _ = try arrival.hash()
        try arrival.sync(modified: FileTime(nanoseconds: 0), mode: 0o644)
        var order = try fixture.order(Self.decomposed)
        order.isExact = true
        #expect(try arrival.place(order) == .changedMeanwhile)
        #expect(try fixture.found(Self.composed)?.hash == digest("coffee"))
    }

    @Test func aFolderInAnotherUnicodeFormFindsTheFolderOnDisk() throws {
        let fixture = try DiskFixture()
        try #require(mkdir(fixture.path("Cafe\u{301}"), 0o700) == 0)
        let outcome = try fixture.receive([1], as: "Caf\u{E9}/menu/tea.txt")
        guard case .placed(let path, let found) = outcome else { return #expect(Bool(false), "nothing is there") }
        #expect(found.path?.bytes == Array("Cafe\u{301}/menu/tea.txt".utf8))
        #expect(path.bytes == fixture.folder.bytes + Array("/Cafe\u{301}/menu/tea.txt".utf8))
        #expect(fixture.names().count == 3)
    }

    @Test func severalMatchingNamesAreAmbiguous() throws {
        let fixture = try DiskFixture()
        // Three forms of one name: a dot below and a circumflex, in either order, and as one letter.
        try write("1", name: "a\u{323}\u{302}", in: fixture)
        try write("2", name: "a\u{302}\u{323}", in: fixture)
        #expect(try fixture.look("\u{1EAD}") == .ambiguous)
        #expect(failure { try fixture.receive([1], as: "\u{1EAD}") }?.code == .documentNotPlaced)
        #expect(
            failure { _ = try fixture.files.open(try fixture.place("\u{1EAD}"), asPackage: false) }?.code
                == .documentGone)
    }

    @Test func caseDistinguishesNamesIfTheFileSystemDoes() throws {
        let fixture = try DiskFixture()
        try fixture.write("upper", to: "K.txt")
        #expect(try fixture.look("k.txt") == .nothing)
        try fixture.write("lower", to: "k.txt")
        #expect(try fixture.found("K.txt")?.hash == digest("upper"))
        #expect(try fixture.found("k.txt")?.hash == digest("lower"))
    }

    @Test func caseDoesNotCountWhereItFolds() throws {
        var abilities = DiskAbilities()
        abilities.foldsAllCase = true
        let fixture = try DiskFixture(abilities: abilities)
        try fixture.write("upper", to: "Letters/K.txt")
        let found = try #require(try fixture.found("letters/k.txt"))
        #expect(found.path == (try DocumentPath("Letters/K.txt")))
        try fixture.write("lower", to: "Letters/k.txt")
        #expect(try fixture.found("letters/k.txt")?.hash == digest("lower"))
        #expect(try fixture.look("LETTERS/K.TXT") == .ambiguous)
    }

    @Test func nonTextNamesAreSupported() throws {
        let fixture = try DiskFixture()
        let name: [UInt8] = [0x66, 0xFF, 0xFE]
        let descriptor = open((fixture.folder.bytes + [0x2F] + name).cString, O_WRONLY | O_CREAT, 0o600)
        close(descriptor)
        let location = DocumentLocation.container(folder: fixture.folder, try DocumentPath(bytes: name))
        guard case .found(let found) = try fixture.files.look(at: location, asPackage: false, hashing: .max) else {
            return #expect(Bool(false), "it is there")
        }
        #expect(found.path?.bytes == name)
        let other = DocumentLocation.container(folder: fixture.folder, try DocumentPath(bytes: [0x66, 0xFF]))
        #expect(try fixture.files.look(at: other, asPackage: false, hashing: .max) == .nothing)
    }

    // Shows Q08.
    @Test(.needs(.ext4FoldingCase))
    func caseDoesNotCountInAFoldingFolderOfExt4() throws {
        let disk = try #require(SmallDisk(.ext4FoldingCase))
        try checkFolding(try DiskFixture(folder: disk.path))
    }

    // Shows Q08.
    @Test(.needs(.vfat))
    func caseDoesNotCountOnVfat() throws {
        let disk = try #require(SmallDisk(.vfat))
        try checkFolding(try DiskFixture(folder: disk.path))
    }

    private func checkFolding(_ fixture: DiskFixture) throws {
        try fixture.write("upper", to: "Kay.txt")
        #expect(try fixture.found("kay.TXT")?.path == (try DocumentPath("Kay.txt")))
        try fixture.receive(Array("new".utf8), as: "kay.txt")
        #expect(fixture.names() == ["Kay.txt"])
        #expect(fixture.text("Kay.txt") == "new")
    }
}
