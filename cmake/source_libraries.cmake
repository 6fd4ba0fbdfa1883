# The rest of a toolchain for a system whose libraries scripts/source-libraries builds: finds them, and headers alone, in
# `libraries`, and nothing of this system.
list(APPEND CMAKE_PREFIX_PATH ${libraries})
set(CMAKE_FIND_ROOT_PATH ${libraries})
set(Eigen3_DIR /usr/share/eigen3/cmake)
set(CMAKE_FIND_ROOT_PATH_MODE_PROGRAM NEVER)
foreach(kind PACKAGE INCLUDE LIBRARY)
  set(CMAKE_FIND_ROOT_PATH_MODE_${kind} ONLY)
endforeach()
set(ENV{PKG_CONFIG_LIBDIR} ${libraries}/lib/pkgconfig)
