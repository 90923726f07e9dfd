// SPDX-License-Identifier: Apache-2.0

internal import HandoffCore
package import HandoffSystem
package import HandoffWire

extension HeldFiles<FileToken> {
    /// What an app gave by that token, as a descriptor of its own. Throws `.documentGone` where it is not held any more.
    package func documentOpen(by token: FileToken) throws(Failure) -> OpenFile {
        guard let file = borrow(token) else {
            throw Failure(.documentGone, "the app does not have the document open for this device any more")
        }
        return file
    }
}
