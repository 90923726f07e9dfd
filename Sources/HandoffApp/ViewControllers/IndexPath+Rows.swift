// SPDX-License-Identifier: Apache-2.0

public import Foundation

// As in UIKit and AppKit, a path without exactly two parts is a programming error.
extension IndexPath {
    /// A row of a table.
    public init(row: Int, section: Int) { self.init(indexes: [section, row]) }

    /// An item of a collection.
    public init(item: Int, section: Int) { self.init(indexes: [section, item]) }

    /// The first part.
    public var section: Int {
        get { part(0) }
        set { setPart(0, to: newValue) }
    }

    /// The second part.
    public var row: Int {
        get { part(1) }
        set { setPart(1, to: newValue) }
    }

    /// Equal to ``row``.
    public var item: Int {
        get { part(1) }
        set { setPart(1, to: newValue) }
    }

    private func part(_ position: Int) -> Int {
        checkParts()
        return self[position]
    }

    private mutating func setPart(_ position: Int, to value: Int) {
        checkParts()
        self[position] = value
    }

    private func checkParts() {
        precondition(count == 2, "IndexPath: only a path with two parts has a row and a section")
    }
}
