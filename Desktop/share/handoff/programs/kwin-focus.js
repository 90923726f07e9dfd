// SPDX-License-Identifier: Apache-2.0
/* global callDBus, workspace */

// handoff-adapters loads this into KWin, and removes it again.
function focused(window) {
    if (window)
        callDBus('org.handoff.Adapters', '/org/handoff/Adapters', 'org.handoff.Focus1', 'Focused', window.pid);
}

// Plasma 6, and 5.
(workspace.windowActivated || workspace.clientActivated).connect(focused);
focused(workspace.activeWindow || workspace.activeClient);
