// SPDX-License-Identifier: Apache-2.0

package enum BundleDifference: Hashable, Sendable, CustomStringConvertible {
    case missing(BundlePath)
    case added(BundlePath)
    case changed(BundlePath)
    case mode(BundlePath, shouldBeExecutable: Bool)
    case otherKind(BundlePath)

    package var path: BundlePath {
        switch self {
        case .missing(let path), .added(let path), .changed(let path), .mode(let path, _), .otherKind(let path): path
        }
    }

    package var description: String {
        switch self {
        case .missing(let path): "missing: \(path)"
        case .added(let path): "added: \(path)"
        case .changed(let path): "changed: \(path)"
        case .mode(let path, true): "wrong mode: \(path) is not executable"
        case .mode(let path, false): "wrong mode: \(path) is executable"
        case .otherKind(let path): "of another kind: \(path)"
        }
    }
}

extension BundleManifest {
    /// `found` is sorted by path.
    package func differences(to found: [Entry]) -> [BundleDifference] {
        var differences: [BundleDifference] = []
        var listed = entries[...]
        var found = found[...]
        while let expected = listed.first, let actual = found.first {
            if expected.path < actual.path {
                differences.append(.missing(expected.path))
                listed.removeFirst()
            } else if actual.path < expected.path {
                differences.append(.added(actual.path))
                found.removeFirst()
            } else {
                differences += Self.differences(at: expected.path, expected.content, actual.content)
                listed.removeFirst()
                found.removeFirst()
            }
        }
        return differences + listed.map { .missing($0.path) } + found.map { .added($0.path) }
    }

    private static func differences(
        at path: BundlePath, _ expected: Content, _ actual: Content
    ) -> [BundleDifference] {
        switch (expected, actual) {
        case (.file(let wasExecutable, let oldSize, let old), .file(let isExecutable, let newSize, let new)):
            (oldSize == newSize && old == new ? [] : [.changed(path)])
                + (wasExecutable == isExecutable ? [] : [.mode(path, shouldBeExecutable: wasExecutable)])
        case (.emptyFolder, .emptyFolder): []
        case (.link(let old), .link(let new)): old.utf8.elementsEqual(new.utf8) ? [] : [.changed(path)]
        default: [.otherKind(path)]
        }
    }
}
