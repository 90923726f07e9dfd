// SPDX-License-Identifier: Apache-2.0
// Shows Handoff which message Thunderbird displays, while the program is on: handoff programs on thunderbird

"use strict";

let port;

/** Of no message, or of several: nothing may continue. */
function show(messages) {
    const message = messages.length === 1 ? messages[0] : {};
    if (!port) {
        port = messenger.runtime.connectNative("handoff.browser_host");
        port.onDisconnect.addListener(() => { port = undefined; });
    }
    port.postMessage({ id: message.headerMessageId ?? "", subject: message.subject ?? "" });
}

/** Thunderbird gave lists of messages as plain arrays before version 121. */
const listed = (list) => list.messages ?? list;

async function look(tab) {
    show(listed(await messenger.messageDisplay.getDisplayedMessages(tab)));
}

messenger.messageDisplay.onMessagesDisplayed.addListener((_tab, list) => show(listed(list)));
messenger.tabs.onActivated.addListener(({ tabId }) => look(tabId));
messenger.windows.onFocusChanged.addListener(async (window) => {
    if (window === messenger.windows.WINDOW_ID_NONE) return;
    const [tab] = await messenger.tabs.query({ active: true, windowId: window });
    if (tab) look(tab.id);
});
