# cmake -D BUILD=... -D SOURCE=... -D WORK=... -D CXX=... -D FLAGS=... -P install_and_use.cmake
function(run)
  execute_process(COMMAND ${ARGN} RESULT_VARIABLE code OUTPUT_VARIABLE output ERROR_VARIABLE output)
  if(NOT code EQUAL 0)
    string(REPLACE ";" " " command "${ARGN}")
    message(FATAL_ERROR "${command}\nexit code ${code}\n${output}")
  endif()
endfunction()

file(REMOVE_RECURSE ${WORK})
run(${CMAKE_COMMAND} --install ${BUILD} --prefix ${WORK}/prefix)
run(${CMAKE_COMMAND} -S ${SOURCE}/samples -B ${WORK}/build -G Ninja
    -D CMAKE_PREFIX_PATH=${WORK}/prefix -D CMAKE_CXX_COMPILER=${CXX} -D CMAKE_CXX_FLAGS=${FLAGS})
run(${CMAKE_COMMAND} --build ${WORK}/build)

# The installed program finds its presets and its image module; so do the sample programs.
set(ENV{DAPPLE_MODULE_PATH} ${WORK}/prefix/lib/dapple)
run(${WORK}/prefix/bin/dapple mask --size 16 -o ${WORK}/mask.png)
run(${WORK}/prefix/bin/dapple presets)
run(${WORK}/build/endless_plane 300 2)
run(${WORK}/build/stipple_a_photo ${SOURCE}/samples/ascent.png ${WORK}/stippled.svg)
run(${WORK}/build/mask_statistics)
foreach(made mask.png stippled.svg)
  if(NOT EXISTS ${WORK}/${made})
    message(FATAL_ERROR "${made} was not made")
  endif()
endforeach()
