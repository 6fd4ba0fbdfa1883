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
# clang 14 packs calls of portable_log() into vectors, if one source holds it and its callers, and then computes another value:
# automatic contrast was wrong. The option counts only after -O2, so it does not stand among the flags above.
add_compile_options(-fno-slp-vectorize)
# A page waits for its download, so what has no hot loops is compiled for size. Compiling relax, draw, darts, cell textures and
# the cells of spheres, boxes and meshes this way would save another 10 % and cost 40 to 170 % of their speed.
set(DAPPLE_COLD_OPTIMIZATION -Os)
set(DAPPLE_SMALL_SOURCES
  "src/(analyze|core/(options|figures)|field/(read|space)|generate/mask|sample/(certify|class_maps|geodesic|trace))/"
  "src/.*/options\\.cpp"
  "src/sample/(class_|count|cut_|endless|fixed|make_|points_options|scatter|space\\.|unit_radii|wang)"
  "src/sample/box_space/(certify|class_order|progressive|sample_solid|solid|volume_points)\\.cpp"
  "src/sample/surface/(certify|classes|count|curvature|fixed_on_surface|order|slope|surface|triangles|winding)\\.cpp")
list(JOIN DAPPLE_SMALL_SOURCES "|" DAPPLE_SMALL_SOURCES)
