# Toolchain of the preset `web`: emscripten with native exceptions and vectors of 128 bits, and the libraries that
# scripts/source-libraries builds.
include(/usr/share/emscripten/cmake/Modules/Platform/Emscripten.cmake)
set(DAPPLE_WEB_PREFIX ${CMAKE_CURRENT_LIST_DIR}/../../build/source-libraries/web)
list(APPEND CMAKE_PREFIX_PATH ${DAPPLE_WEB_PREFIX})
set(Eigen3_DIR /usr/share/eigen3/cmake)
foreach(kind PACKAGE INCLUDE LIBRARY)
  set(CMAKE_FIND_ROOT_PATH_MODE_${kind} BOTH)
endforeach()
set(ENV{PKG_CONFIG_LIBDIR} ${DAPPLE_WEB_PREFIX}/lib/pkgconfig)
set(CMAKE_C_FLAGS_INIT "-fwasm-exceptions -sSUPPORT_LONGJMP=wasm -msimd128")
set(CMAKE_CXX_FLAGS_INIT "${CMAKE_C_FLAGS_INIT} -include ${CMAKE_CURRENT_LIST_DIR}/bit_cast.hpp")
