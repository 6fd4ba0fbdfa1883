# Toolchain of the preset `windows`: clang with the headers and the C++ library of mingw-w64, since g++ 12 misaligns
# vectors of AVX on the stack of Windows (GCC bug 54412), and the libraries that scripts/source-libraries builds.
set(CMAKE_SYSTEM_NAME Windows)
set(CMAKE_SYSTEM_PROCESSOR x86_64)
set(triple x86_64-w64-mingw32)
set(gcc /usr/lib/gcc/${triple}/12-posix)
set(CMAKE_C_COMPILER clang)
set(CMAKE_CXX_COMPILER clang++)
set(CMAKE_C_COMPILER_TARGET ${triple})
set(CMAKE_CXX_COMPILER_TARGET ${triple})
set(CMAKE_ASM_COMPILER_TARGET ${triple})
set(CMAKE_RC_COMPILER ${triple}-windres)
set(CMAKE_AR /usr/bin/${triple}-ar)
set(CMAKE_RANLIB /usr/bin/${triple}-ranlib)
set(CMAKE_CXX_FLAGS_INIT "-Wno-unused-command-line-argument -nostdinc++ -isystem ${gcc}/include/c++ -isystem ${gcc}/include/c++/${triple}")
# Two conversions of characters replace those of the C library (cmake/windows/posix.cpp). The program names no time, so that
# each build gives the same bytes.
set(CMAKE_EXE_LINKER_FLAGS_INIT "-fuse-ld=lld -static -L${gcc} -Wl,--allow-multiple-definition -Wl,--no-insert-timestamp")
set(CMAKE_CXX_STANDARD_LIBRARIES "-lpthread")
set(libraries ${CMAKE_CURRENT_LIST_DIR}/../../build/source-libraries/windows)
include(${CMAKE_CURRENT_LIST_DIR}/../source_libraries.cmake)
