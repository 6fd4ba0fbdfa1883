#pragma once

#include "cmake/windows/posix.hpp"

// Fills memory with random bytes of the system.
ssize_t getrandom(void* bytes, std::size_t size, unsigned flags);
