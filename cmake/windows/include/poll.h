#include "cmake/windows/posix.hpp"
