// SPDX-License-Identifier: Apache-2.0

internal import Glibc
internal import HandoffCore
internal import HandoffWire

/// Reads what an app bundle says of itself, `Name.app/Contents/{Info.plist, Linux/<executable>}`.
struct BundleReader {
    /// `NSUserActivityTypes` of one app, count; those of its document types likewise.
    static let activityTypes = 256
    /// Titles that one type is narrowed to, count.
    static let activityTitles = 256

    let path: String

    func read() throws(BundleProblem) -> DeclaredApp {
        guard let bundle = Self.resolve(path) else {
            throw BundleProblem("cannot read \(path): \(SystemError(errno, path).sentence)")
        }
        let infoPath = bundle + "/Contents/Info.plist"
        guard let (info, digest) = try PropertyListFile(path: infoPath).decodeWithDigest(InfoPropertyList.self) else {
            throw BundleProblem("there is no \(infoPath)")
        }
        let types = try activityTypes(info.activityTypes ?? [], key: .activityTypes, in: infoPath)
        // Several kinds of document may have one type, and need not repeat it above.
        let documentTypes = try activityTypes(
            (info.documentTypes ?? []).compactMap(\.activityType), key: .documentTypes, in: infoPath)
        let id = try named(.identifier, in: infoPath) { () throws(WireError) in try BundleID(info.identifier) }
        let name = DisplayText(cleaning: info.displayName ?? info.name ?? "", limit: Limits.nameCharacters)
        return DeclaredApp(
            bundle: id, name: name.isEmpty ? DisplayText(cleaning: id.name, limit: Limits.nameCharacters) : name,
            version: DisplayText(cleaning: info.version ?? "", limit: Limits.nameCharacters).text,
            activityTypes: Set(types + documentTypes),
            activityTitles: try activityTitles(info.activityTitles ?? [:], in: infoPath),
            path: bundle, executable: try executable(info.executable, of: bundle, in: infoPath), info: digest)
    }

    /// The executable with every link followed, as the system names a running program: still inside the bundle.
    private func executable(_ name: String, of bundle: String, in info: String) throws(BundleProblem) -> String {
        guard !name.isEmpty, name != ".", name != "..", !name.utf8.contains(UInt8(ascii: "/")), !name.utf8.contains(0)
        else { throw BundleProblem("CFBundleExecutable in \(info) is not a plain file name") }
        let path = bundle + "/Contents/Linux/" + name
        guard let resolved = Self.resolve(path) else {
            throw BundleProblem("there is no executable \(path): \(SystemError(errno, path).sentence)")
        }
        guard resolved.hasPrefix(bundle + "/") else {
            throw BundleProblem("\(path) is a link that leaves the bundle")
        }
        var status = stat()
        guard lstat(resolved, &status) == 0, status.kind == S_IFREG, access(resolved, X_OK) == 0 else {
            throw BundleProblem("\(path) is not an executable file; run: chmod +x \(path)")
        }
        return resolved
    }

    private func activityTypes(
        _ names: [String], key: InfoPropertyList.CodingKeys, in info: String
    ) throws(BundleProblem) -> [ActivityType] {
        guard names.count <= Self.activityTypes else {
            throw BundleProblem("\(key.rawValue) in \(info) lists more than \(Self.activityTypes) types")
        }
        var types: [ActivityType] = []
        for name in names {
            types.append(try named(key, in: info) { () throws(WireError) in try ActivityType(name) })
        }
        return types
    }

    private func activityTitles(
        _ listed: [String: [String]], in info: String
    ) throws(BundleProblem) -> [ActivityType: Set<String>] {
        let types = try activityTypes(listed.keys.sorted(), key: .activityTitles, in: info)
        var titles: [ActivityType: Set<String>] = [:]
        for type in types {
            let texts = listed[type.name] ?? []
            guard texts.count <= Self.activityTitles else {
                throw BundleProblem("HandoffActivityTitles in \(info) lists more than \(Self.activityTitles) titles")
            }
            // Compared with titles on boards, which are clean.
            titles[type] = Set(texts.map { DisplayText(cleaning: $0).text })
        }
        return titles
    }

    private func named<Result>(
        _ key: InfoPropertyList.CodingKeys, in info: String, _ parse: () throws(WireError) -> Result
    ) throws(BundleProblem) -> Result {
        do throws(WireError) {
            return try parse()
        } catch {
            throw BundleProblem("\(key.rawValue) in \(info): \(error.reason)")
        }
    }

    /// The path with every link followed; nil and `errno` where there is nothing.
    static func resolve(_ path: String) -> String? {
        guard let resolved = realpath(path, nil) else { return nil }
        defer { free(resolved) }
        return String(cString: resolved)
    }
}
