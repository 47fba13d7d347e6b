;;; mpt.el --- Does the function do what its docstring says?  -*- lexical-binding: t; -*-

;; Version: 0.1.0
;; Package-Requires: ((emacs "28.1") (eglot "1.9"))
;; SPDX-License-Identifier: Apache-2.0

;;; Commentary:

;; The language server of mpt with eglot: (require 'mpt), then M-x eglot in a
;; Python buffer.  Eglot runs one server a mode: to keep another Python server
;; beside it, use lsp-mode, as the README shows.
;;
;; M-x mpt-revalidate, mpt-report, mpt-revalidate-file, mpt-stop.

;;; Code:

(require 'cl-lib)
(require 'eglot)

(defgroup mpt nil "Does the function do what its docstring says?" :group 'tools)

(defcustom mpt-command '("mpt-server")
  "The command that starts the language server, and its arguments."
  :type '(repeat string))

(defclass mpt-server (eglot-lsp-server) ()
  :documentation "The language server of mpt.")

(defun mpt-contact (&rest _)
  "What eglot needs to start the server."
  (cons 'mpt-server mpt-command))

(add-to-list 'eglot-server-programs '(python-mode . mpt-contact))
(add-to-list 'eglot-server-programs '(python-ts-mode . mpt-contact))

(cl-defmethod eglot-client-capabilities :around ((_server mpt-server))
  "Eglot 1.9 does not say that it opens documents; this file does it."
  (let ((capabilities (cl-call-next-method)))
    (plist-put capabilities :window
               (plist-put (plist-get capabilities :window)
                          :showDocument '(:support t)))))

(cl-defmethod eglot-handle-request
  ((_server mpt-server) (_method (eql window/showDocument))
   &key uri &allow-other-keys)
  "Show the report at URI in a window of its own, not to be edited."
  (with-current-buffer (find-file-noselect (mpt--path uri))
    (view-mode)
    (display-buffer (current-buffer)))
  '(:success t))

(defun mpt--path (uri)
  (funcall (if (fboundp 'eglot-uri-to-path) 'eglot-uri-to-path 'eglot--uri-to-path)
           uri))

(defun mpt--uri ()
  (plist-get (mpt--document) :uri))

(defun mpt--document ()
  (eglot--TextDocumentIdentifier))

(defun mpt--execute (command arguments)
  "Have the server run COMMAND with the vector ARGUMENTS."
  (jsonrpc-request (eglot--current-server-or-lose) :workspace/executeCommand
                   (list :command command :arguments arguments)))

(defun mpt--on-function (command otherwise)
  "Run COMMAND on the function at point; say OTHERWISE where it is not offered.
The server says which function that is: by what it offers to do there."
  (let* ((here (eglot--pos-to-lsp-position))
         (actions (jsonrpc-request
                   (eglot--current-server-or-lose) :textDocument/codeAction
                   (list :textDocument (mpt--document)
                         :range (list :start here :end here)
                         :context '(:diagnostics []))))
         (offered (cl-find command (mapcar (lambda (one) (plist-get one :command)) actions)
                           :key (lambda (one) (plist-get one :command)) :test #'equal)))
    (if offered
        (mpt--execute command (plist-get offered :arguments))
      (message "mpt: %s" otherwise))))

;;;###autoload
(defun mpt-revalidate ()
  "Check the function at point again."
  (interactive)
  (mpt--on-function "mpt.revalidate" "no documented function here"))

;;;###autoload
(defun mpt-report ()
  "Show the report on the function at point."
  (interactive)
  (mpt--on-function "mpt.showDisagreements" "no report on a function here"))

;;;###autoload
(defun mpt-revalidate-file ()
  "Check every function of this buffer again."
  (interactive)
  (mpt--execute "mpt.revalidateFile" (vector (mpt--uri))))

;;;###autoload
(defun mpt-stop ()
  "End all checks."
  (interactive)
  (mpt--execute "mpt.stop" []))

(provide 'mpt)
;;; mpt.el ends here
