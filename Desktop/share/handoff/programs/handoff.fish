# SPDX-License-Identifier: Apache-2.0
# Shows Handoff the working folder of this shell, and never a command, while its terminal is on. In
# ~/.config/fish/config.fish:
#   source @PREFIX@/share/handoff/programs/handoff.fish

set -g __handoff_told ''

function __handoff_tell --on-event fish_prompt
    test "$PWD" = "$__handoff_told"; and return
    set -q XDG_RUNTIME_DIR; or return
    # The file is empty: Handoff asks the system for the folder of the shell with this number.
    if test -d "$XDG_RUNTIME_DIR/handoff-programs"; and true 2>/dev/null >"$XDG_RUNTIME_DIR/handoff-programs/$fish_pid"
        set -g __handoff_told "$PWD"
    end
end
