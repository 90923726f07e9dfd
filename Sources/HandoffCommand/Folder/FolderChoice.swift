// SPDX-License-Identifier: Apache-2.0

internal import HandoffCore
internal import HandoffWire

/// By the complete identifier.
struct FolderChoice {
    private let text: String

    init(_ text: String) { self.text = text }

    func choose(from folders: [ContainerFolder]) throws(CommandFailure) -> ContainerFolder {
        do throws(WireError) { _ = try ContainerID(text) } catch {
            throw .usage("\"\(DisplayText(cleaning: text, limit: Limits.nameCharacters))\": \(error.reason)")
        }
        if let folder = folders.first(where: { $0.container.name == text }) { return folder }
        let near = NearestName.to(text, in: folders.map(\.container.name))
        throw CommandFailure(
            .failed, code: "noApp",
            "no installed app uses a container \(text)" + (near.map { "; did you mean \($0)?" } ?? ""),
            advice: "run: handoff folder list")
    }
}
