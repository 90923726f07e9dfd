// SPDX-License-Identifier: Apache-2.0

internal import Glibc
internal import HandoffBus
internal import HandoffSystem
internal import HandoffWire

/// `org.freedesktop.portal.Documents`, for received files.
struct DocumentsPortal {
    /// It may have to be started.
    static let time = Duration.seconds(5)
    /// An existing document of the same file is used, the permission outlives the session, and a file that the app can reach
    /// anyway keeps its path.
    private static let flags: UInt32 = 1 | 2 | 4
    /// O_PATH, which Swift's Glibc does not export.
    private static let placeOnly: CInt = 0o10000000

    let bus: BusConnection
    let loop: BusLoop

    /// Calls `then` once. Documents that the app cannot reach then have no path.
    func give(
        _ documents: [DeliveredDocument], to app: BundleID, then: @escaping ([DeliveredDocument]) -> Void
    ) {
        let paths = documents.map(\.path)
        let isOpening = loop.runOnThread({ paths.map(Self.open) }) { files in give(files, documents, app, then) }
        if !isOpening { then(documents.map { $0.at(nil) }) }
    }

    private func give(
        _ files: [SharedDescriptor?], _ documents: [DeliveredDocument], _ app: BundleID,
        _ then: @escaping ([DeliveredDocument]) -> Void
    ) {
        let opened = files.compactMap(\.self)
        guard !opened.isEmpty else { return then(documents.map { $0.at(nil) }) }
        let name = "org.freedesktop.portal.Documents"
        let body: [BusValue] = [
            .array(of: .descriptor, opened.map(BusValue.descriptor)), .uint32(Self.flags), .string(app.name),
            .strings(["read", "write"]),
        ]
        let call = BusCall(name, "/org/freedesktop/portal/documents", name, "AddFull", body)
        bus.call(call, within: Self.time) { result in
            var ids = [String]()
            switch result {
            case .success(let answer): ids = answer[0]?.strings ?? []
            case .failure(let failure): Complaint.say("the documents portal took no document: \(failure.name)")
            }
            guard ids.count == opened.count else { return then(documents.map { $0.at(nil) }) }
            var left = ids[...]
            then(
                zip(documents, files).map { document, file in
                    guard file != nil, let id = left.popFirst() else { return document.at(nil) }
                    return id.isEmpty ? document : document.at(Self.path(in: id, of: document))
                })
        }
    }

    /// Not for folders: Flatpak gives an app no package of files.
    private static func open(_ path: AbsolutePath?) -> SharedDescriptor? {
        // The portal refuses a descriptor that does not follow links.
        guard let path, let file = try? OpenFile.open(following: path.bytes, placeOnly),
            let status = try? file.status(), status.kind == S_IFREG
        else { return nil }
        return SharedDescriptor(duplicating: file.descriptor)
    }

    /// In every sandbox of Flatpak. Outside, the folder may differ.
    private static func path(in id: String, of document: DeliveredDocument) -> AbsolutePath? {
        guard let name = document.path?.bytes.split(separator: UInt8(ascii: "/")).last else { return nil }
        return try? AbsolutePath(bytes: Array("/run/user/\(geteuid())/doc/\(id)/".utf8) + name)
    }
}

extension DeliveredDocument {
    fileprivate func at(_ path: AbsolutePath?) -> DeliveredDocument {
        var document = self
        (document.path, document.keptCopy) = (path, nil)
        return document
    }
}
