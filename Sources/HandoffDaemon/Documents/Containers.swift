// SPDX-License-Identifier: Apache-2.0

internal import HandoffCore
package import HandoffWire

/// The containers of apps. Implemented by `ContainersService`.
package protocol Containers: AnyObject {
    /// Fails if the app may not reach that container, or its folder is unusable.
    func folder(of container: ContainerID, for app: BundleID) -> Result<AbsolutePath, Failure>
    /// The app's container that holds that path, compared by its bytes.
    func container(of path: AbsolutePath, for app: BundleID) -> LocatedDocument?
    func packageExtensions(of app: BundleID) -> Set<String>
    /// The app accepts missing documents, and requests them itself.
    func downloadsItself(_ app: BundleID) -> Bool
}

package struct LocatedDocument: Hashable, Sendable {
    package let container: ContainerID
    package let folder: AbsolutePath
    package let path: DocumentPath

    package init(container: ContainerID, folder: AbsolutePath, path: DocumentPath) {
        self.container = container
        self.folder = folder
        self.path = path
    }
}
