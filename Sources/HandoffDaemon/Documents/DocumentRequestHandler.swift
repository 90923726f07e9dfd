// SPDX-License-Identifier: Apache-2.0

internal import HandoffCore
internal import HandoffWire

final class DocumentRequestHandler: LocalMessageHandler {
    /// For a folder's file system to answer.
    static let patience = Duration.seconds(5)

    private let containers: ContainersService
    private let apps: AppsService
    private let presenters: DocumentPresenters
    private let transfers: ContinuationService
    private let membership: any Membership
    private let disk: DocumentDisk
    private let time: any TimeSource
    private let ownName: DisplayText
    private let save: Duration
    private lazy var versions = disk.work.makeLane()

    init(
        containers: ContainersService, apps: AppsService, presenters: DocumentPresenters,
        transfers: ContinuationService, membership: any Membership, disk: DocumentDisk, time: any TimeSource,
        ownName: DisplayText, limits: DocumentLimits = DocumentLimits()
    ) {
        self.containers = containers
        self.apps = apps
        self.presenters = presenters
        self.transfers = transfers
        self.membership = membership
        self.disk = disk
        self.time = time
        self.ownName = ownName
        save = limits.save
    }

    func clientOpened(_ client: any Client) { presenters.clientOpened(client) }
    func clientClosed(_ client: any Client) { presenters.clientClosed(client) }

    func handle(_ message: LocalMessage.Documents, from client: any Client, reply: @escaping ClientReply) {
        switch message {
        case .listFolders(let check):
            let folders = containers.containers.map(containers.summary)
            if check { look(at: folders, reply) } else { reply(.documents(.folderList(folders))) }
        case .mapFolder(let container, let path): map(container, to: path, reply)
        case .unmapFolder(let container):
            do throws(Failure) {
                try containers.unmap(container)
                reply(.documents(.folderList([containers.summary(of: container)])))
            } catch {
                reply(.failure(error))
            }
        case .showContainers: showContainers(to: client, reply)
        case .listVersions(let path): listVersions(of: path, to: client, reply)
        case .restoreVersion(let version): restore(version, for: client, reply)
        case .downloadDocument(let path):
            transfers.download(path, for: client, reply: reply)
        case .cancelContinuation(let continuation):
            transfers.cancel(continuation, for: client, reply: reply)
        case .folderList, .containers, .versionList, .documentComing, .documentPlaced, .documentProgress:
            reply(.failure(.notForTheDaemon))
        }
    }
}

// MARK: - Folders

extension DocumentRequestHandler {
    private func look(at folders: [ContainerFolder], _ reply: @escaping ClientReply) {
        let jobs = folders.map { folder in
            { @Sendable [files = disk.files] in FolderLook(at: folder, by: files) }
        }
        FolderRound.begin(jobs, on: disk.work, patience: Self.patience, time: time) { looks in
            reply(.documents(.folderList(zip(folders, looks).map { $0.with($1) })))
        }
    }

    private func map(_ container: ContainerID, to path: AbsolutePath, _ reply: @escaping ClientReply) {
        let job = { @Sendable [files = disk.files] in files.facts(of: path) }
        FolderRound.begin([job], on: disk.work, patience: Self.patience, time: time) { [weak self] outcomes in
            guard let self else { return }
            do throws(Failure) {
                try containers.map(container, to: path, facts: outcomes[0].get())
                look(at: [containers.summary(of: container)], reply)
            } catch {
                reply(.failure(error))
            }
        }
    }

    /// Creates missing folders, except on a missing disk.
    private func showContainers(to client: any Client, _ reply: @escaping ClientReply) {
        guard let app = client.bundle.flatMap(apps.app) else { return reply(.failure(.noContainers)) }
        let reached: [AppContainer]
        do throws(Failure) { reached = try containers.containers(of: app) } catch { return reply(.failure(error)) }
        let jobs = reached.map { container in
            let isMapped = containers.isMapped(container.container)
            return { @Sendable [files = disk.files] in Self.prepare(container.path, isMapped: isMapped, by: files) }
        }
        let token = membership.account.flatMap { account in
            apps.team(of: app).map { AccountToken.bytes(of: account, for: $0) }
        }
        FolderRound.begin(jobs, on: disk.work, patience: Self.patience, time: time) { _ in
            // An app notices itself if the container is not writable.
            reply(.documents(.containers(reached, accountToken: token)))
        }
    }

    private static func prepare(_ folder: AbsolutePath, isMapped: Bool, by files: any DocumentFiles) {
        guard let storage = try? files.storage(of: folder, creating: !isMapped), !storage.isShared,
            storage.readOnly == nil,
            let documents = try? DocumentPath("Documents"), let path = try? folder.appending(documents)
        else { return }
        _ = try? files.storage(of: path, creating: true)
    }
}

// MARK: - Kept versions

extension DocumentRequestHandler {
    private func mayReach(_ path: AbsolutePath, _ client: any Client) -> Bool {
        client.audience == .control
            || client.bundle.map { containers.container(of: path, for: $0) != nil } ?? false
    }

    private func listVersions(of path: AbsolutePath?, to client: any Client, _ reply: @escaping ClientReply) {
        versions.attempt(
            { [files = disk.files] () throws(Failure) in try files.versions() }, failed: { reply(.failure($0)) },
            then: { [weak self] all in
                let wanted = all.filter { version in
                    guard self?.mayReach(version.path, client) ?? false else { return false }
                    return path.map { version.path == $0 || version.path.path(in: $0) != nil } ?? true
                }
                reply(.documents(.versionList(wanted.fitting { .documents(.versionList($0)) })))
            })
    }

    private func restore(_ id: VersionID, for client: any Client, _ reply: @escaping ClientReply) {
        versions.attempt(
            { [files = disk.files] () throws(Failure) in try files.versions().first { $0.id == id } },
            failed: { reply(.failure($0)) },
            then: { [weak self] version in
                guard let self, let version, mayReach(version.path, client) else {
                    return reply(.failure(Failure(.documentGone, "that version no longer exists")))
                }
                presenters.letGo(version.path, for: ownName, deadline: save) { [weak self] isSaved in
                    guard isSaved else {
                        return reply(
                            .failure(
                                Failure(
                                    .documentNotPlaced,
                                    "an app has \(version.path) open with unsaved changes; save them there, then try again"
                                )))
                    }
                    self?.putBack(version, reply)
                }
            })
    }

    private func putBack(_ version: KeptVersion, _ reply: @escaping ClientReply) {
        versions.attempt(
            { [files = disk.files, now = time.wallTime] () throws(Failure) in try files.restore(version.id, at: now) },
            failed: { reply(.failure($0)) },
            then: { [weak self] displaced in
                self?.presenters.placed(PlacedDocument(path: version.path))
                var restored = version
                restored.file = version.path
                reply(.documents(.versionList([restored] + (displaced.map { [$0] } ?? []))))
            })
    }
}

extension Failure {
    fileprivate static var noContainers: Failure {
        Failure(.notAllowed, "only an installed app has containers")
    }
}
