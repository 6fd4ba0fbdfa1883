// Refuses compilers that read an older C++, whose errors would not name the cause.
#pragma once

#if defined(_MSVC_LANG) ? _MSVC_LANG < 202002L : __cplusplus < 201709L
#error "Dapple's headers need C++20: compile with -std=c++20, or CMake's target_compile_features"
#endif
