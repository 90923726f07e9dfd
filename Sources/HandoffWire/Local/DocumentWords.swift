// SPDX-License-Identifier: Apache-2.0

extension LocalMessage {
    /// Folders that apps share with themselves on other devices, and the documents in them.
    package enum Documents: Hashable, Sendable {
        /// `check`: look at each now.
        case listFolders(check: Bool)
        case mapFolder(ContainerID, AbsolutePath)
        case unmapFolder(ContainerID)
        case folderList([ContainerFolder])
        /// Of the app that asks.
        case showContainers
        case containers([AppContainer], accountToken: [UInt8]?)
        /// Of what was replaced here; nil: all.
        case listVersions(AbsolutePath?)
        case restoreVersion(VersionID)
        case versionList([KeptVersion])
        /// Daemon to app: another version is about to take its place. Answered with done once it is saved and let go.
        case documentComing(AbsolutePath, deviceName: DisplayText)
        /// Daemon to app.
        case documentPlaced(PlacedDocument)
        /// What was delivered before it was here. Answered with progress, then done or failure.
        case downloadDocument(AbsolutePath)
        /// Daemon to whoever waits for a document.
        case documentProgress(DocumentProgress)
        /// By whom it comes to, or who started it.
        case cancelContinuation(ContinuationID)
    }
}

/// Where the documents of a container lie on this device.
package struct ContainerFolder: Hashable, Sendable {
    package var container: ContainerID
    package var path: AbsolutePath
    /// By the user; else it is the folder that every container gets.
    package var isMapped: Bool
    /// `NSUbiquitousContainerName`.
    package var name: DisplayText?
    /// Whose apps use it.
    package var teamName: DisplayText
    package var apps: [BundleID]
    /// Why no document comes there.
    package var problem: String?
    /// "ext4". Nil: not looked at.
    package var fileSystem: String?
    /// Another machine has it too: nothing is ever written there.
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

/// As an app hears of its container.
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

/// What was replaced here, and is kept for a while.
package struct KeptVersion: Hashable, Sendable {
    package var id: VersionID
    /// Where it lay.
    package var path: AbsolutePath
    /// Where it is kept.
    package var file: AbsolutePath
    /// Bytes.
    package var size: UInt64
    package var modified: FileTime
    /// When it was replaced.
    package var kept: WallTime
    /// Whose version took its place.
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

/// There is other content now, or it lies elsewhere.
package struct PlacedDocument: Hashable, Sendable {
    package var path: AbsolutePath
    /// Nil: there.
    package var oldPath: AbsolutePath?
    /// In a conflict: what was there, as a copy beside it.
    package var copy: AbsolutePath?

    package init(path: AbsolutePath, oldPath: AbsolutePath? = nil, copy: AbsolutePath? = nil) {
        self.path = path
        self.oldPath = oldPath
        self.copy = copy
    }
}

package struct DocumentProgress: Hashable, Sendable {
    package var continuation: ContinuationID
    /// Of the file.
    package var name: DisplayText
    /// That have come.
    package var bytes: UInt64
    /// That have to come; nil: not known.
    package var total: UInt64?
    /// Lately; nil: not known.
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

/// What a document on its way waits for.
package enum DocumentStep: Int, Sendable, Hashable, CaseIterable {
    /// At what is here.
    case looking = 1
    /// To save what it has open.
    case askingApp = 2
    case receiving = 3
    /// Checked, synced and put in place.
    case placing = 4
}

/// A file that a state names, as the app has it open.
package struct SavedFile: Hashable, Sendable {
    /// As in userInfo.
    package var url: ExactText
    /// Where it lies, by the system's word.
    package var path: AbsolutePath
    /// With which its descriptor was sent; nil: none was.
    package var token: FileToken?

    package init(url: ExactText, path: AbsolutePath, token: FileToken? = nil) {
        self.url = url
        self.path = path
        self.token = token
    }
}
