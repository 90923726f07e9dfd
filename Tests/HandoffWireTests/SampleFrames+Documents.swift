// SPDX-License-Identifier: Apache-2.0

@testable import HandoffWire

extension SampleFrames {
    static let container = try! ContainerID("iCloud.com.example.letters")
    static let letterPath = try! DocumentPath("Letters/An Anna.txt")
    static let digest = FileDigest(uncheckedBytes: Array(208..<240))
    static let otherDigest = FileDigest(uncheckedBytes: Array(0..<32))
    /// 2027-01-15 08:00:00.000000001 UTC.
    static let written = FileTime(nanoseconds: 1_800_000_000_000_000_001)
    static let folder = try! AbsolutePath("/home/anna/Letters")
    static let file = try! AbsolutePath("/home/anna/Letters/An Anna.txt")
    /// Not UTF-8.
    static let oddFile = try! AbsolutePath(bytes: Array("/home/anna/".utf8) + [0xFF])
    static let fileToken = FileToken(uncheckedBytes: Array(208..<240))
    static let version = VersionID(uncheckedBytes: Array(224..<240))

    static let letter = DocumentReference(
        index: 0, place: .container(container, letterPath), size: 5120, modified: written, hash: digest,
        known: [otherDigest, digest])
    static let references = [
        letter,
        DocumentReference(
            index: 1, place: .container(container, try! DocumentPath("slides.key")), kind: .package,
            size: 1 << 40, modified: FileTime(nanoseconds: -1), mode: 0o755, hash: nil),
        DocumentReference(
            index: 2, place: .outside(name: try! DocumentPath("Grüße.txt")), size: 0, modified: written, mode: 0,
            hash: digest),
        DocumentReference(
            index: 15, place: .container(container, try! DocumentPath("Letters/2026")), kind: .folder, size: 0,
            modified: written, mode: 0o700, hash: nil),
    ]

    static let document: [(name: String, message: DocumentMessage)] = [
        ("ask for all of it", .ask(.whole)),
        ("ask for its chunks", .ask(.chunks)),
        ("ask for its members", .ask(.members)),
        ("head", .head(DocumentHead(size: 5120, modified: written, mode: 0o644, hash: digest))),
        (
            "head of a package that was not hashed",
            .head(DocumentHead(size: 1 << 40, modified: written, mode: 0o755, hash: nil, listBytes: 4096))
        ),
        ("wish for items 0 and 9 of a list", .wish(DocumentWish(bits: [1, 2]))),
        ("wish for nothing", .wish(DocumentWish(bits: []))),
        ("data", .data(1 << 20)),
        ("tail", .tail(digest)),
        ("failure", .failure(Failure(.documentChanged, "it was written to meanwhile"))),
    ]

    static let chunks = ChunkList([
        ChunkList.Chunk(length: 4096, hash: digest), ChunkList.Chunk(length: 1, hash: otherDigest),
    ])
    static let manifest = try! PackageManifest([
        PackageManifest.Member(try! DocumentPath("data"), .folder),
        PackageManifest.Member(
            try! DocumentPath("data/run"), .file(size: 300, hash: digest, isExecutable: true)),
        PackageManifest.Member(try! DocumentPath("index.xml"), .file(size: 0, hash: otherDigest, isExecutable: false)),
        PackageManifest.Member(try! DocumentPath("newest"), .link(Array("data/run".utf8))),
    ])

    // MARK: In frames of both protocols

    static let peer = peerOfActivities + peerOfDocuments + peerOfPresence + peerOfSending
    static let local =
        localOfActivities + localOfDocuments + localOfPresence + localOfSending + localOfNearby + localOfHistory
        + localOfRecoveryKey
        + localOfPhones

    static let delivered = DocumentFate.allCases.map { fate in
        DeliveredDocument(url: "file:///home/anna/Letters/An%20Anna.txt", fate: fate, path: file)
    }

    static let peerOfDocuments: [(name: String, frame: PeerFrame)] = [
        (
            "fetch with documents",
            PeerFrame(
                .continuation(
                    .fetch(
                        FetchRequest(
                            activity: activity, continuation: continuation, team: team, takesDocuments: true))),
                request: 2)
        ),
        (
            "fetched, with documents",
            PeerFrame(.continuation(.fetched(carried, saving: .zero, documents: references)), answer: 2)
        ),
        (
            "fetched, without three files",
            PeerFrame(.continuation(.fetched(carried, saving: .zero, filesLeft: 3)), answer: 2)
        ),
        (
            "open stream of a document",
            PeerFrame(.streams(.openStream(activity, continuation, document: 0)), request: 3)
        ),
        (
            "failure: document gone",
            PeerFrame(.failure(Failure(.documentGone, "it cannot be read any more")), answer: 3)
        ),
    ]

    static let localOfDocuments: [(name: String, frame: LocalFrame)] =
        [
            (
                "save, with files",
                LocalFrame(.advertising(.save(activity, deadline: .milliseconds(8000), withFiles: true)), request: 1)
            ),
            (
                "saved, with files",
                LocalFrame(
                    .advertising(
                        .saved(
                            state, saving: .zero,
                            files: [
                                SavedFile(
                                    url: "file:///home/anna/Letters/An%20Anna.txt", path: file, token: fileToken),
                                SavedFile(url: "file:///home/anna/%FF", path: oddFile),
                            ])), answer: 1)
            ),
            (
                "continue, with documents",
                LocalFrame(
                    .continuation(
                        .continueActivity(
                            continuation, state,
                            documents: delivered + [
                                DeliveredDocument(
                                    url: "file:///home/anna/%FF", fate: .conflict, path: oddFile, keptCopy: file,
                                    note: "both were changed"),
                                DeliveredDocument(url: "file:///nowhere", fate: .notTakenAlong, path: nil),
                            ])), request: 3)
            ),
            (
                "progress: documents",
                LocalFrame(.continuation(.progress(PhaseTime(.documents, .microseconds(300)))), answer: 14)
            ),
            (
                "outcome: with documents",
                LocalFrame(
                    .continuation(
                        .outcome(
                            ContinuationOutcome(
                                continuation: continuation, phases: [], how: .app(bundle), targetName: laptop,
                                documents: delivered))), answer: 14)
            ),
            ("list folders", LocalFrame(.documents(.listFolders(check: false)), request: 30)),
            ("check folders", LocalFrame(.documents(.listFolders(check: true)), request: 30)),
            ("map folder", LocalFrame(.documents(.mapFolder(container, folder)), request: 31)),
            ("unmap folder", LocalFrame(.documents(.unmapFolder(container)), request: 32)),
            (
                "folder list",
                LocalFrame(
                    .documents(
                        .folderList([
                            ContainerFolder(
                                container: container, path: folder, isMapped: true,
                                name: DisplayText(cleaning: "Letters"),
                                teamName: DisplayText(cleaning: "Monkeys"), apps: [bundle],
                                problem: "nothing may be written there", fileSystem: "nfs", isSharedStorage: true),
                            ContainerFolder(
                                container: try! ContainerID("letters"), path: oddFile,
                                teamName: DisplayText(cleaning: "Monkeys")),
                        ])), answer: 30)
            ),
            ("show containers", LocalFrame(.documents(.showContainers), request: 33)),
            (
                "containers",
                LocalFrame(
                    .documents(
                        .containers(
                            [
                                AppContainer(
                                    container: container, path: folder, name: DisplayText(cleaning: "Letters")),
                                AppContainer(container: try! ContainerID("letters"), path: oddFile),
                            ], accountToken: Array(0..<32))), answer: 33)
            ),
            (
                "containers of a device without an account",
                LocalFrame(.documents(.containers([], accountToken: nil)), answer: 33)
            ),
            ("list versions", LocalFrame(.documents(.listVersions(file)), request: 34)),
            ("list all versions", LocalFrame(.documents(.listVersions(nil)), request: 34)),
            ("restore version", LocalFrame(.documents(.restoreVersion(version)), request: 35)),
            (
                "version list",
                LocalFrame(
                    .documents(
                        .versionList(
                            [false, true].map { isPackage in
                                KeptVersion(
                                    id: version, path: file, file: oddFile, size: 1 << 40, modified: written,
                                    kept: noon,
                                    deviceName: laptop, isPackage: isPackage)
                            })), answer: 34)
            ),
            ("document coming", LocalFrame(.documents(.documentComing(file, deviceName: laptop)), request: 36)),
            ("document placed", LocalFrame(.documents(.documentPlaced(PlacedDocument(path: file))))),
            (
                "document placed: moved, and in conflict",
                LocalFrame(.documents(.documentPlaced(PlacedDocument(path: file, oldPath: oddFile, copy: folder))))
            ),
            ("download document", LocalFrame(.documents(.downloadDocument(file)), request: 37)),
        ]
        + DocumentStep.allCases.map { step in
            (
                "document progress: \(step)",
                LocalFrame(
                    .documents(
                        .documentProgress(
                            DocumentProgress(
                                continuation: continuation, name: DisplayText(cleaning: "An Anna.txt"), bytes: 1 << 40,
                                total: 1 << 41, bytesPerSecond: 117_000_000, secondsSilent: 3, step: step))), answer: 37
                )
            )
        } + [
            (
                "document progress: little is known",
                LocalFrame(
                    .documents(
                        .documentProgress(
                            DocumentProgress(
                                continuation: continuation, name: DisplayText(cleaning: "a"), step: .looking))))
            ),
            ("cancel continuation", LocalFrame(.documents(.cancelContinuation(continuation)), request: 38)),
            (
                "failure: document not placed",
                LocalFrame(.failure(Failure(.documentNotPlaced, "no room in the folder")), answer: 38)
            ),
        ]
}
