"""What may go wrong, by kind."""


class Error(Exception):
    """What went wrong, and the option at fault, or "" where it is none."""

    kind = "internal"

    def __init__(self, message, option=""):
        super().__init__(message)
        self.option = option


class UsageError(Error, ValueError):
    """Options that make no sense."""

    kind = "usage"


class InputError(Error, ValueError):
    """An image, points or a file that cannot be read or used."""

    kind = "input"


class OutputError(Error, OSError):
    """A file that could not be written."""

    kind = "output"


class LimitError(Error, MemoryError):
    """More pixels, points or memory than the limits allow, or there is."""

    kind = "limit"


class VerificationError(Error):
    """A proof that was asked for did not hold."""

    kind = "verification"


class Cancelled(Error):
    """The run was stopped."""

    kind = "cancelled"


class InternalError(Error, RuntimeError):
    """A broken promise of the library itself."""


_kinds = (None, UsageError, InputError, OutputError, LimitError, VerificationError, Cancelled,
          InternalError)


def error_of(status, message, option):
    kind = _kinds[status] if 0 < status < len(_kinds) else InternalError
    return kind(message, option)
