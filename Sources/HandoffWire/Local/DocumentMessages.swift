// SPDX-License-Identifier: Apache-2.0

extension LocalMessage {
    package enum Documents: Hashable, Sendable {
        /// `check`: examine each folder now.
        case listFolders(check: Bool)
        case mapFolder(ContainerID, AbsolutePath)
        case unmapFolder(ContainerID)
        case folderList([ContainerFolder])
        /// Only the requesting app's.
        case showContainers
        case containers([AppContainer], accountToken: [UInt8]?)
        /// Nil: all documents.
        case listVersions(AbsolutePath?)
        case restoreVersion(VersionID)
        case versionList([KeptVersion])
        /// To the app: another version will replace the document. Answered with done once it is saved and closed.
        case documentComing(AbsolutePath, deviceName: DisplayText)
        /// To the app.
        case documentPlaced(PlacedDocument)
        /// For a document delivered without content. Answered with progress, then done or failure.
        case downloadDocument(AbsolutePath)
        case documentProgress(DocumentProgress)
        /// From the receiving app, or the starting client.
        case cancelContinuation(ContinuationID)
    }
}

package struct ContainerFolder: Hashable, Sendable {
    package var container: ContainerID
    package var path: AbsolutePath
    /// False: the default folder.
    package var isMapped: Bool
    /// `NSUbiquitousContainerName`.
    package var name: DisplayText?
    package var teamName: DisplayText
    package var apps: [BundleID]
    package var problem: String?
    /// "ext4". Nil: not examined.
    package var fileSystem: String?
    /// Another machine uses it too, so the daemon never writes there.
    package var isSharedStorage: Bool

    package init(
        container: ContainerID, path: AbsolutePath, isMapped: Bool = false, name: DisplayText? = nil,
        teamName: DisplayText, apps: [BundleID] = [], problem: String? = nil, fileSystem: String? = nil,
        isSharedStorage: Bool = false
    ) {
        self.container = container
        self.path = path
        self.isMapped = isMapped
        self.name = name
        self.teamName = teamName
        self.apps = apps
        self.problem = problem
        self.fileSystem = fileSystem
        self.isSharedStorage = isSharedStorage
    }
}

package struct AppContainer: Hashable, Sendable {
    package var container: ContainerID
    package var path: AbsolutePath
    package var name: DisplayText?

    package init(container: ContainerID, path: AbsolutePath, name: DisplayText? = nil) {
        self.container = container
        self.path = path
        self.name = name
    }
}

package struct KeptVersion: Hashable, Sendable {
    package var id: VersionID
    package var path: AbsolutePath
    package var file: AbsolutePath
    package var size: UInt64
    package var modified: FileTime
    package var kept: WallTime
    /// The version of this device replaced it.
    package var deviceName: DisplayText
    package var isPackage: Bool

    package init(
        id: VersionID, path: AbsolutePath, file: AbsolutePath, size: UInt64, modified: FileTime, kept: WallTime,
        deviceName: DisplayText, isPackage: Bool = false
    ) {
        self.id = id
        self.path = path
        self.file = file
        self.size = size
        self.modified = modified
        self.kept = kept
        self.deviceName = deviceName
        self.isPackage = isPackage
    }
}

package struct PlacedDocument: Hashable, Sendable {
    package var path: AbsolutePath
    /// Nil: not moved.
    package var oldPath: AbsolutePath?
    /// In a conflict, the local version.
    package var copy: AbsolutePath?

    package init(path: AbsolutePath, oldPath: AbsolutePath? = nil, copy: AbsolutePath? = nil) {
        self.path = path
        self.oldPath = oldPath
        self.copy = copy
    }
}

package struct DocumentProgress: Hashable, Sendable {
    package var continuation: ContinuationID
    package var name: DisplayText
    /// Received.
    package var bytes: UInt64
    /// Nil: unknown.
    package var total: UInt64?
    /// Nil: unknown.
    package var bytesPerSecond: UInt64?
    /// Whole seconds since the last byte.
    package var secondsSilent: UInt32
    package var step: DocumentStep

    package init(
        continuation: ContinuationID, name: DisplayText, bytes: UInt64 = 0, total: UInt64? = nil,
        bytesPerSecond: UInt64? = nil, secondsSilent: UInt32 = 0, step: DocumentStep
    ) {
        self.continuation = continuation
        self.name = name
        self.bytes = bytes
        self.total = total
        self.bytesPerSecond = bytesPerSecond
        self.secondsSilent = secondsSilent
        self.step = step
    }
}

package enum DocumentStep: Int, Sendable, Hashable, CaseIterable {
    case looking = 1
    case askingApp = 2
    case receiving = 3
    case placing = 4
}

package struct SavedFile: Hashable, Sendable {
    /// As in userInfo.
    package var url: ExactText
    /// As the kernel reports it.
    package var path: AbsolutePath
    package var token: FileToken?

    package init(url: ExactText, path: AbsolutePath, token: FileToken? = nil) {
        self.url = url
        self.path = path
        self.token = token
    }
}
