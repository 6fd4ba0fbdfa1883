# cmake -D BUILD=... -D SOURCE=... -D WORK=... -D CC=... -D CXX=... -D FLAGS=... -P install_and_use.cmake
function(run)
  execute_process(COMMAND ${ARGN} RESULT_VARIABLE code OUTPUT_VARIABLE output ERROR_VARIABLE output)
  if(NOT code EQUAL 0)
    string(REPLACE ";" " " command "${ARGN}")
    message(FATAL_ERROR "${command}\nexit code ${code}\n${output}")
  endif()
endfunction()

file(REMOVE_RECURSE ${WORK})
run(${CMAKE_COMMAND} --install ${BUILD} --prefix ${WORK}/prefix)
# What a user finds beside the program, each where its reader looks.
foreach(installed
    share/man/man1/dapple.1 share/man/man1/dapple-stipple.1 share/man/man1/dapple-batch.1
    share/bash-completion/completions/dapple share/zsh/site-functions/_dapple
    share/fish/vendor_completions.d/dapple.fish share/dapple/presets/texture-cobbles.toml
    share/doc/dapple/LICENSE share/inkscape/extensions/dapple_stipple.inx
    share/inkscape/extensions/dapple_stipple.py share/inkscape/extensions/dapple_program.py
    share/blender/scripts/addons/dapple_addon/__init__.py
    share/blender/scripts/addons/dapple_addon/blender_manifest.toml
    lib/dapple/openimageio/dapple.imageio.so)
  if(NOT EXISTS ${WORK}/prefix/${installed})
    message(FATAL_ERROR "${installed} is not installed")
  endif()
  file(SIZE ${WORK}/prefix/${installed} size)
  if(size LESS 100)
    message(FATAL_ERROR "${installed} is empty")
  endif()
endforeach()
file(READ ${WORK}/prefix/share/man/man1/dapple-stipple.1 page)
if(NOT page MATCHES "regularity")
  message(FATAL_ERROR "the man page of stipple does not tell its options")
endif()
# Programs find the library without pkg-config, which Windows and vcpkg do not have.
run(${CMAKE_COMMAND} -S ${SOURCE}/samples -B ${WORK}/build -G Ninja -D CMAKE_DISABLE_FIND_PACKAGE_PkgConfig=ON
    -D CMAKE_PREFIX_PATH=${WORK}/prefix -D CMAKE_C_COMPILER=${CC} -D CMAKE_CXX_COMPILER=${CXX} -D CMAKE_CXX_FLAGS=${FLAGS})
run(${CMAKE_COMMAND} --build ${WORK}/build)
# An older C++ is refused by its cause, and a program that includes the sampler alone can catch its errors.
file(GLOB_RECURSE headers ${WORK}/prefix/include/dapple/*.hpp)
foreach(header ${headers})
  execute_process(COMMAND ${CXX} -std=c++17 -fsyntax-only -x c++ -I${WORK}/prefix/include ${header}
    RESULT_VARIABLE code ERROR_VARIABLE output)
  string(REGEX MATCH "error: [^\n]*" first "${output}")
  if(NOT code EQUAL 0 AND NOT first MATCHES "[cC][+][+]20")
    message(FATAL_ERROR "${header} as C++17: ${first}")
  endif()
endforeach()
file(WRITE ${WORK}/sampler.cpp [[
#include "dapple/sample.hpp"
std::size_t number() {
  try {
    dapple::Context context;
    return dapple::sample(dapple::Domain{64, 64}, 4.0, {}, context).size();
  } catch (const dapple::Error& error) {
    return error.kind() == dapple::ErrorKind::usage;
  }
}
]])
run(${CXX} -std=c++20 -fsyntax-only -I${WORK}/prefix/include ${WORK}/sampler.cpp)
# The Python package finds the library that lies beside it.
execute_process(COMMAND /usr/bin/python3 -c "import numpy" RESULT_VARIABLE no_numpy ERROR_QUIET)
if(NOT no_numpy)
  unset(ENV{DAPPLE_LIBRARY})
  set(ENV{PYTHONPATH} ${WORK}/prefix/lib/python3/dist-packages)
  run(/usr/bin/python3 -B -c
      "import dapple; dapple.stipple('${SOURCE}/samples/clock.png', preset='linocut', dots=500).save('${WORK}/from_python.svg')")
endif()
# A C program needs nothing of what the C++ library is linked with, and no C++ compiler.
file(CONFIGURE OUTPUT ${WORK}/c/CMakeLists.txt @ONLY CONTENT [[
cmake_minimum_required(VERSION 3.25)
project(points C)
set(CMAKE_DISABLE_FIND_PACKAGE_TBB ON)
find_package(dapple 0.2 REQUIRED COMPONENTS c)
add_executable(even_points @SOURCE@/samples/even_points.c)
target_link_libraries(even_points dapple::c)
find_package(dapple 0.2 QUIET COMPONENTS fortran)
if(dapple_FOUND)
  message(FATAL_ERROR "there is no component fortran")
endif()
]])
run(${CMAKE_COMMAND} -S ${WORK}/c -B ${WORK}/c/build -G Ninja
    -D CMAKE_PREFIX_PATH=${WORK}/prefix -D CMAKE_C_COMPILER=${CC})
run(${CMAKE_COMMAND} --build ${WORK}/c/build)
run(${WORK}/c/build/even_points)
# The core of the C++ library needs none of what files need.
file(CONFIGURE OUTPUT ${WORK}/core/CMakeLists.txt @ONLY CONTENT [[
cmake_minimum_required(VERSION 3.25)
project(points CXX)
foreach(package JPEG PNG PkgConfig pugixml)
  set(CMAKE_DISABLE_FIND_PACKAGE_${package} ON)
endforeach()
find_package(dapple 0.2 REQUIRED COMPONENTS core)
add_executable(any_first_part @SOURCE@/samples/any_first_part.cpp)
target_link_libraries(any_first_part dapple::core)
]])
run(${CMAKE_COMMAND} -S ${WORK}/core -B ${WORK}/core/build -G Ninja -D CMAKE_PREFIX_PATH=${WORK}/prefix
    -D CMAKE_CXX_COMPILER=${CXX} -D CMAKE_CXX_FLAGS=${FLAGS})
run(${CMAKE_COMMAND} --build ${WORK}/core/build)
run(${WORK}/core/build/any_first_part)
# The same by pkg-config, for builds that are no CMake.
find_program(PKG_CONFIG pkg-config REQUIRED)
set(ENV{PKG_CONFIG_PATH} ${WORK}/prefix/lib/pkgconfig)
execute_process(COMMAND ${PKG_CONFIG} --cflags --libs dapple OUTPUT_VARIABLE flags
  OUTPUT_STRIP_TRAILING_WHITESPACE COMMAND_ERROR_IS_FATAL ANY)
separate_arguments(flags)
run(${CC} -std=c99 ${SOURCE}/samples/even_points.c -o ${WORK}/by_pkg_config ${flags}
    -Wl,-rpath,${WORK}/prefix/lib)
run(${WORK}/by_pkg_config)

# The installed program finds its presets and its image module; so do the sample programs.
set(ENV{DAPPLE_MODULE_PATH} ${WORK}/prefix/lib/dapple)
run(${WORK}/prefix/bin/dapple mask --size 16 -o ${WORK}/mask.png)
run(${WORK}/prefix/bin/dapple presets)
run(${WORK}/build/endless_plane 300 2)
run(${WORK}/build/stipple_a_photo ${SOURCE}/samples/ascent.png ${WORK}/stippled.svg)
run(${WORK}/build/mask_statistics)
run(${WORK}/build/density_of_ones_own ${WORK}/dense.ply)
run(${WORK}/build/stop_and_go_on)
run(${WORK}/build/into_own_memory)
run(${WORK}/build/what_is_refused)
run(${WORK}/build/fractal_plane ${WORK}/plane.png)
# Programs in C, which need no more than the library and its module.
run(${WORK}/build/even_points 7)
run(${WORK}/build/mask_tile)
run(${WORK}/build/cell_distances)
run(${WORK}/build/stipple_from_c ${SOURCE}/samples/clock.png ${WORK}/from_c.svg preset portrait dots 2000)
run(${WORK}/prefix/bin/dapple stipple ${SOURCE}/samples/clock.png --dots 2000 --preset portrait
    -o ${WORK}/from_program.svg)
run(${CMAKE_COMMAND} -E compare_files ${WORK}/from_c.svg ${WORK}/from_program.svg)
run(${WORK}/build/points_on_a_vase ${WORK}/vase.ply ${WORK}/vase.png ${WORK}/vase.obj)
run(${WORK}/build/points_on_a_scroll ${WORK}/scroll.obj ${WORK}/scroll.png)
run(${WORK}/prefix/bin/dapple sample --on ${WORK}/vase.obj --radius 4% --certify -o ${WORK}/again.csv)
foreach(made mask.png dense.ply stippled.svg plane.png vase.ply vase.png scroll.png again.csv)
  if(NOT EXISTS ${WORK}/${made})
    message(FATAL_ERROR "${made} was not made")
  endif()
endforeach()
