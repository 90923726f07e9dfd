// SPDX-License-Identifier: Apache-2.0

package enum Icon: String, CaseIterable, Sendable {
    // Ours, in Desktop/share/icons.
    case handoff = "org.handoff.Handoff-symbolic"
    case handoffInColour = "org.handoff.Handoff"
    case laptop = "org.handoff.Handoff.laptop-symbolic"
    case desktop = "org.handoff.Handoff.desktop-symbolic"
    case tablet = "org.handoff.Handoff.tablet-symbolic"
    case phone = "org.handoff.Handoff.phone-symbolic"
    case server = "org.handoff.Handoff.server-symbolic"

    // Adwaita's.
    case computer = "computer-symbolic"
    case settings = "emblem-system-symbolic"
    case offline = "network-offline-symbolic"
    case back = "go-previous-symbolic"
    case forward = "go-next-symbolic"
    case edit = "document-edit-symbolic"
    case remove = "user-trash-symbolic"
    case warning = "dialog-warning-symbolic"
    case key = "dialog-password-symbolic"
    case add = "list-add-symbolic"
    case join = "network-workgroup-symbolic"
    case send = "document-send-symbolic"
    case close = "window-close-symbolic"
    case leave = "system-log-out-symbolic"
    case notifying = "preferences-system-notifications-symbolic"
    case silent = "notifications-disabled-symbolic"
    case copy = "edit-copy-symbolic"
    case menu = "open-menu-symbolic"
    case question = "dialog-question-symbolic"
    case search = "system-search-symbolic"
    case passed = "object-select-symbolic"
}
