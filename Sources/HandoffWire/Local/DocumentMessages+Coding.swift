// SPDX-License-Identifier: Apache-2.0

internal import SwiftProtobuf

extension LocalMessage.Documents {
    var wire: PBLocalFrame.OneOf_Body {
        switch self {
        case .listFolders(let check): .listFolders(.with { $0.check = check })
        case .mapFolder(let container, let path):
            .mapFolder(
                .with {
                    $0.container = container.name
                    $0.path = path.bytes.data
                })
        case .unmapFolder(let container): .unmapFolder(.with { $0.container = container.name })
        case .folderList(let folders): .folderList(.with { $0.folders = folders.map(PBContainerFolder.init) })
        case .showContainers: .showContainers(PBShowContainers())
        case .containers(let containers, let token):
            .containers(
                .with {
                    $0.containers = containers.map(PBAppContainer.init)
                    $0.accountToken = (token ?? []).data
                })
        case .listVersions(let path): .listVersions(.with { $0.path = (path?.bytes ?? []).data })
        case .restoreVersion(let version): .restoreVersion(.with { $0.version = version.bytes.data })
        case .versionList(let versions): .versionList(.with { $0.versions = versions.map(PBKeptVersion.init) })
        case .documentComing(let path, let deviceName):
            .documentComing(
                .with {
                    $0.path = path.bytes.data
                    $0.deviceName = deviceName.text
                })
        case .documentPlaced(let placed):
            .documentPlaced(
                .with {
                    $0.path = placed.path.bytes.data
                    $0.oldPath = (placed.oldPath?.bytes ?? []).data
                    $0.copy = (placed.copy?.bytes ?? []).data
                })
        case .downloadDocument(let path): .downloadDocument(.with { $0.path = path.bytes.data })
        case .documentProgress(let progress): .documentProgress(PBDocumentProgress(progress))
        case .cancelContinuation(let continuation):
            .cancelContinuation(.with { $0.continuation = continuation.bytes.data })
        }
    }

    init?(_ body: PBLocalFrame.OneOf_Body) throws(WireError) {
        switch body {
        case .listFolders(let list): self = .listFolders(check: list.check)
        case .mapFolder(let map):
            self = .mapFolder(try ContainerID(map.container), try AbsolutePath(bytes: map.path))
        case .unmapFolder(let unmap): self = .unmapFolder(try ContainerID(unmap.container))
        case .folderList(let list):
            var folders: [ContainerFolder] = []
            for folder in list.folders { folders.append(try ContainerFolder(folder)) }
            self = .folderList(folders)
        case .showContainers: self = .showContainers
        case .containers(let message):
            var containers: [AppContainer] = []
            for container in message.containers { containers.append(try AppContainer(container)) }
            self = .containers(
                containers, accountToken: message.accountToken.isEmpty ? nil : Array(message.accountToken))
        case .listVersions(let list): self = .listVersions(try AbsolutePath?(wire: list.path))
        case .restoreVersion(let restore): self = .restoreVersion(try VersionID(bytes: restore.version))
        case .versionList(let list):
            var versions: [KeptVersion] = []
            for version in list.versions { versions.append(try KeptVersion(version)) }
            self = .versionList(versions)
        case .documentComing(let coming):
            self = .documentComing(try AbsolutePath(bytes: coming.path), deviceName: .name(coming.deviceName))
        case .documentPlaced(let placed):
            self = .documentPlaced(
                PlacedDocument(
                    path: try AbsolutePath(bytes: placed.path), oldPath: try AbsolutePath?(wire: placed.oldPath),
                    copy: try AbsolutePath?(wire: placed.copy)))
        case .downloadDocument(let download):
            self = .downloadDocument(try AbsolutePath(bytes: download.path))
        case .documentProgress(let progress): self = .documentProgress(try DocumentProgress(progress))
        case .cancelContinuation(let cancel):
            self = .cancelContinuation(try ContinuationID(bytes: cancel.continuation))
        default: return nil
        }
    }
}

extension PBContainerFolder {
    init(_ folder: ContainerFolder) {
        self.init()
        container = folder.container.name
        path = folder.path.bytes.data
        mapped = folder.isMapped
        name = folder.name?.text ?? ""
        teamName = folder.teamName.text
        apps = folder.apps.map(\.name)
        problem = folder.problem ?? ""
        fileSystem = folder.fileSystem ?? ""
        sharedStorage = folder.isSharedStorage
    }
}

extension ContainerFolder {
    init(_ message: PBContainerFolder) throws(WireError) {
        var apps: [BundleID] = []
        for app in message.apps { apps.append(try BundleID(app)) }
        self.init(
            container: try ContainerID(message.container), path: try AbsolutePath(bytes: message.path),
            isMapped: message.mapped, name: message.name.isEmpty ? nil : .name(message.name),
            teamName: .name(message.teamName), apps: apps, problem: message.problem.isEmpty ? nil : message.problem,
            fileSystem: message.fileSystem.isEmpty ? nil : message.fileSystem, isSharedStorage: message.sharedStorage)
    }
}

extension PBAppContainer {
    init(_ container: AppContainer) {
        self.init()
        self.container = container.container.name
        path = container.path.bytes.data
        name = container.name?.text ?? ""
    }
}

extension AppContainer {
    init(_ message: PBAppContainer) throws(WireError) {
        self.init(
            container: try ContainerID(message.container), path: try AbsolutePath(bytes: message.path),
            name: message.name.isEmpty ? nil : .name(message.name))
    }
}

extension PBKeptVersion {
    init(_ version: KeptVersion) {
        self.init()
        self.version = version.id.bytes.data
        path = version.path.bytes.data
        file = version.file.bytes.data
        size = version.size
        modifiedNs = version.modified.nanoseconds
        keptMs = version.kept.milliseconds
        deviceName = version.deviceName.text
        package = version.isPackage
    }
}

extension KeptVersion {
    init(_ message: PBKeptVersion) throws(WireError) {
        self.init(
            id: try VersionID(bytes: message.version), path: try AbsolutePath(bytes: message.path),
            file: try AbsolutePath(bytes: message.file), size: message.size,
            modified: FileTime(nanoseconds: message.modifiedNs), kept: WallTime(milliseconds: message.keptMs),
            deviceName: .name(message.deviceName), isPackage: message.package)
    }
}

extension PBDocumentProgress {
    init(_ progress: DocumentProgress) {
        self.init()
        continuation = progress.continuation.bytes.data
        name = progress.name.text
        bytes = progress.bytes
        total = progress.total ?? 0
        bytesPerSecond = progress.bytesPerSecond ?? 0
        secondsSilent = progress.secondsSilent
        step = PBDocumentStep(rawValue: progress.step.rawValue) ?? .unspecified
    }
}

extension DocumentProgress {
    init(_ message: PBDocumentProgress) throws(WireError) {
        guard let step = DocumentStep(rawValue: message.step.rawValue) else {
            throw WireError(.unknownKind, "a document at a step that this version does not know")
        }
        self.init(
            continuation: try ContinuationID(bytes: message.continuation), name: .name(message.name),
            bytes: message.bytes, total: message.total == 0 ? nil : message.total,
            bytesPerSecond: message.bytesPerSecond == 0 ? nil : message.bytesPerSecond,
            secondsSilent: message.secondsSilent, step: step)
    }
}

extension PBSavedFile {
    init(_ file: SavedFile) {
        self.init()
        url = file.url.text
        path = file.path.bytes.data
        token = (file.token?.bytes ?? []).data
    }
}

extension [SavedFile] {
    init(_ messages: [PBSavedFile]) throws(WireError) {
        guard messages.count <= Limits.documents else {
            throw WireError(.limitReached, "more than \(Limits.documents) files with one activity")
        }
        self.init()
        for message in messages {
            append(
                SavedFile(
                    url: ExactText(message.url), path: try AbsolutePath(bytes: message.path),
                    token: message.token.isEmpty ? nil : try FileToken(bytes: message.token)))
        }
    }
}
