"""What can go wrong on our side of the wall, and whose fault it is.

What a program under check does is never one of these: it is an `Outcome` (mpt.values).

    MptError                     every message is one line: what, where, and what to do
    ├── UsageError               the person can mend it: a path, a flag, a policy's name
    │   └── SettingsError        a setting has a value we cannot use
    ├── ModelError               the language model did not answer
    │   ├── ModelUnavailable     nothing there: unreachable, or the embedded model is not downloaded
    │   ├── ModelRefused         it answered no: a refused key (401, 403), a bad request (400)
    │   └── BudgetExceeded       the person's limit of calls is reached; nothing more was sent
    ├── SandboxError             the wall or the interpreter behind it did not hold or did not start
    │   ├── NoWall               no wall holds on this machine and the person has not said "none"
    │   └── InterpreterError     the interpreter asked for cannot run the worker
    ├── FuzzerError              the fuzzer is missing or broke
    ├── StoreError               the disk is full, or what is stored cannot be read
    └── Cancelled                the person (or the editor) said stop
"""


class MptError(Exception):
    """Base of all errors raised by this package; `str(error)` is one line meant for people."""


class UsageError(MptError):
    """The call itself is wrong (exit code 2)."""


class SettingsError(UsageError):
    """A setting has a value that cannot be used."""


class ModelError(MptError):
    """The language model did not answer."""


class ModelUnavailable(ModelError):
    """No model is there to ask."""


class ModelRefused(ModelError):
    """The model's server said no; asking again would not help."""


class BudgetExceeded(ModelError):
    """The person's limit of calls is reached; nothing was sent."""


class SandboxError(MptError):
    """The wall, or the interpreter behind it, failed."""


class NoWall(SandboxError):
    """No wall holds on this machine."""


class InterpreterError(SandboxError):
    """The interpreter cannot run the worker."""


class FuzzerError(MptError):
    """The fuzzer is missing or broke."""


class StoreError(MptError):
    """What we keep could not be written or read."""


class Cancelled(MptError):
    """The person said stop."""
