// SPDX-License-Identifier: Apache-2.0

internal import HandoffCore
package import HandoffSystem
package import HandoffWire

extension HeldFiles<FileToken> {
    /// A new descriptor of the file that an app sent with that token. Throws `.documentGone` if the file is no longer
    /// held.
    package func documentOpen(by token: FileToken) throws(Failure) -> OpenFile {
        guard let file = borrow(token) else {
            throw Failure(.documentGone, "the app no longer has the document open for this device")
        }
        return file
    }
}
