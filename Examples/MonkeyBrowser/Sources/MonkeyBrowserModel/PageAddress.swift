// SPDX-License-Identifier: Apache-2.0

package import Foundation

/// The address of a web page: absolute, `http` or `https`, with a host. Nothing else can be entered or continued.
package struct PageAddress: Hashable, Sendable, CustomStringConvertible {
    package let url: URL

    /// The key under which the address travels in `userInfo`.
    package static let userInfoKey = "Url"

    package var description: String { url.absoluteString }

    /// As a person types it: `example.com/today` stands for `https://example.com/today`.
    package init(entered text: String) throws(BrowserError) {
        let text = text.trimmingCharacters(in: .whitespaces)
        guard !text.isEmpty else { throw .noAddress }
        try self.init(text.contains("://") ? text : "https://" + text)
    }

    /// From a continued activity. It is checked like a typed address, because it was received over the network.
    package init(userInfo: [AnyHashable: Any]?, webpageURL: URL?) throws(BrowserError) {
        guard let text = userInfo?[Self.userInfoKey] as? String ?? webpageURL?.absoluteString else {
            throw .noAddress
        }
        try self.init(text)
    }

    package var userInfo: [AnyHashable: Any] { [Self.userInfoKey: url.absoluteString] }

    private init(_ text: String) throws(BrowserError) {
        // Control characters must not appear in a line of a log or a terminal.
        let isPlain = text.unicodeScalars.allSatisfy { $0.properties.generalCategory != .control && $0 != " " }
        guard isPlain, let url = URL(string: text), let host = url.host(), !host.isEmpty else {
            throw .notAnAddress(text)
        }
        guard let scheme = url.scheme?.lowercased(), scheme == "http" || scheme == "https" else {
            throw .notAWebPage(text)
        }
        self.url = url
    }
}

package enum BrowserError: Error, Hashable, CustomStringConvertible {
    case noAddress
    case notAnAddress(String)
    case notAWebPage(String)
    case noSuchTab(String)
    case noSuchTime(String)
    case noSuchPlace(String)
    case noSuchCommand(String)
    case needsWindow(Command)
    case noPage(Tab)

    package var description: String {
        switch self {
        case .noAddress: "there is no address"
        case .notAnAddress(let text): "\(text.debugDescription) is not an address"
        case .notAWebPage(let text): "\(text.debugDescription) is not a web page: only http and https are"
        case .noSuchTab(let text): "there is no tab \(text.debugDescription): they are 1 to \(Tab.allCases.count)"
        case .noSuchTime(let text): "\(text.debugDescription) is no number of seconds, from 0 to a day"
        case .noSuchPlace(let text): "\(text.debugDescription) is no place on a page: pixels from its upper end"
        case .needsWindow: "this is a terminal: there is no page to be seen"
        case .noPage(let tab): "there is no page in \(tab.name)"
        case .noSuchCommand(let text): "there is no command \(text.debugDescription): try help"
        }
    }
}
