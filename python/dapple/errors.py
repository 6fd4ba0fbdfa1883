"""Exceptions, one per kind of error."""


class Error(Exception):
    """An error of Dapple. `option` names the option at fault; "" if there is none."""

    kind = "internal"

    def __init__(self, message, option=""):
        super().__init__(message)
        self.option = option


class UsageError(Error, ValueError):
    """Options are invalid or contradict each other."""

    kind = "usage"


class InputError(Error, ValueError):
    """An image, points or a file cannot be read or used."""

    kind = "input"


class OutputError(Error, OSError):
    """A file could not be written."""

    kind = "output"


class LimitError(Error, MemoryError):
    """The work exceeds a limit of pixels, points or memory, or the available memory."""

    kind = "limit"


class VerificationError(Error):
    """A requested proof failed."""

    kind = "verification"


class Cancelled(Error):
    """The run was stopped."""

    kind = "cancelled"


class InternalError(Error, RuntimeError):
    """A bug in the library, or a broken installation."""


_kinds = (None, UsageError, InputError, OutputError, LimitError, VerificationError, Cancelled,
          InternalError)


def error_of(status, message, option):
    kind = _kinds[status] if 0 < status < len(_kinds) else InternalError
    return kind(message, option)
