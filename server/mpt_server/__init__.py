"""The language server: mpt's verdicts as diagnostics, hovers and code actions."""
