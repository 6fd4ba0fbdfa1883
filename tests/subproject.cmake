# cmake -D SOURCE=... -D WORK=... -D CXX=... -P subproject.cmake: what a project builds and installs that has Dapple inside.
# Nothing is compiled: ninja says what it would do.
function(configure folder)
  execute_process(COMMAND ${CMAKE_COMMAND} -S ${SOURCE}/tests/subproject -B ${WORK}/${folder} -G Ninja
                          -D DAPPLE=${SOURCE} -D CMAKE_CXX_COMPILER=${CXX} ${ARGN}
                  RESULT_VARIABLE code OUTPUT_VARIABLE output ERROR_VARIABLE output)
  if(NOT code EQUAL 0)
    message(FATAL_ERROR "it cannot be set up\n${output}")
  endif()
  execute_process(COMMAND ${CMAKE_COMMAND} --build ${WORK}/${folder} -- -t commands
                  OUTPUT_VARIABLE plan COMMAND_ERROR_IS_FATAL ANY)
  foreach(none src/app/ src/c/ src/studio/ plugins/ tests/unit bench/)
    if(plan MATCHES "-c [^\n]*/${none}")
      message(FATAL_ERROR "sources of ${none} are built")
    endif()
  endforeach()
  if(NOT plan MATCHES "-c [^\n]*/src/core/options.cpp" OR NOT plan MATCHES "-o host")
    message(FATAL_ERROR "the library and its host are not built\n${plan}")
  endif()
  file(GLOB_RECURSE scripts ${WORK}/${folder}/dapple/*/cmake_install.cmake ${WORK}/${folder}/dapple/cmake_install.cmake)
  foreach(script ${scripts})
    file(READ ${script} text)
    if(text MATCHES "file\\(INSTALL")
      message(FATAL_ERROR "${script} installs what is not the host's")
    endif()
  endforeach()
  set(plan "${plan}" PARENT_SCOPE)
endfunction()

file(REMOVE_RECURSE ${WORK})
configure(whole)
if(NOT plan MATCHES "dapple-image")
  message(FATAL_ERROR "the module of formats is missing")
endif()
configure(core -D DAPPLE_WITH_OPENIMAGEIO=OFF -D CMAKE_DISABLE_FIND_PACKAGE_OpenImageIO=ON
          -D CMAKE_DISABLE_FIND_PACKAGE_qpdf=ON -D CMAKE_DISABLE_FIND_PACKAGE_CLI11=ON)
if(plan MATCHES "dapple-image|qpdf")
  message(FATAL_ERROR "the module of formats is built")
endif()
