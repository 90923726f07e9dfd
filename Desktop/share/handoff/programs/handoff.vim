" SPDX-License-Identifier: Apache-2.0
" Shows Handoff which file Vim or Neovim edits, and where, while the program is on: handoff programs on nvim

if exists('g:loaded_handoff') || !has('unix') || !has('timers') || !exists('*charcol')
  finish
endif
let g:loaded_handoff = 1

let s:folder = (empty($XDG_RUNTIME_DIR) ? '/run/user/' . trim(system('id -u')) : $XDG_RUNTIME_DIR) . '/handoff-programs'
let s:timer = -1
let s:told = []

" Line, column, and path, which may contain line breaks. Without a path, nothing is shown.
function! s:Tell(...) abort
  if !isdirectory(s:folder)
    let s:told = []
    return
  endif
  let l:path = empty(&buftype) && (!exists('&key') || empty(eval('&key'))) && filereadable(expand('%:p')) ? expand('%:p') : ''
  let l:report = [string(line('.')), string(charcol('.')), l:path]
  if l:report == s:told && filereadable(s:folder . '/' . getpid())
    return
  endif
  try
    call writefile(l:report[0:1] + split(l:path, "\n", 1), s:folder . '/' . getpid(), 'b')
    let s:told = l:report
  catch
    let s:told = []
  endtry
endfunction

" The latest report is of the program in front.
function! s:Focused() abort
  let s:told = []
  call s:Tell()
endfunction

" Milliseconds of rest, so that moving costs nothing.
function! s:Moved() abort
  call timer_stop(s:timer)
  let s:timer = timer_start(300, function('s:Tell'))
endfunction

augroup handoff
  autocmd!
  autocmd VimEnter,BufEnter,BufWritePost,CursorHold,CursorHoldI * call s:Tell()
  autocmd FocusGained * call s:Focused()
  autocmd CursorMoved,CursorMovedI * call s:Moved()
  autocmd VimLeavePre * call delete(s:folder . '/' . getpid())
augroup END
