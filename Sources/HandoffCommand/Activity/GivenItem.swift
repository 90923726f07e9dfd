// SPDX-License-Identifier: Apache-2.0

internal import Glibc
internal import HandoffSystem
internal import HandoffWire

enum GivenItem {
    /// Nil if the argument is not an address.
    static func page(_ argument: String) throws(CommandFailure) -> PhoneItem? {
        guard argument.contains(":") else { return nil }
        guard let page = PageAddress(argument) else {
            throw .usage("only addresses of web pages without a user name or password can be sent: http or https")
        }
        return .page(page)
    }

    /// Opens the file, so that no program is asked to share a file that this user cannot read.
    static func file(_ path: String) throws(CommandFailure) -> PhoneItem {
        // Without blocking, because opening a pipe without a writer never returns.
        let descriptor = Glibc.open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK)
        guard descriptor >= 0 else { throw OpenSource.failure(errno, path) }
        let source = OpenSource(descriptor: descriptor, isOwned: true, name: path)
        guard let status = source.status, status.isFile else { throw .usage("\(path) is not a regular file") }
        guard let whole = path.followingLinks else { throw OpenSource.failure(errno, path) }
        do throws(WireError) {
            return .file(try AbsolutePath(whole))
        } catch {
            throw .usage(error.reason)
        }
    }
}
