;;; One session in Emacs with eglot: open, consent, save, warning, code action, re-validate, report.  -*- lexical-binding: t; -*-
;; Environment: MPT_PLUGIN, MPT_COMMAND (a JSON list).  The current folder holds demo.py.

(defconst patience-s 180)
(defvar questions nil)
(setq debug-on-error t
      make-backup-files nil
      create-lockfiles nil
      eglot-confirm-server-initiated-edits nil
      eglot-connect-timeout patience-s
      eglot-autoshutdown nil)
(add-to-list 'load-path (getenv "MPT_PLUGIN"))
(require 'mpt)
(require 'json)
(setq mpt-command (append (json-parse-string (getenv "MPT_COMMAND")) nil))
(setq-default eglot-workspace-configuration '((:mpt . (:select "documented"))))
(advice-add 'completing-read :override
            (lambda (question &rest _) (push question questions) "Allow"))

(defun wait-for (what seen)
  (let ((end (+ (float-time) patience-s)) found)
    (while (not (setq found (funcall seen)))
      (when (> (float-time) end) (error "Waited in vain for %s" what))
      (accept-process-output nil 0.05))
    found))

(defun step (text) (princ (format "ok: %s\n" text)))
(defun warnings () (flymake-start) (flymake-diagnostics))

(find-file "demo.py")
(python-mode)
(apply #'eglot (list '(python-mode) (cons 'transient default-directory)
                     'mpt-server mpt-command "python"))
(wait-for "the server" #'eglot-current-server)
(step "the server runs")

(goto-char (point-max))
(insert "# saved\n")
(save-buffer)
(let* ((warning (car (wait-for "a warning" #'warnings)))
       (text (flymake-diagnostic-text warning)))
  (cl-assert (string-match-p "largest_gap(\\[.*\\]).* returns -[0-9]+; 5 of 5 paraphrase programs return" text) t text)
  (cl-assert (equal "largest_gap" (buffer-substring (flymake-diagnostic-beg warning) (flymake-diagnostic-end warning))))
  (cl-assert (= 1 (length questions)) t)
  (step (concat "asked once, saved, warned: " text)))

(goto-char (point-min))
(search-forward "def larg")
(let ((titles (mapcar (lambda (one) (plist-get one :title))
                      (eglot-code-actions (point) (point)))))
  (cl-assert (member "Re-validate function" titles) t)
  (cl-assert (member "Show disagreeing inputs" titles) t)
  (step (format "code actions: %s" titles)))

(mpt-revalidate)
(wait-for "the warning after a re-validation" #'warnings)
(step "re-validated")

(mpt-report)
(let ((report (wait-for "the report" (lambda () (cl-find-if (lambda (one) (string-match-p "largest_gap.*\\.md" (buffer-name one)))
                                                            (buffer-list))))))
  (with-current-buffer report
    (cl-assert (string-match-p "INCONSISTENT" (buffer-string)))
    (cl-assert (string-match-p "Paraphrase program 5" (buffer-string)))
    (cl-assert buffer-read-only)))
(step "the report in a buffer")

(search-forward "return max")
(insert "(0, ")
(wait-for "the warning to go with the edit" (lambda () (eglot--signal-textDocument/didChange) (null (warnings))))
(step "an edit takes the warning away")
(set-buffer-modified-p nil)
(eglot-shutdown (eglot-current-server))
