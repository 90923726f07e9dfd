// SPDX-License-Identifier: Apache-2.0
// Shows Handoff which file VS Code or VSCodium edits, and where, while the program is on: handoff programs on code

"use strict";

const fs = require("fs");
const os = require("os");
const path = require("path");
const vscode = require("vscode");

const folder = path.join(process.env.XDG_RUNTIME_DIR || `/run/user/${os.userInfo().uid}`, "handoff-programs");
const file = path.join(folder, String(process.pid));
/** Milliseconds of rest, so that moving costs nothing. */
const rest = 300;

let told;
let timer;

/** Line, column in characters, and path. Without a path, nothing is shown. */
function report() {
    const editor = vscode.window.activeTextEditor;
    if (!editor) return "1\n1\n";
    const { line, character } = editor.selection.active;
    const before = editor.document.lineAt(line).text.slice(0, character);
    const { scheme, fsPath } = editor.document.uri;
    return `${line + 1}\n${[...before].length + 1}\n${scheme === "file" ? fsPath : ""}`;
}

function tell() {
    // The folder exists while the program is on.
    if (!fs.existsSync(folder)) {
        told = undefined;
        return;
    }
    const now = report();
    if (now === told && fs.existsSync(file)) return;
    try {
        fs.writeFileSync(file, now, { mode: 0o600 });
        told = now;
    } catch {
        told = undefined;
    }
}

function moved() {
    clearTimeout(timer);
    timer = setTimeout(tell, rest);
}

exports.activate = (context) => {
    context.subscriptions.push(
        vscode.window.onDidChangeActiveTextEditor(moved),
        vscode.window.onDidChangeTextEditorSelection(moved),
        vscode.window.onDidChangeWindowState((state) => {
            if (!state.focused) return;
            // The latest report is of the program in front.
            told = undefined;
            moved();
        }),
    );
    moved();
};

exports.deactivate = () => {
    clearTimeout(timer);
    fs.rmSync(file, { force: true });
};
