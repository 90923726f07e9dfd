// SPDX-License-Identifier: Apache-2.0

import Foundation
import HandoffBus
import HandoffSystem
import HandoffWire
import TestPrograms
import Testing

@testable import HandoffAdapters

/// Files in checkouts of Git repositories, by the real Git.
// Shows M04, M05, M07.
@Suite(.enabled(if: FileManager.default.isExecutableFile(atPath: "/usr/bin/git"), "git is not installed"))
final class CheckoutPlaceTests {
    private let folder = NSTemporaryDirectory() + "handoff-checkouts-\(UUID().uuidString)"

    deinit { try? FileManager.default.removeItem(atPath: folder) }

    private func environment(_ device: String) -> [String: String] {
        ["HOME": "\(folder)/\(device)", "PATH": "/usr/bin:/bin", "GIT_DIR": "/nowhere"]
    }

    private func git(_ arguments: String...) throws {
        let environment = ["HOME": folder, "PATH": "/usr/bin:/bin"]
        let output = SpawnedProcess.output(
            of: "git", arguments, environment: environment, limit: 1 << 20, within: .seconds(30))
        try #require(output != nil, "\(arguments)")
    }

    /// In the home folder of a device.
    private func write(_ text: String, to path: String) throws {
        let file = URL(filePath: "\(folder)/\(path)")
        try FileManager.default.createDirectory(at: file.deletingLastPathComponent(), withIntermediateDirectories: true)
        if text.hasPrefix("#!") { return try Program.write(text, to: file.path) }
        try Data(text.utf8).write(to: file)
    }

    private func checkOut(_ remote: String, as path: String) throws {
        try git("init", "--quiet", "\(folder)/\(path)")
        try git("-C", "\(folder)/\(path)", "remote", "add", "origin", remote)
    }

    private func source(_ path: String, isFolder: Bool = false) throws -> ProgramState.Source {
        let file = try AbsolutePath("\(folder)/laptop/\(path)")
        let files = HomeFile(environment: environment("laptop"))
        return try #require(files.source(of: isFolder ? .folder(file) : .file(file), namesRepository: true))
    }

    @Test func remoteIsTheSameOverEachProtocol() {
        for address in [
            "git@Example.com:anna/notes.git", "example.com:anna/notes", "https://example.com/anna/notes.git/",
            "https://anna:secret@example.com:8443/anna/notes", "ssh://git@example.com:22/anna/notes.git\n",
            "https://a@b:secret@example.com/anna/notes",
        ] {
            #expect(CheckoutPlace.remote(address) == "example.com/anna/notes", "\(address)")
        }
        #expect(CheckoutPlace.remote("ssh://[2001:db8::1]/notes.git") == "[2001:db8::1]/notes")
        for address in [
            "", "origin", "/srv/git/notes.git", "./a:b", "file:///srv/git/notes.git", "https://",
            "https://example.com/",
            "host:", ":path", "https://example.com/" + String(repeating: "a", count: 1000),
        ] {
            #expect(CheckoutPlace.remote(address) == nil, "\(address)")
        }
    }

    /// From reports about other programs: a gateway (git-open 232), a port (OpenHands 16722), a user name (atom-better-git-blame 29).
    @Test func gatewayOfAHostIsTheHost() {
        for address in [
            "ssh://git@ssh.github.com:443/anna/notes.git", "git@github.com:anna/notes", "https://github.com/anna/notes",
            "ssh://git@github.com:2222/anna/notes",
        ] {
            #expect(CheckoutPlace.remote(address) == "github.com/anna/notes", "\(address)")
        }
    }

    /// From reports about other programs: an alias of Git (git-link 111, delta 693), a remote of another name (vscord 253), an
    /// alias of SSH (gerrit-intellij-plugin 104).
    @Test func remoteIsThatBehindTheUsersAliases() throws {
        try write("[url \"git@example.com:\"]\ninsteadOf = ex:\n", to: "laptop/.gitconfig")
        try write("Host work\nHostName example.com\n", to: "laptop/ssh")
        try write("#!/bin/sh\nexec /usr/bin/ssh -F \(folder)/laptop/ssh \"$@\"\n", to: "laptop/bin/ssh")
        var environment = environment("laptop")
        environment["PATH"] = "\(folder)/laptop/bin:/usr/bin:/bin"
        let hasSSH = FileManager.default.isExecutableFile(atPath: "/usr/bin/ssh")
        for (number, address) in (["ex:anna/notes"] + (hasSSH ? ["git@work:anna/notes.git"] : [])).enumerated() {
            let checkout = "\(folder)/laptop/\(number)"
            try git("init", "--quiet", checkout)
            try git("-C", checkout, "remote", "add", number == 0 ? "me" : "origin", address)
            let remote = CheckoutPlace.remote(of: try AbsolutePath(checkout), environment)
            #expect(remote == "example.com/anna/notes", "\(address)")
        }
    }

    /// Anybody may have written it: a checkout can arrive as an archive.
    @Test func configurationOfACheckoutStartsNoProgram() throws {
        let mark = "\(folder)/started"
        let start = "touch \(mark)"
        try write("#!/bin/sh\n\(start)\n", to: "laptop/bin/ssh")
        var environment = environment("laptop")
        environment["PATH"] = "\(folder)/laptop/bin:/usr/bin:/bin"
        for (number, address) in ["https://example.com/a", "git@$(id):a", "-oProxyCommand=x:a"].enumerated() {
            let checkout = "\(folder)/laptop/\(number)"
            try git("init", "--quiet", checkout)
            try write(
                """
                [core]
                repositoryformatversion = 0
                fsmonitor = \(start)
                sshCommand = \(start)
                pager = \(start)
                gitProxy = \(start)
                [alias]
                ls-remote = !\(start)
                [credential]
                helper = !\(start)
                [remote "origin"]
                url = \(address)
                uploadpack = \(start)
                """, to: "laptop/\(number)/.git/config")
            _ = CheckoutPlace.remote(of: try AbsolutePath(checkout), environment)
            #expect(!FileManager.default.fileExists(atPath: mark), "\(address)")
        }
    }

    @Test func fileIsFoundInAnotherCheckoutOfItsRepository() throws {
        try checkOut("git@example.com:anna/notes.git", as: "laptop/src/notes")
        try checkOut("https://example.com/bob/notes", as: "desktop/a")
        try checkOut("https://token@example.com/anna/notes", as: "desktop/work/anna")
        for path in ["laptop/src/notes", "desktop/a", "desktop/work/anna"] { try write("x", to: path + "/doc/a b.txt") }
        guard case .homeFile(let path, let content, let place) = try source("src/notes/doc/a b.txt") else {
            Issue.record("no file")
            return
        }
        #expect(place == CheckoutPlace(remote: "example.com/anna/notes", path: try DocumentPath("doc/a b.txt")))
        let files = HomeFile(environment: environment("desktop"))
        let found = try files.file(path, content, at: place, anywhere: false)
        #expect(found.path == folder + "/desktop/work/anna/doc/a b.txt" && found.isElsewhere)
        #expect(throws: BusFailure.self) { try files.file(path, content, anywhere: false) }
        try write("other", to: "desktop/work/anna/doc/a b.txt")
        #expect(throws: BusFailure.self) { try files.file(path, content, at: place, anywhere: false) }
    }

    @Test func folderIsFoundInAnotherCheckoutOfItsRepository() throws {
        try checkOut("example.com:anna/notes", as: "laptop/notes")
        try checkOut("https://example.com/anna/notes", as: "desktop/work")
        for path in ["laptop/notes", "desktop/work"] { try write("", to: path + "/doc/a.txt") }
        let files = HomeFile(environment: environment("desktop"))
        for (path, found) in [("notes/doc", "work/doc"), ("notes", "work")] {
            guard case .homeFolder(let path, let place) = try source(path, isFolder: true) else {
                Issue.record("no folder")
                return
            }
            #expect(try files.folder(path, at: place).path == "\(folder)/desktop/\(found)")
        }
        #expect(throws: BusFailure.self) { try files.folder(try DocumentPath("notes")) }
    }

    @Test func placeInAWorktreeIsThatInItsRepository() throws {
        try checkOut("example.com:anna/notes", as: "laptop/notes")
        let commit = ["-c", "user.name=anna", "-c", "user.email=a@example.com", "commit", "-m", "a", "--allow-empty"]
        let notes = "\(folder)/laptop/notes"
        let output = SpawnedProcess.output(
            of: "git", ["-C", notes] + commit, environment: ["HOME": folder, "PATH": "/usr/bin:/bin"], limit: 1 << 20,
            within: .seconds(30))
        try #require(output != nil)
        try git("-C", notes, "worktree", "add", "\(folder)/laptop/other")
        try write("x", to: "laptop/other/a.txt")
        let place = try source("other/a.txt").checkout
        #expect(place == CheckoutPlace(remote: "example.com/anna/notes", path: try DocumentPath("a.txt")))
    }

    @Test func fileWithoutARepositoryOrARemoteHasNoPlace() throws {
        try write("x", to: "laptop/plain/a.txt")
        try git("init", "--quiet", "\(folder)/laptop/local")
        try write("x", to: "laptop/local/a.txt")
        try checkOut("example.com:anna/home", as: "laptop")
        for path in ["plain/a.txt", "local/a.txt"] { #expect(try source(path).checkout == nil) }
    }
}
