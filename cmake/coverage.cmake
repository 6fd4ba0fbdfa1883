# Counts of the branches that run of readers, files and batches: preset coverage.
# They stand in files that processes share while they run, so that one that is killed, or may open no file, counts too.
include(cmake/readers.cmake)
set(counting -O1 -Wno-unknown-warning-option -fcoverage-mapping -fprofile-instr-generate=${PROJECT_BINARY_DIR}/counts/%m%c.profraw
  -mllvm -runtime-counter-relocation)
look_closely(${counting})

execute_process(COMMAND clang++ --rtlib=compiler-rt -print-libgcc-file-name COMMAND_ERROR_IS_FATAL ANY
                OUTPUT_VARIABLE runtime OUTPUT_STRIP_TRAILING_WHITESPACE)
string(REPLACE builtins profile runtime "${runtime}")
foreach(folder . tests tests/fuzz tests/faults)
  get_property(targets DIRECTORY ${folder} PROPERTY BUILDSYSTEM_TARGETS)
  foreach(target ${targets})
    get_target_property(type ${target} TYPE)
    if(type STREQUAL EXECUTABLE OR target STREQUAL dapple-image)
      # The first object that is counted says where counts go, and by its names a program is told from others.
      set(source ${PROJECT_BINARY_DIR}/programs/${target}.cpp)
      string(MAKE_C_IDENTIFIER ${target} name)
      file(CONFIGURE OUTPUT ${source} CONTENT "int counts_of_${name}() { return 0; }\n")
      set_property(SOURCE ${source} TARGET_DIRECTORY ${target} PROPERTY COMPILE_OPTIONS ${counting})
      target_sources(${target} PRIVATE ${source})
      target_link_libraries(${target} PRIVATE ${runtime} -u__llvm_profile_runtime)
    endif()
  endforeach()
endforeach()
