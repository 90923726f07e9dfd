// SPDX-License-Identifier: Apache-2.0

import Glibc
import HandoffCore
import HandoffSystem
import HandoffTrust
import HandoffWire

/// Reads `Name.app/Contents/{Info.plist, Linux/<executable>}`.
struct BundleReader {
    /// Limits for `NSUserActivityTypes`, and for document types.
    static let activityTypes = 256
    static let activityTitles = 256
    static let packageExtensions = 256

    let path: String

    func read() throws(BundleProblem) -> DeclaredApp {
        guard let bundle = path.followingLinks else {
            throw BundleProblem("cannot read \(path): \(SystemError(errno, path).reason)")
        }
        let infoPath = InfoPropertyList.path(inBundle: bundle)
        let (info, bytes) = try InfoPropertyList.read(at: infoPath)
        let identifier = try info.identifier.required(.identifier, in: infoPath)
        let program = try info.executable.required(.executable, in: infoPath)
        let types = try activityTypes(info.activityTypes ?? [], key: .activityTypes, in: infoPath)
        // Several may share one, and need not repeat it above.
        let documentTypes = try activityTypes(
            (info.documentTypes ?? []).compactMap(\.activityType), key: .documentTypes, in: infoPath)
        let id = try named(.identifier, in: infoPath) { () throws(WireError) in try BundleID(identifier) }
        let name = DisplayText(cleaning: info.displayName ?? info.name ?? "", limit: Limits.nameCharacters)
        return DeclaredApp(
            bundle: id, name: name.isEmpty ? DisplayText(cleaning: id.name, limit: Limits.nameCharacters) : name,
            version: DisplayText(cleaning: info.version ?? "", limit: Limits.nameCharacters).text,
            activityTypes: Set(
                types + documentTypes + (info.continuesSearches?.isSet == true ? [.queryContinuation] : [])),
            activityTitles: try activityTitles(info.activityTitles ?? [:], in: infoPath),
            documents: try documents(info, in: bundle), path: bundle,
            executable: try executable(program, of: bundle, in: infoPath), info: FileDigest(of: bytes))
    }

    /// All containers of the entitlements, in order. The manifest decides which are valid.
    private func documents(_ info: InfoPropertyList, in bundle: String) throws(BundleProblem) -> AppDocuments {
        var names: [ContainerID: DisplayText] = [:]
        for (identifier, container) in info.containers ?? [:] {
            guard let id = try? ContainerID(identifier), let name = container.name else { continue }
            names[id] = DisplayText(cleaning: name, limit: Limits.nameCharacters)
        }
        let packages = info.packageExtensions
        guard packages.count <= Self.packageExtensions else {
            let key = InfoPropertyList.CodingKeys.documentTypes.rawValue
            throw BundleProblem("\(key) of \(bundle) have more than \(Self.packageExtensions) extensions of folders")
        }
        let entitlements = try? PropertyListFile(path: bundle + "/" + BundlePath.entitlements.text)
            .decode(EntitlementsPropertyList.self)
        let declared = DeclaredContainers(entries: entitlements?.containers ?? [])
        return AppDocuments(
            containers: declared.containers, containerNames: names, packageExtensions: packages,
            downloadsContents: info.downloadsContents?.isSet ?? false)
    }

    /// Inside the bundle, with links followed, as the system names a running program.
    private func executable(_ name: String, of bundle: String, in info: String) throws(BundleProblem) -> String {
        guard !name.isEmpty, name != ".", name != "..", !name.utf8.contains(UInt8(ascii: "/")), !name.utf8.contains(0)
        else { throw BundleProblem("CFBundleExecutable in \(info) is not a plain file name") }
        let path = bundle + "/Contents/Linux/" + name
        guard let resolved = path.followingLinks else {
            throw BundleProblem("the executable \(path) cannot be found: \(SystemError(errno, path).reason)")
        }
        guard resolved.path(in: bundle) != nil else {
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
}

extension InfoPropertyList {
    static func read(at path: String) throws(BundleProblem) -> (content: InfoPropertyList, bytes: [UInt8]) {
        do throws(PropertyListFile.Problem) {
            if let read = try PropertyListFile(path: path).decodeWithBytes(InfoPropertyList.self) { return read }
        } catch {
            throw BundleProblem(error)
        }
        throw BundleProblem("\(path) does not exist")
    }
}

extension InfoPropertyList {
    /// Lowercase, for documents that are folders, by the document type or its content type.
    fileprivate var packageExtensions: Set<String> {
        var declared: [ExactText: TypeDeclaration] = [:]
        for type in (importedTypes ?? []) + (exportedTypes ?? []) {
            if let identifier = type.identifier { declared[ExactText(identifier)] = type }
        }
        var extensions: [String] = []
        for type in documentTypes ?? [] {
            let contents = (type.contentTypes ?? []).compactMap { declared[ExactText($0)] }
            let isPackage = type.isPackage?.isSet ?? false
            if isPackage { extensions += type.extensions ?? [] }
            for content in contents where isPackage || (content.conformsTo?.all.contains("com.apple.package") ?? false)
            {
                extensions += content.tags?.extensions?.all ?? []
            }
        }
        // "*", any extension, would make every folder a document.
        return Set(extensions.map { $0.lowercased() }).filter { !$0.isEmpty && $0 != "*" }
    }
}

extension String? {
    func required(_ key: InfoPropertyList.CodingKeys, in path: String) throws(BundleProblem) -> String {
        guard let self else { throw BundleProblem("\(path) lacks the key \(key.rawValue)") }
        return self
    }
}

struct BundleProblem: Error {
    let reason: String

    init(_ reason: String) { self.reason = reason }
    init(_ problem: PropertyListFile.Problem) { reason = problem.reason }
}

/// `Contents/Entitlements.plist`. Valid only under a signature.
struct EntitlementsPropertyList: Decodable {
    let team: String?
    let associatedDomains: [String]?
    let ubiquityContainers: [String]?
    let cloudContainers: [String]?

    /// Unique, in order; the first is the default container.
    var containers: [String] {
        var seen: Set<[UInt8]> = []
        return ((ubiquityContainers ?? []) + (cloudContainers ?? [])).filter { seen.insert(Array($0.utf8)).inserted }
    }

    enum CodingKeys: String, CodingKey {
        case team = "com.apple.developer.team-identifier"
        case associatedDomains = "com.apple.developer.associated-domains"
        case ubiquityContainers = "com.apple.developer.ubiquity-container-identifiers"
        case cloudContainers = "com.apple.developer.icloud-container-identifiers"
    }
}
