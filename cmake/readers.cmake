# What reads and writes files and texts of strangers: presets coverage and fuzz look at these sources, by clang.
file(GLOB_RECURSE readers src/io/*.cpp src/app/batch/*.cpp)
foreach(source src/app/arguments.cpp src/app/reproduce.cpp src/core/options.cpp src/core/units.cpp
               src/generate/dither/palette.cpp)
  list(APPEND readers ${PROJECT_SOURCE_DIR}/${source})
endforeach()
function(look_closely)
  set_property(SOURCE ${readers} APPEND PROPERTY COMPILE_OPTIONS ${ARGN})
endfunction()
