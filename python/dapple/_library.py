"""Loads libdapple.so and declares its functions as in include/dapple/dapple.h."""

import ctypes
import os
import pathlib
import signal
import threading

try:
    import _signal as _signals  # signal without its enums, which are slow to load
except ImportError:
    _signals = signal

from .errors import error_of

ABI = 0

Progress = ctypes.CFUNCTYPE(ctypes.c_int, ctypes.c_void_p, ctypes.c_char_p, ctypes.c_double)


class Image(ctypes.Structure):
    _fields_ = [("data", ctypes.c_void_p), ("type", ctypes.c_int32), ("width", ctypes.c_int32),
                ("height", ctypes.c_int32), ("channels", ctypes.c_int32),
                ("pixel_stride", ctypes.c_ssize_t), ("row_stride", ctypes.c_ssize_t),
                ("channel_stride", ctypes.c_ssize_t)]


class Column(ctypes.Structure):
    _fields_ = [("name", ctypes.c_char_p), ("data", ctypes.c_void_p), ("type", ctypes.c_int32),
                ("count", ctypes.c_size_t), ("stride", ctypes.c_ssize_t)]


class Plane(ctypes.Structure):
    _fields_ = [("name", ctypes.c_char_p), ("data", ctypes.c_void_p), ("type", ctypes.c_int32),
                ("width", ctypes.c_int32), ("height", ctypes.c_int32), ("slices", ctypes.c_int32)]


_p = ctypes.c_void_p
_text = ctypes.c_char_p
_out = ctypes.POINTER(ctypes.c_void_p)
_text_out = ctypes.POINTER(ctypes.c_char_p)
_size_out = ctypes.POINTER(ctypes.c_size_t)

# Result and argument types by name. Context.call() checks results of type "status".
_functions = {
    "version": (_text, []),
    "abi": (ctypes.c_int32, []),
    "schema": (_text, []),
    "context_new": (_p, []),
    "context_free": (None, [_p]),
    "context_set": ("status", [_p, _text, _text]),
    "set_progress": (None, [_p, Progress, _p]),
    "cancel": (None, [_p]),
    "error_message": (_text, [_p]),
    "error_option": (_text, [_p]),
    "job_new": ("status", [_p, _text, _out]),
    "job_free": (None, [_p]),
    "job_set": ("status", [_p, _text, _text]),
    "job_set_recipe": ("status", [_p, _text]),
    "job_set_slices": ("status", [_p, _text, ctypes.POINTER(Image), ctypes.c_int32]),
    "job_set_mesh": ("status", [_p, _text, ctypes.POINTER(Column), ctypes.c_size_t, _p,
                                ctypes.c_size_t]),
    "job_set_points_in": ("status", [_p, _text, ctypes.POINTER(Column), ctypes.c_size_t,
                                     ctypes.POINTER(ctypes.c_double), ctypes.c_size_t,
                                     ctypes.c_int]),
    "job_run": ("status", [_p, _out]),
    "points_in": ("status", [_p, ctypes.POINTER(Column), ctypes.c_size_t,
                             ctypes.POINTER(ctypes.c_double), ctypes.c_size_t, ctypes.c_int,
                             _out]),
    "points_file": ("status", [_p, _text, _out]),
    "mask": ("status", [_p, ctypes.POINTER(Image), _out]),
    "recipe_in": ("status", [_p, _text, _text_out]),
    "result_free": (None, [_p]),
    "result_column": ("status", [_p, ctypes.c_size_t, ctypes.POINTER(Column)]),
    "result_plane": ("status", [_p, ctypes.c_size_t, ctypes.POINTER(Plane)]),
    "result_facts": ("status", [_p, _text_out]),
    "result_report": ("status", [_p, _text_out]),
    "result_certify": ("status", [_p]),
    "result_order": ("status", [_p, _text, ctypes.POINTER(Column)]),
    "result_curve": ("status", [_p, _text, ctypes.POINTER(_text), _out]),
    "result_save": ("status", [_p, _text]),
    "result_encode": ("status", [_p, _text, _out, _size_out]),
    "even_points": ("status", [_p, ctypes.c_double, ctypes.c_double, ctypes.c_double, ctypes.c_int,
                               _p, ctypes.c_size_t, _size_out]),
}


def _places():
    """Yields paths to try: DAPPLE_LIBRARY, then the folder of this package (in a wheel) and those above
    it (as built or installed), then the name alone, which the system's loader searches."""
    given = os.environ.get("DAPPLE_LIBRARY")
    if given:
        yield given
    for folder in list(pathlib.Path(__file__).resolve().parents)[:5]:
        for name in ("libdapple.so.0", "lib/libdapple.so.0"):
            if (folder / name).is_file():
                yield str(folder / name)
    yield "libdapple.so.0"


def _load():
    problems = []
    for place in _places():
        try:
            library = ctypes.CDLL(place)
        except OSError as error:
            problems.append(str(error))
            continue
        try:
            abi = library.dapple_abi()
        except AttributeError:
            problems.append(f"{place}: is not libdapple")
            continue
        missing = [name for name in _functions if not hasattr(library, "dapple_" + name)]
        if abi == ABI and not missing:
            return library
        if abi == ABI:
            problems.append(f"{place}: is older than this package (dapple_{missing[0]} is missing): "
                            "install both from one version")
            continue
        problems.append(f"{place}: has interface version {abi}, but this package needs {ABI}: "
                        "install both from one version")
    raise ImportError("libdapple.so.0 was not found: install libdapple0, or set DAPPLE_LIBRARY to the "
                      "path of the file. Tried:\n" + "\n".join(problems))


_loaded = _load()
for _name, (_returned, _taken) in _functions.items():
    _function = getattr(_loaded, "dapple_" + _name)
    _function.restype = ctypes.c_int32 if _returned == "status" else _returned
    _function.argtypes = _taken
    globals()[_name] = _function


class Context:
    """A context of the library, for one thread."""

    __slots__ = ("handle", "_told", "_thrown", "_interrupted", "_callback", "_interrupt", "_watched",
                 "_asked")

    def __init__(self):
        self.handle = context_new()
        if not self.handle:
            raise MemoryError("there is not enough memory for a context")
        self._told = None
        self._thrown = None
        self._interrupted = False
        self._callback = Progress(self._tell)
        self._interrupt = self._be_interrupted
        self._watched = False
        self._asked = None

    def __del__(self, free=context_free):
        if getattr(self, "handle", None):
            free(self.handle)

    def _tell(self, _data, stage, fraction):
        # Python runs its signal handlers during this call. No exception may pass through the
        # library, so run() raises it later.
        try:
            if self._told is not None:
                self._told(stage.decode(), fraction)
            return int(self._interrupted)
        except BaseException as thrown:
            self._thrown = thrown
            return 1

    def _be_interrupted(self, _number, _frame):
        self._interrupted = True

    def error(self, status):
        """Returns the last error as an exception."""
        return error_of(status, error_message(self.handle).decode(errors="replace"),
                        error_option(self.handle).decode(errors="replace"))

    def call(self, function, *arguments):
        """Calls a function that returns a status; raises its error."""
        status = function(*arguments)
        if status:
            raise self.error(status)

    def run(self, function, *arguments):
        """As call(), but for long work: reports progress, and Ctrl-C stops it."""
        # Replaces the default handler, which would raise inside a callback of the library.
        usual = signal.default_int_handler
        waits = (_signals.getsignal(_signals.SIGINT) is usual
                 and threading.current_thread() is threading.main_thread())
        watched = waits or self._told is not None
        if watched is not self._watched:
            set_progress(self.handle, self._callback if watched else Progress(), None)
            self._watched = watched
        self._thrown = None
        self._interrupted = False
        if waits:
            _signals.signal(_signals.SIGINT, self._interrupt)
        try:
            status = function(*arguments)
        finally:
            if waits:
                _signals.signal(_signals.SIGINT, usual)
        if self._interrupted:
            raise KeyboardInterrupt
        if self._thrown is not None:
            thrown, self._thrown = self._thrown, None
            raise thrown
        if status:
            raise self.error(status)

    def ask(self, options):
        """Sets options that apply to every run of this context."""
        self._asked = None
        for name, value in options.items():
            for one in value if isinstance(value, (list, tuple)) else [value]:
                self.call(context_set, self.handle, name.replace("_", "-").encode(),
                          str(one).encode())

    def ask_usual(self):
        """Restores the default options, for a run without any."""
        if self._asked is not _usual:
            self.ask(_usual)
            self._asked = _usual

    def tell(self, told):
        """Sets the progress function, which gets stage and fraction; None: no reports."""
        self._told = told


_usual = {"seed": 1, "threads": 0}
