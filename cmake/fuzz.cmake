# Readers with the counts and checks of libFuzzer, AddressSanitizer and UndefinedBehaviorSanitizer; all else as it is.
include(cmake/readers.cmake)
# Without `unreachable`, as src/io/CMakeLists.txt explains for toml++; these options come after those of the file.
set(checks -O1 -g1 -Wno-unknown-warning-option -fsanitize=fuzzer-no-link,address,undefined -fno-sanitize=unreachable)
look_closely(${checks})
file(GLOB parts tests/fuzz/*.cpp)
set_property(SOURCE ${parts} DIRECTORY tests/fuzz APPEND PROPERTY COMPILE_OPTIONS ${checks})

# Linked by clang, which has the libraries of these checks.
function(link_checked target)
  set_property(TARGET ${target} PROPERTY RULE_LAUNCH_LINK ${PROJECT_SOURCE_DIR}/cmake/some-by-clang)
  target_link_options(${target} PRIVATE -fsanitize=address,undefined)
endfunction()
get_property(targets DIRECTORY tests/fuzz PROPERTY BUILDSYSTEM_TARGETS)
foreach(target ${targets} dapple-image dapple-decode dapple_program)
  get_target_property(type ${target} TYPE)
  if(type MATCHES "EXECUTABLE|MODULE")
    link_checked(${target})
  endif()
endforeach()
