;;; handoff.el --- Show Handoff which file Emacs edits -*- lexical-binding: t -*-
;; SPDX-License-Identifier: Apache-2.0

;; (require 'handoff) in the init file; then: handoff programs on emacsclient

;;; Code:

(defconst handoff-folder
  (expand-file-name "handoff-programs" (or (getenv "XDG_RUNTIME_DIR") (format "/run/user/%d" (user-uid)))))

(defvar handoff--told nil "The last report, or nil.")

(defun handoff--file ()
  "The file for reports of this Emacs."
  (expand-file-name (number-to-string (emacs-pid)) handoff-folder))

(defun handoff--report ()
  "Line, column and path of the file in the selected window, also while the minibuffer is open.
Without a file, nothing is shown."
  (with-current-buffer (window-buffer (or (minibuffer-selected-window) (selected-window)))
    (let ((file (and buffer-file-name (not (file-remote-p buffer-file-name)) buffer-file-name)))
      (format "%d\n%d\n%s" (line-number-at-pos nil t) (1+ (- (point) (line-beginning-position))) (or file "")))))

(defun handoff--tell ()
  "Write a report if something has changed and Emacs is on in Handoff."
  (if (not (file-directory-p handoff-folder))
      (setq handoff--told nil)
    (let ((report (handoff--report)))
      (unless (and (equal report handoff--told) (file-exists-p (handoff--file)))
        (let ((coding-system-for-write 'utf-8-unix) (write-region-inhibit-fsync t) (file-name-handler-alist nil))
          (with-demoted-errors "handoff: %S"
            (write-region report nil (handoff--file) nil 'silent)
            (setq handoff--told report)))))))

(defun handoff--leave ()
  "Forget the report."
  (ignore-errors (delete-file (handoff--file))))

(defun handoff--focus ()
  "The latest report is of the program in front."
  (when (seq-some (lambda (frame) (eq (frame-focus-state frame) t)) (frame-list))
    (setq handoff--told nil)
    (handoff--tell)))

;; An idle timer does not wake an Emacs that rests.
(run-with-idle-timer 0.3 t #'handoff--tell)
;; `emacsclient' opens a file without a key.
(add-hook 'server-visit-hook #'handoff--tell)
(add-function :after after-focus-change-function #'handoff--focus)
(add-hook 'kill-emacs-hook #'handoff--leave)

(provide 'handoff)
;;; handoff.el ends here
