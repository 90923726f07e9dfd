// SPDX-License-Identifier: Apache-2.0

internal import Glibc
internal import HandoffCore
internal import HandoffSystem
internal import HandoffTrust
internal import HandoffWire

/// Read on any thread.
struct BundleFolder: Sendable {
    static let entries = 1024

    struct Content: Sendable {
        var apps: [InstalledApp] = []
        var problems: [String] = []
    }

    let directory: String
    private let store: InstallRecordStore

    init(directory: String, installs: String) {
        self.directory = directory
        store = InstallRecordStore(directory: installs)
    }

    func read() -> Content {
        var content = Content()
        let records = readRecords(&content)
        for name in bundleNames(&content) {
            do throws(BundleProblem) {
                let app = try Self.app(directory + "/" + name, records)
                if let other = content.apps.first(where: { $0.bundle == app.bundle }) {
                    throw BundleProblem("\(app.path) has the same CFBundleIdentifier as \(other.path), which is used")
                }
                content.apps.append(app)
                if !app.documents.problems.isEmpty {
                    let problems = app.documents.problems.joined(separator: "; ")
                    content.add(problem: "the entitlements of \(app.path) name invalid containers: \(problems)")
                }
            } catch {
                content.add(problem: error.reason)
            }
        }
        return content
    }

    private static func app(_ path: String, _ records: InstallRecords) throws(BundleProblem) -> InstalledApp {
        let declared = try BundleReader(path: path).read()
        guard let manifest = Self.manifest(of: declared),
            let record = records.record(of: declared.bundle, manifest: FileDigest(of: manifest)),
            let entitlements = try? BundleManifest.entitlements(ofRead: manifest)
        else {
            throw BundleProblem("\(path) was not installed by handoff app install, so it is not verified")
        }
        guard declared.info == record.info else {
            throw BundleProblem("\(path)/Contents/Info.plist has changed since it was installed; install the app again")
        }
        return declared.installed(by: record, entitlements: entitlements)
    }

    private static func manifest(of app: DeclaredApp) -> [UInt8]? {
        do throws(SystemError) {
            let path = app.path + "/" + BundlePath.manifest.text
            let file = try OpenFile.open(path, O_RDONLY | O_NONBLOCK)
            guard try file.status().kind == S_IFREG else { return nil }
            return try file.readAll(limit: BundleLimits.manifestBytes)
        } catch {
            return nil
        }
    }

    private func readRecords(_ content: inout Content) -> InstallRecords {
        do throws(Failure) {
            return try store.read()
        } catch {
            content.add(problem: error.reason)
            return InstallRecords()
        }
    }

    private func bundleNames(_ content: inout Content) -> [String] {
        do throws(SystemError) {
            // The folder itself may be a link.
            let folder = try OpenFile.open(directory + "/.", O_RDONLY | O_DIRECTORY)
            let names = try folder.entries(atMost: Self.entries + 1)
            if names.count > Self.entries {
                content.add(
                    problem:
                        "the apps folder \(directory) holds more than \(Self.entries) entries; the rest is ignored")
            }
            return names.filter { $0.hasSuffix(".app") && !$0.hasPrefix(".") }
        } catch let error where error.code == ENOENT {
            return []
        } catch {
            content.add(problem: "cannot read the apps folder \(directory): \(error.reason)")
            return []
        }
    }
}

extension BundleFolder.Content {
    private static let noAnswer =
        "a disk with an app or a desktop entry does not respond, so the last known list of apps is used"

    var unanswered: BundleFolder.Content {
        var content = self
        if !content.problems.contains(Self.noAnswer) { content.add(problem: Self.noAnswer) }
        return content
    }

    /// The reason may contain file names, which are untrusted text.
    mutating func add(problem reason: String) {
        problems.append(DisplayText(cleaning: reason, limit: Limits.reasonCharacters).text)
    }

    mutating func add(problems reasons: [String]) { reasons.forEach { add(problem: $0) } }
}
