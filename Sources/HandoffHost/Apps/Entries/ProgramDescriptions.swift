// SPDX-License-Identifier: Apache-2.0

internal import Glibc
package import HandoffCore
internal import HandoffSystem

/// Only root may be able to change a description file, as with the entries of system programs.
package struct ProgramDescriptions: Sendable {
    /// By entry.
    package private(set) var descriptions: [String: ProgramDescription] = [:]
    package private(set) var problems: [String] = []

    /// On any thread.
    package static func read(environment: [String: String]) -> ProgramDescriptions {
        var found = ProgramDescriptions()
        var seen: Set<String> = []
        for folder in UserDataFolders(environment).system {
            found.read(folder + "/" + ProgramDescription.folder, &seen)
        }
        return found
    }

    /// An unusable file also hides others with its name.
    private mutating func read(_ folder: String, _ seen: inout Set<String>) {
        let most = ProgramDescription.files
        guard let open = try? OpenFile.open(folder, O_RDONLY | O_DIRECTORY),
            let names = try? open.entries(atMost: most + 1)
        else { return }
        for name in names where name.hasSuffix(ProgramDescription.suffix) && !name.hasPrefix(".") {
            let entry = String(name.dropLast(ProgramDescription.suffix.count))
            guard seen.insert(entry).inserted else { continue }
            guard seen.count <= most else {
                problems.append("\(folder) has more than \(most) descriptions of programs; the rest is ignored")
                return
            }
            let path = folder + "/" + name
            do throws(ProgramDescription.Problem) {
                descriptions[entry] = try ProgramDescription(try Self.content(of: path), entry: entry)
            } catch {
                problems.append("\(path) \(error.reason)")
            }
        }
    }

    private static func content(of path: String) throws(ProgramDescription.Problem) -> [UInt8] {
        guard path.isChangedByRootAlone else {
            throw ProgramDescription.Problem("is ignored, because another user than root can change it")
        }
        do throws(SystemError) {
            let file = try OpenFile.openFollowingLinks(path)
            guard try file.status().kind == S_IFREG else {
                throw SystemError(EINVAL, path)
            }
            return try file.readAll(limit: ProgramDescription.fileBytes)
        } catch let error where error.code == EFBIG {
            throw ProgramDescription.Problem("has more than \(ProgramDescription.fileBytes) bytes")
        } catch {
            throw ProgramDescription.Problem("cannot be read: \(error.reason)")
        }
    }
}
