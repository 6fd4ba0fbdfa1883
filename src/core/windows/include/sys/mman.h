#include "core/windows/posix.hpp"
