// Implements calls of POSIX by those of Windows.
#include "cmake/windows/posix.hpp"

#include <algorithm>
#include <array>
#include <atomic>
#include <cerrno>
#include <cwchar>
#include <cwctype>
#include <string_view>

#include "cmake/windows/include/sys/random.h"

#define WIN32_LEAN_AND_MEAN
#ifndef NOMINMAX
#define NOMINMAX
#endif
#include <windows.h>

// These need the types of windows.h.
#include <ntsecapi.h>
#include <psapi.h>

namespace {

namespace fs = std::filesystem;

int fail(DWORD error = GetLastError()) {
  switch (error) {
    case ERROR_FILE_NOT_FOUND:
    case ERROR_PATH_NOT_FOUND:
    case ERROR_BAD_NETPATH:
    case ERROR_BAD_NET_NAME:
    case ERROR_INVALID_NAME:
      errno = ENOENT;
      break;
    case ERROR_FILE_EXISTS:
    case ERROR_ALREADY_EXISTS:
      errno = EEXIST;
      break;
    case ERROR_SHARING_VIOLATION:
    case ERROR_LOCK_VIOLATION:
      errno = EBUSY;
      break;
    case ERROR_DISK_FULL:
    case ERROR_HANDLE_DISK_FULL:
      errno = ENOSPC;
      break;
    case ERROR_WRITE_PROTECT:
      errno = EROFS;
      break;
    case ERROR_TOO_MANY_OPEN_FILES:
      errno = EMFILE;
      break;
    case ERROR_NOT_ENOUGH_MEMORY:
    case ERROR_OUTOFMEMORY:
      errno = ENOMEM;
      break;
    case ERROR_BROKEN_PIPE:
    case ERROR_NO_DATA:
      errno = EPIPE;
      break;
    case ERROR_ACCESS_DENIED:
      errno = EACCES;
      break;
    default:
      errno = EIO;
  }
  return -1;
}

HANDLE handle_of(int descriptor) {
  return reinterpret_cast<HANDLE>(_get_osfhandle(descriptor));
}

DWORD most(std::size_t size) {
  return static_cast<DWORD>(std::min<std::size_t>(size, 1 << 30));
}

int open_handle(const wchar_t* path, int flags, DWORD attributes) {
  const bool reads = (flags & 3) != O_WRONLY;
  const bool writes = (flags & 3) != O_RDONLY;
  const DWORD access =
      (reads ? GENERIC_READ : 0) |
      (writes ? (flags & O_APPEND) != 0 ? FILE_APPEND_DATA | SYNCHRONIZE : GENERIC_WRITE : 0) |
      ((attributes & FILE_FLAG_DELETE_ON_CLOSE) != 0 ? DELETE : 0);
  const DWORD creation = (flags & O_CREAT) == 0  ? OPEN_EXISTING
                         : (flags & O_EXCL) != 0 ? CREATE_NEW
                                                 : OPEN_ALWAYS;
  const HANDLE handle =
      CreateFileW(path, access, FILE_SHARE_READ | FILE_SHARE_WRITE | FILE_SHARE_DELETE, nullptr,
                  creation, attributes, nullptr);
  if (handle == INVALID_HANDLE_VALUE) return fail();
  const int descriptor =
      _open_osfhandle(reinterpret_cast<std::intptr_t>(handle), O_BINARY | (flags & (3 | O_APPEND)));
  if (descriptor < 0) CloseHandle(handle);
  return descriptor;
}

// Opens a file, folder or device without access to its bytes.
HANDLE open_attributes(const wchar_t* path) {
  return CreateFileW(path, FILE_READ_ATTRIBUTES,
                     FILE_SHARE_READ | FILE_SHARE_WRITE | FILE_SHARE_DELETE, nullptr, OPEN_EXISTING,
                     FILE_FLAG_BACKUP_SEMANTICS, nullptr);
}

}  // namespace

int open(const wchar_t* path, int flags, int) {
  if ((flags & O_TMPFILE) != 0) {
    errno = EOPNOTSUPP;
    return -1;
  }
  return open_handle(path, flags, FILE_ATTRIBUTE_NORMAL);
}

int stat(const wchar_t* path, struct stat* status) {
  // The C library takes a device or a pipe for a regular file, and reading it may have no end.
  const HANDLE file = open_attributes(path);
  if (file != INVALID_HANDLE_VALUE) {
    const DWORD type = GetFileType(file);
    CloseHandle(file);
    if (type == FILE_TYPE_CHAR || type == FILE_TYPE_PIPE) {
      *status = {};
      status->st_mode = type == FILE_TYPE_CHAR ? S_IFCHR : S_IFIFO;
      return 0;
    }
  }
  return _wstat64(path, reinterpret_cast<struct _stat64*>(status));
}

int lstat(const wchar_t* path, struct stat* status) {
  return stat(path, status);
}

std::int64_t change_nanoseconds(const fs::path& path) {
  const HANDLE file = open_attributes(path.c_str());
  if (file == INVALID_HANDLE_VALUE) return -1;
  FILE_BASIC_INFO info{};
  const bool known = GetFileInformationByHandleEx(file, FileBasicInfo, &info, sizeof info);
  CloseHandle(file);
  return known ? (info.ChangeTime.QuadPart - 116'444'736'000'000'000) * 100 : -1;
}

bool is_link(const fs::path& path) {
  WIN32_FIND_DATAW entry;
  const HANDLE search = FindFirstFileW(path.c_str(), &entry);
  if (search == INVALID_HANDLE_VALUE) return false;
  FindClose(search);
  return (entry.dwFileAttributes & FILE_ATTRIBUTE_REPARSE_POINT) != 0 &&
         (entry.dwReserved0 == IO_REPARSE_TAG_SYMLINK ||
          entry.dwReserved0 == IO_REPARSE_TAG_MOUNT_POINT);
}

int access(const wchar_t* path, int mode) {
  return _waccess(path, mode & ~X_OK);
}

int unlink(const wchar_t* path) {
  return DeleteFileW(path) ? 0 : fail();
}

int rename(const wchar_t* from, const wchar_t* to) {
  return MoveFileExW(from, to, MOVEFILE_REPLACE_EXISTING | MOVEFILE_WRITE_THROUGH) ? 0 : fail();
}

int linkat(int, const wchar_t* from, int, const wchar_t* to, int) {
  if (CreateHardLinkW(to, from, nullptr)) return 0;
  const DWORD error = GetLastError();
  const bool no_links = error == ERROR_INVALID_FUNCTION || error == ERROR_NOT_SUPPORTED;
  return no_links && MoveFileExW(from, to, MOVEFILE_WRITE_THROUGH) ? 0 : fail(error);
}

ssize_t read(int descriptor, void* bytes, std::size_t size) {
  return _read(descriptor, bytes, most(size));
}

ssize_t write(int descriptor, const void* bytes, std::size_t size) {
  return _write(descriptor, bytes, most(size));
}

ssize_t pread(int descriptor, void* bytes, std::size_t size, off_t at) {
  // A read at an offset moves the position of the file, which is put back.
  const HANDLE file = handle_of(descriptor);
  LARGE_INTEGER before{};
  if (!SetFilePointerEx(file, {}, &before, FILE_CURRENT)) return fail();
  OVERLAPPED where{};
  where.Offset = static_cast<DWORD>(at & 0xffffffff);
  where.OffsetHigh = static_cast<DWORD>(static_cast<std::uint64_t>(at) >> 32);
  DWORD count = 0;
  const bool done = ReadFile(file, bytes, most(size), &count, &where);
  const DWORD error = done ? ERROR_SUCCESS : GetLastError();
  SetFilePointerEx(file, before, nullptr, FILE_BEGIN);
  if (!done && error != ERROR_HANDLE_EOF) return fail(error);
  return static_cast<ssize_t>(count);
}

int fsync(int descriptor) {
  return FlushFileBuffers(handle_of(descriptor)) ? 0 : fail();
}

int is_console(int descriptor) {
  DWORD mode = 0;
  return GetConsoleMode(handle_of(descriptor), &mode) ? 1 : 0;
}

int fcntl(int descriptor, int command, int) {
  if (command == F_DUPFD_CLOEXEC) return _dup(descriptor);
  if (_get_osfhandle(descriptor) >= 0) return 0;
  errno = EBADF;
  return -1;
}

int memfd_create(const char*, unsigned) {
  static std::atomic<unsigned> counter{0};
  std::error_code failure;
  const fs::path folder = fs::temp_directory_path(failure);
  if (failure) return fail(ERROR_PATH_NOT_FOUND);
  const std::string name =
      "dapple-" + std::to_string(_getpid()) + "-" + std::to_string(counter.fetch_add(1)) + ".tmp";
  return open_handle((folder / name).c_str(), O_RDWR | O_CREAT | O_EXCL,
                     FILE_ATTRIBUTE_TEMPORARY | FILE_FLAG_DELETE_ON_CLOSE);
}

char* mkdtemp(char* pattern) {
  static std::atomic<unsigned> counter{0};
  const std::string_view text = pattern;
  for (int i = 0; i < 1000; ++i) {
    unsigned number = static_cast<unsigned>(_getpid()) * 1000 + counter.fetch_add(1);
    for (std::size_t at = text.size() - 6; at < text.size(); ++at, number /= 26) {
      pattern[at] = static_cast<char>('a' + number % 26);
    }
    if (CreateDirectoryW(fs::path(pattern).c_str(), nullptr)) return pattern;
    if (GetLastError() != ERROR_ALREADY_EXISTS) break;
  }
  fail();
  return nullptr;
}

int syncfs(int) {
  errno = ENOSYS;
  return -1;
}

std::string name_problem(const fs::path& path) {
  constexpr std::array<std::wstring_view, 6> devices{L"CON", L"PRN",    L"AUX",
                                                     L"NUL", L"CONIN$", L"CONOUT$"};
  for (const fs::path& part : path.relative_path()) {
    const std::wstring& name = part.native();
    if (name == L"." || name == L"..") continue;
    const auto is_control = [](wchar_t letter) { return letter < 32; };
    if (name.find_first_of(L"<>:\"|?*") != std::wstring::npos ||
        std::any_of(name.begin(), name.end(), is_control)) {
      return "the name has a character that Windows does not allow: a line break or one of "
             "< > : \" | ? *";
    }
    if (!name.empty() && (name.back() == L'.' || name.back() == L' ')) {
      return "'" + part.string() + "' ends in a dot or a space, which Windows would remove";
    }
    std::wstring stem = name.substr(0, name.find(L'.'));
    for (wchar_t& letter : stem) letter = static_cast<wchar_t>(std::towupper(letter));
    const bool port = stem.size() == 4 && (stem.starts_with(L"COM") || stem.starts_with(L"LPT")) &&
                      stem[3] >= L'1' && stem[3] <= L'9';
    if (port || std::find(devices.begin(), devices.end(), stem) != devices.end()) {
      return "'" + part.string() + "' is the name of a device on Windows";
    }
  }
  return "";
}

int poll(pollfd* files, unsigned count, int milliseconds) {
  if (count == 0) Sleep(static_cast<DWORD>(milliseconds));
  for (unsigned i = 0; i < count; ++i) files[i].revents = files[i].events;
  return static_cast<int>(count);
}

namespace {

void find_matches(const fs::path& before, fs::path::iterator part, fs::path::iterator end,
                  std::vector<std::string>& names) {
  if (part == end) {
    names.push_back(before.generic_string());
    return;
  }
  const fs::path pattern = *part;
  const auto rest = std::next(part);
  std::error_code ignored;
  if (pattern.native().find_first_of(L"*?") == std::wstring::npos) {
    const fs::path path = before / pattern;
    if (rest != end || fs::exists(path, ignored)) find_matches(path, rest, end, names);
    return;
  }
  WIN32_FIND_DATAW entry;
  const HANDLE search = FindFirstFileW((before / pattern).c_str(), &entry);
  if (search == INVALID_HANDLE_VALUE) return;
  do {
    const std::wstring_view name = entry.cFileName;
    if (name.starts_with(L'.')) continue;  // as on other systems
    if (rest != end && (entry.dwFileAttributes & FILE_ATTRIBUTE_DIRECTORY) == 0) continue;
    find_matches(before / name, rest, end, names);
  } while (FindNextFileW(search, &entry));
  FindClose(search);
}

}  // namespace

int glob(const char* pattern, int, void*, glob_t* found) {
  found->names = new std::vector<std::string>();
  found->pointers = new std::vector<char*>();
  const fs::path path = pattern;
  find_matches({}, path.begin(), path.end(), *found->names);
  for (std::string& name : *found->names) found->pointers->push_back(name.data());
  found->gl_pathc = found->names->size();
  found->gl_pathv = found->pointers->data();
  return 0;
}

void globfree(glob_t* found) {
  delete found->names;
  delete found->pointers;
}

ConsoleInUtf8::ConsoleInUtf8() : page_(GetConsoleOutputCP()) {
  for (const int stream : {STDIN_FILENO, STDOUT_FILENO, STDERR_FILENO}) {
    if (_get_osfhandle(stream) >= 0) _setmode(stream, O_BINARY);
  }
  SetConsoleOutputCP(CP_UTF8);
  DWORD mode = 0;
  const HANDLE console = GetStdHandle(STD_ERROR_HANDLE);
  if (GetConsoleMode(console, &mode)) {
    SetConsoleMode(console, mode | ENABLE_VIRTUAL_TERMINAL_PROCESSING);
  }
}

ConsoleInUtf8::~ConsoleInUtf8() {
  if (page_ != 0) SetConsoleOutputCP(page_);
}

fs::path program_file() {
  std::wstring name(32768, L'\0');
  name.resize(GetModuleFileNameW(nullptr, name.data(), static_cast<DWORD>(name.size())));
  return name;
}

long sysconf(int name) {
  constexpr long page = 4096;
  if (name == _SC_PAGESIZE) return page;
  MEMORYSTATUSEX status{};
  status.dwLength = sizeof status;
  GlobalMemoryStatusEx(&status);
  return static_cast<long>(status.ullTotalPhys / page);
}

int getrlimit(int, rlimit* limit) {
  limit->rlim_cur = 2048;  // descriptors of the C library
  return 0;
}

int getrusage(int, rusage* usage) {
  PROCESS_MEMORY_COUNTERS counters{};
  K32GetProcessMemoryInfo(GetCurrentProcess(), &counters, sizeof counters);
  usage->ru_maxrss = static_cast<long>(counters.PeakWorkingSetSize / 1024);
  return 0;
}

void* mmap(void*, std::size_t bytes, int, int, int, int) {
  return VirtualAlloc(nullptr, bytes, MEM_RESERVE | MEM_COMMIT, PAGE_READWRITE);
}

ssize_t getrandom(void* bytes, std::size_t size, unsigned) {
  return RtlGenRandom(bytes, static_cast<ULONG>(size)) ? static_cast<ssize_t>(size) : -1;
}

int pause() {
  Sleep(INFINITE);
  return -1;
}

int sigaction(int signal, const struct sigaction* action, struct sigaction* before) {
  const auto old = std::signal(signal, action == nullptr ? SIG_DFL : action->sa_handler);
  if (action == nullptr) std::signal(signal, old);
  if (before != nullptr) before->sa_handler = old;
  return old == SIG_ERR ? -1 : 0;
}

// ---- conversion of characters
// --------------------------------------------------------------------- The standard library turns
// the text of a path into wide characters and back by these two functions of the C library, whose
// own versions use the code page of the system. A character beyond 65,535 is two wide characters:
// the first arrives with its third byte, the second with its last byte.
extern "C" {

std::size_t mbrtowc(wchar_t* wide, const char* text, std::size_t size, mbstate_t* state) {
  static mbstate_t own = 0;
  constexpr auto unfinished = static_cast<std::size_t>(-2);
  constexpr auto invalid = static_cast<std::size_t>(-1);
  if (state == nullptr) state = &own;
  if (text == nullptr) return 0;
  // The state holds the last three payloads of a character of four bytes, with bit 30 set.
  if (*state != 0) {
    if (size == 0) return unfinished;
    const auto last = static_cast<unsigned char>(*text);
    const auto code = ((static_cast<std::uint32_t>(*state) & 0x7fff) << 6) | (last & 63u);
    *state = 0;
    if ((last & 0xc0) != 0x80) {
      errno = EILSEQ;
      return invalid;
    }
    if (wide != nullptr) *wide = static_cast<wchar_t>(0xdc00 | (code & 0x3ff));
    return 1;
  }
  if (size == 0) return unfinished;
  const auto first = static_cast<unsigned char>(text[0]);
  const std::size_t length = first < 0x80   ? 1
                             : first < 0xc2 ? 0
                             : first < 0xe0 ? 2
                             : first < 0xf0 ? 3
                             : first < 0xf5 ? 4
                                            : 0;
  std::uint32_t code = length == 1 ? first : first & (0x7fu >> length);
  const std::size_t used = std::min<std::size_t>(length, 3);
  for (std::size_t i = 1; i < used; ++i) {
    if (i >= size) return unfinished;
    const auto next = static_cast<unsigned char>(text[i]);
    if ((next & 0xc0) != 0x80) {
      errno = EILSEQ;
      return invalid;
    }
    code = code << 6 | (next & 63u);
  }
  const bool surrogate = length == 3 && code >= 0xd800 && code < 0xe000;
  if (length == 0 || surrogate || (length == 3 && code < 0x800) ||
      (length == 4 && (code < 0x400 || code > 0x43ff))) {
    errno = EILSEQ;
    return invalid;
  }
  if (length == 4) {
    // Without its last six bits: the upper ten of the twenty that the two wide characters hold.
    *state = static_cast<mbstate_t>(0x40000000u | (code & 0xf));
    code = 0xd800 | ((code - 0x400) >> 4);
  }
  if (wide != nullptr) *wide = static_cast<wchar_t>(code);
  return code == 0 ? 0 : used;
}

std::size_t wcrtomb(char* text, wchar_t wide, mbstate_t* state) {
  static mbstate_t own = 0;
  if (state == nullptr) state = &own;
  if (text == nullptr) return 1;
  std::uint32_t code = wide;
  if (code >= 0xd800 && code < 0xdc00 && *state == 0) {
    *state = static_cast<mbstate_t>(code);
    return 0;
  }
  const bool low = code >= 0xdc00 && code < 0xe000;
  if (low != (*state != 0)) {
    *state = 0;
    errno = EILSEQ;
    return static_cast<std::size_t>(-1);
  }
  if (low) code = 0x10000 + ((static_cast<std::uint32_t>(*state) & 0x3ff) << 10) + (code & 0x3ff);
  *state = 0;
  const std::size_t length = code < 0x80 ? 1 : code < 0x800 ? 2 : code < 0x10000 ? 3 : 4;
  for (std::size_t i = length - 1; i > 0; --i, code >>= 6) {
    text[i] = static_cast<char>(0x80 | (code & 63));
  }
  constexpr std::array<unsigned, 5> mark{0, 0, 0xc0, 0xe0, 0xf0};
  text[0] = static_cast<char>(mark[length] | code);
  return length;
}

}  // extern "C"
