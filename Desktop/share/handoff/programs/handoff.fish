# SPDX-License-Identifier: Apache-2.0
# Shows Handoff the working folder of this shell, and never a command, while its terminal is on. In
# ~/.config/fish/config.fish:
#   source @PREFIX@/share/handoff/programs/handoff.fish

set -g __handoff_told ''

function __handoff_tell --on-event fish_prompt
    set -q XDG_RUNTIME_DIR; or return
    set -l folder "$XDG_RUNTIME_DIR/handoff-programs"
    test "$PWD" = "$__handoff_told" -a -e "$folder/$fish_pid"; and return
    if test -d "$folder"; and printf %s "$PWD" 2>/dev/null >"$folder/$fish_pid"
        set -g __handoff_told "$PWD"
    end
end
