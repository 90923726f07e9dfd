// SPDX-License-Identifier: Apache-2.0

internal import HandoffCore
package import HandoffWire

/// Which folders apps share with themselves on the user's other devices. `ContainersDesk` answers.
package protocol Containers: AnyObject {
    /// Throws where the app may not reach that container, or nothing may be put there.
    func folder(of container: ContainerID, for app: BundleID) -> Result<AbsolutePath, Failure>
    /// The container of the app in which that path lies, by its bytes alone.
    func container(of path: AbsolutePath, for app: BundleID) -> LocatedDocument?
    /// Extensions, in lower case, of folders that are documents of that app.
    func packageExtensions(of app: BundleID) -> Set<String>
    /// The app takes what is not here as it is, and asks for it when it wants it.
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
