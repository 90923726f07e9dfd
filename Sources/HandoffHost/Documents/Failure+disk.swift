// SPDX-License-Identifier: Apache-2.0

internal import Glibc
internal import HandoffSystem
internal import HandoffWire

extension Failure {
    init(reading error: SystemError) {
        switch error.code {
        case ENOENT: self.init(.documentGone, "\(error.subject) does not exist")
        case EXDEV: self.init(.notAllowed, "\(error.subject) leads out of its folder")
        case ELOOP: self.init(.notAllowed, "\(error.subject) is reached through a link, which is not followed")
        default: self.init(.documentGone, error.explanation ?? "\(error.subject) cannot be read: \(error.reason)")
        }
    }

    init(placing error: SystemError) {
        switch error.code {
        case ENOSPC, EDQUOT:
            self.init(.documentNotPlaced, "the disk has no room for \(error.subject): \(error.reason)")
        case EFBIG: self.init(.documentNotPlaced, "\(error.subject) would become too large: \(error.reason)")
        case ENOENT: self.init(.documentNotPlaced, "\(error.subject) does not exist")
        case EXDEV: self.init(.notAllowed, "\(error.subject) leads out of its folder")
        case ELOOP: self.init(.notAllowed, "\(error.subject) is reached through a link, which is not followed")
        default:
            self.init(.documentNotPlaced, error.explanation ?? "\(error.subject) cannot be written: \(error.reason)")
        }
    }
}

func reading<Result: ~Copyable>(_ body: () throws(SystemError) -> Result) throws(Failure) -> Result {
    do throws(SystemError) { return try body() } catch { throw Failure(reading: error) }
}

func placing<Result: ~Copyable>(_ body: () throws(SystemError) -> Result) throws(Failure) -> Result {
    do throws(SystemError) { return try body() } catch { throw Failure(placing: error) }
}
