// SPDX-License-Identifier: Apache-2.0

import HandoffCore
import HandoffTesting
import HandoffWire
import Testing

@testable import HandoffDaemon

/// Which app may reach which container, and where its folder is, in a whole daemon.
@Suite struct FoldersTests {
    static let letters = try! ContainerID("iCloud.com.example.letters")
    static let drafts = try! ContainerID("iCloud.com.example.drafts")
    static let rival = DeveloperTeam.made("RIVAL12345", key: 9)

    static func app(
        _ name: String, _ containers: ContainerID..., team: DeveloperTeam? = .made("ABCDE12345")
    ) -> InstalledApp {
        var app = DeviceFixture.app(name, team: team)
        app.documents.containers = containers
        app.documents.containerNames = [letters: DisplayText(cleaning: "Letters")]
        return app
    }

    private func path(_ text: String) -> AbsolutePath { try! AbsolutePath(text) }

    private func folders(_ fixture: DeviceFixture, _ message: LocalMessage.Documents = .listFolders(check: false))
        -> [ContainerFolder]
    {
        guard case .documents(.folderList(let folders))? = fixture.answer(fixture.script(), .documents(message)) else {
            return []
        }
        return folders
    }

    private func failure(_ fixture: DeviceFixture, _ message: LocalMessage.Documents) -> Failure? {
        guard case .failure(let failure)? = fixture.answer(fixture.script(), .documents(message)) else { return nil }
        return failure
    }

    private func containers(_ fixture: DeviceFixture, _ client: TestClient) -> ([AppContainer], token: [UInt8]?)? {
        guard
            case .documents(.containers(let containers, let token))? = fixture.answer(
                client, .documents(.showContainers))
        else { return nil }
        return (containers, token)
    }

    // MARK: Access

    @Test func anAppHasItsContainersWithTheirFolders() throws {
        let fixture = try DeviceFixture("laptop", apps: [Self.app("mail", Self.letters, Self.drafts)])
        let (containers, _) = try #require(self.containers(fixture, fixture.run(fixture.catalog.installed[0])))
        #expect(containers.map(\.container) == [Self.letters, Self.drafts])
        #expect(containers.map(\.name?.text) == ["Letters", nil])
        let folder = path("/home/user/containers/iCloud.com.example.letters")
        #expect(containers[0].path == folder)
        for made in [folder, path("\(folder)/Documents"), path("\(containers[1].path)/Documents")] {
            #expect(fixture.documents.facts(of: made).isFolder, "\(made)")
        }
    }

    @Test func anAppOfAnotherTeamDoesNotReachIt() throws {
        let (mine, theirs) = (Self.app("mail", Self.letters), Self.app("spy", Self.letters, team: Self.rival))
        let fixture = try DeviceFixture("laptop", apps: [theirs, mine])
        #expect(containers(fixture, fixture.run(mine)) != nil)
        let answer = fixture.answer(fixture.run(theirs), .documents(.showContainers))
        guard case .failure(let failure)? = answer else {
            Issue.record("\(String(describing: answer))")
            return
        }
        #expect(failure.code == .notAllowed)
        #expect(
            failure.reason.contains("belongs to team ABCDE12345 (key 0101 0101) on this device, not to team RIVAL12345")
        )
        #expect(folders(fixture).map(\.apps) == [[mine.bundle]])
        #expect(folders(fixture).first?.problem == "com.example.spy cannot use it: it belongs to another team")
    }

    /// The first is the default, so another one would be mistaken for it.
    @Test func withoutItsFirstAnAppHasNone() throws {
        let mine = Self.app("mail", Self.letters)
        let theirs = Self.app("spy", Self.letters, Self.drafts, team: Self.rival)
        let other = Self.app("tap", Self.drafts, Self.letters, team: Self.rival)
        let fixture = try DeviceFixture("laptop", apps: [mine, theirs, other])
        _ = containers(fixture, fixture.run(mine))
        #expect(containers(fixture, fixture.run(theirs)) == nil)
        #expect(try #require(containers(fixture, fixture.run(other))).0.map(\.container) == [Self.drafts])
    }

    @Test func containerOwnerSurvivesARestart() throws {
        let (mine, theirs) = (Self.app("mail", Self.letters), Self.app("spy", Self.letters, team: Self.rival))
        let fixture = try DeviceFixture("laptop", apps: [mine])
        _ = containers(fixture, fixture.run(mine))
        let restarted = try DeviceFixture("laptop", apps: [theirs], store: fixture.store)
        #expect(containers(restarted, restarted.run(theirs)) == nil)
        let folder = try #require(folders(restarted).first)
        #expect(folder.apps.isEmpty)
        #expect(
            folder.problem
                == "com.example.spy cannot use it: it belongs to another team; no installed app of its team uses it")
    }

    @Test func anAppUnderDevelopmentHasThoseOfThePersonalTeam() throws {
        let script = Self.app("try", Self.letters, team: nil)
        let fixture = try DeviceFixture("laptop", apps: [script])
        #expect(containers(fixture, fixture.run(script)) != nil)
        #expect(folders(fixture).first?.teamName.text == "your personal team")
        let alone = try DeviceFixture("desktop", apps: [script], account: nil)
        guard case .failure(let failure)? = alone.answer(alone.run(script), .documents(.showContainers)) else {
            Issue.record("an app without a team has containers")
            return
        }
        #expect(failure.reason.contains("this device is not in an account"))
    }

    @Test func anAppWithoutContainersHasNone() throws {
        let fixture = try DeviceFixture("laptop", apps: [DeviceFixture.app("plain")])
        #expect(try #require(containers(fixture, fixture.run(fixture.catalog.installed[0]))).0.isEmpty)
        #expect(folders(fixture).isEmpty)
    }

    @Test func anAppOfATeamThatIsNotTrustedHasNone() throws {
        let app = Self.app("mail", Self.letters)
        let fixture = try DeviceFixture("laptop", apps: [app])
        fixture.teams.distrust(.made("ABCDE12345"))
        #expect(containers(fixture, fixture.run(app)) == nil)
        #expect(folders(fixture).first?.problem == "com.example.mail cannot use it: its team is not trusted")
    }

    @Test func containerIsNotAssignedIfItCannotBeStored() throws {
        let app = Self.app("mail", Self.letters)
        let fixture = try DeviceFixture("laptop", apps: [app])
        fixture.store.writeFailure = Failure(.stateNotWritable, "full")
        #expect(containers(fixture, fixture.run(app)) == nil)
        fixture.store.writeFailure = nil
        #expect(fixture.store.files[ContainersService.file] == nil)
        #expect(containers(fixture, fixture.run(app)) != nil)
        #expect(fixture.store.files[ContainersService.file] != nil)
    }

    @Test func aDamagedFileIsAnErrorThatNamesIt() throws {
        let store = MemoryStateStore()
        store.files[ContainersService.file] = [0xFF, 0xFF, 0xFF]
        let error = #expect(throws: DamagedStateError.self) { try DeviceFixture("laptop", store: store) }
        #expect(error?.file == "containers")
    }

    // MARK: Token

    @Test func theTokenIsTheSameOnAllDevicesAndAnotherForEachTeamAndAccount() throws {
        func made(_ app: InstalledApp, account: AccountID?, number: UInt8 = 1) throws -> [UInt8]? {
            let fixture = try DeviceFixture("device", number: number, apps: [app], account: account)
            return try #require(containers(fixture, fixture.run(app))).token
        }
        let (mine, theirs) = (Self.app("mail"), Self.app("spy", team: Self.rival))
        let other = AccountID(uncheckedBytes: Array(repeating: 8, count: 32))
        let token = try #require(try made(mine, account: DeviceFixture.account))
        #expect(token.count == 32)
        #expect(try token == made(Self.app("post"), account: DeviceFixture.account, number: 2))
        #expect(try token != made(theirs, account: DeviceFixture.account))
        #expect(try token != made(mine, account: other))
        #expect(try token != made(Self.app("try", team: nil), account: DeviceFixture.account))
        #expect(try made(mine, account: nil) == nil)
    }

    // MARK: Mapping

    @Test func aContainersMappingSurvivesARestart() throws {
        let app = Self.app("mail", Self.letters)
        let fixture = try DeviceFixture("laptop", apps: [app])
        fixture.documents.makeFolder(path("/home/user/Letters"))
        let mapped = folders(fixture, .mapFolder(Self.letters, path("/home/user/Letters")))
        #expect(mapped.map(\.path) == [path("/home/user/Letters")])
        #expect(mapped.first?.isMapped == true && mapped.first?.fileSystem == "memory")
        #expect(try #require(containers(fixture, fixture.run(app))).0.map(\.path) == [path("/home/user/Letters")])
        let restarted = try DeviceFixture("laptop", apps: [app], store: fixture.store)
        #expect(folders(restarted).map(\.path) == [path("/home/user/Letters")])
        let unmapped = folders(restarted, .unmapFolder(Self.letters))
        #expect(unmapped.first?.isMapped == false)
        #expect(unmapped.first?.path == path("/home/user/containers/iCloud.com.example.letters"))
        #expect(failure(restarted, .unmapFolder(Self.letters))?.code == .notAllowed)
    }

    @Test func onlyWhatAnAppNamesIsMapped() throws {
        let fixture = try DeviceFixture("laptop", apps: [Self.app("mail", Self.letters)])
        for folder in ["Letters", "state"] { fixture.documents.makeFolder(path("/home/user/\(folder)")) }
        #expect(failure(fixture, .mapFolder(Self.drafts, path("/home/user/Letters")))?.code == .noApp)
        #expect(failure(fixture, .mapFolder(Self.letters, path("/home/user/none")))?.code == .documentGone)
        #expect(failure(fixture, .mapFolder(Self.letters, path("/home/user")))?.code == .notAllowed)
        #expect(failure(fixture, .mapFolder(Self.letters, path("/home/user/state")))?.code == .notAllowed)
        #expect(fixture.store.files[ContainersService.file] == nil)
    }

    @Test func userAssignsAContainerThatSeveralTeamsName() throws {
        let (mine, theirs) = (Self.app("mail", Self.letters), Self.app("spy", Self.letters, team: Self.rival))
        let fixture = try DeviceFixture("laptop", apps: [mine, theirs])
        fixture.documents.makeFolder(path("/home/user/Letters"))
        let message = LocalMessage.Documents.mapFolder(Self.letters, path("/home/user/Letters"))
        #expect(failure(fixture, message)?.reason.contains("apps of several teams name the container") == true)
        _ = containers(fixture, fixture.run(mine))
        #expect(folders(fixture, message).first?.apps == [mine.bundle])
    }

    @Test func onceTheFirstTeamsAppsAreGoneAnotherGetsIt() throws {
        let (mine, theirs) = (Self.app("mail", Self.letters), Self.app("spy", Self.letters, team: Self.rival))
        let fixture = try DeviceFixture("laptop", apps: [mine, theirs])
        _ = containers(fixture, fixture.run(mine))
        #expect(failure(fixture, .unmapFolder(Self.letters))?.code == .notAllowed)
        fixture.catalog.installed = [theirs]
        _ = fixture.answer(fixture.script(), .launching(.reloadApps))
        #expect(folders(fixture, .unmapFolder(Self.letters)).count == 1)
        #expect(containers(fixture, fixture.run(theirs)) != nil)
    }

    // MARK: Examining

    @Test func aCheckSaysOnWhatTheyLie() throws {
        let fixture = try DeviceFixture("laptop", apps: [Self.app("mail", Self.letters, Self.drafts)])
        let share = path("/home/user/Share")
        fixture.documents.makeFolder(share)
        fixture.documents.setStorage(DocumentStorage(name: "nfs4", isShared: true, readOnly: "mounted so"), of: share)
        _ = folders(fixture, .mapFolder(Self.letters, share))
        let checked = folders(fixture, .listFolders(check: true))
        #expect(checked.map(\.container) == [Self.drafts, Self.letters])
        #expect(checked[1].fileSystem == "nfs4" && checked[1].isSharedStorage && checked[1].problem == "mounted so")
        // It is created when it is used, not by a check.
        #expect(checked[0].fileSystem == nil && checked[0].problem == nil)
        #expect(!fixture.documents.facts(of: checked[0].path).isFolder)
        // Nothing is created on storage that other machines share.
        _ = containers(fixture, fixture.run(fixture.catalog.installed[0]))
        #expect(!fixture.documents.facts(of: path("/home/user/Share/Documents")).isFolder)
    }

    @Test func theFolderOfADiskThatIsMissingIsNotMade() throws {
        let app = Self.app("mail", Self.letters)
        let fixture = try DeviceFixture("laptop", apps: [app])
        let disk = path("/media/disk/Letters")
        fixture.documents.makeFolder(disk)
        _ = folders(fixture, .mapFolder(Self.letters, disk))
        fixture.documents.remove(path("/media/disk"))
        #expect(
            folders(fixture, .listFolders(check: true)).first?.problem
                == "the folder /media/disk/Letters does not exist: is its disk mounted?")
        #expect(try #require(containers(fixture, fixture.run(app))).0.map(\.path) == [disk])
        #expect(fixture.documents.facts(of: disk).realPath == nil)
    }

    @Test func aHungFileSystemDelaysAnswersOnlyBriefly() throws {
        let app = Self.app("mail", Self.letters)
        let fixture = try DeviceFixture("laptop", apps: [app])
        let client = fixture.run(app)
        _ = containers(fixture, client)
        fixture.documentWork.takes = .seconds(3600)
        let script = fixture.script()
        let listed = script.request(.documents(.listFolders(check: true)))
        let shown = client.request(.documents(.showContainers))
        fixture.time.advance(by: .seconds(4))
        #expect(script.answers(to: listed).isEmpty)
        fixture.time.advance(by: .seconds(2))
        guard case .documents(.folderList(let folders))? = script.answers(to: listed).first else {
            Issue.record("nothing is answered")
            return
        }
        #expect(folders.map(\.problem) == ["its file system does not respond"])
        guard case .documents(.containers(let containers, _))? = client.answers(to: shown).first else {
            Issue.record("the app hears nothing of its containers")
            return
        }
        #expect(containers.count == 1)
    }

    // MARK: Requests of other features

    @Test func aPathIsFoundInTheContainerThatTheAppReaches() throws {
        let (mine, theirs) = (Self.app("mail", Self.letters), Self.app("spy", Self.letters, team: Self.rival))
        let fixture = try DeviceFixture("laptop", apps: [mine, theirs])
        let folder = path("/home/user/containers/iCloud.com.example.letters")
        let located = fixture.features.containers.container(of: path("\(folder)/Documents/a.txt"), for: mine.bundle)
        #expect(
            located
                == LocatedDocument(container: Self.letters, folder: folder, path: try DocumentPath("Documents/a.txt")))
        #expect(fixture.features.containers.container(of: path("\(folder)/Documents/a.txt"), for: theirs.bundle) == nil)
        #expect(fixture.features.containers.container(of: path("\(folder)2/a.txt"), for: mine.bundle) == nil)
        #expect(fixture.features.containers.container(of: folder, for: mine.bundle) == nil)
        guard case .failure(let failure) = fixture.features.containers.folder(of: Self.drafts, for: mine.bundle) else {
            Issue.record("an app reaches what its entitlements do not name")
            return
        }
        #expect(failure.reason == "the entitlements of mail do not name the container iCloud.com.example.drafts")
    }
}
