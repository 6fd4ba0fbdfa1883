# cmake -D BUILD=... -D SOURCE=... -D WORK=... -D CXX=... -D FLAGS=... -P out_of_tree.cmake
function(run said)
  execute_process(COMMAND ${ARGN} WORKING_DIRECTORY ${WORK} RESULT_VARIABLE code
                  OUTPUT_VARIABLE output ERROR_VARIABLE output)
  string(REPLACE ";" " " command "${ARGN}")
  if(NOT code EQUAL 0)
    message(FATAL_ERROR "${command}\nexit code ${code}\n${output}")
  endif()
  if(NOT output MATCHES "${said}")
    message(FATAL_ERROR "${command}\ndoes not say '${said}' but\n${output}")
  endif()
  set(output "${output}" PARENT_SCOPE)
endfunction()

file(REMOVE_RECURSE ${WORK})
file(MAKE_DIRECTORY ${WORK})
run("" ${CMAKE_COMMAND} --install ${BUILD} --prefix ${WORK}/prefix)
run("" ${CMAKE_COMMAND} -S ${SOURCE}/tests/out_of_tree -B ${WORK}/build -G Ninja
    -D CMAKE_PREFIX_PATH=${WORK}/prefix -D CMAKE_CXX_COMPILER=${CXX} -D CMAKE_CXX_FLAGS=${FLAGS}
    -D SUITE=${SOURCE}/tests/generate/operations_test.cpp)
run("" ${CMAKE_COMMAND} --build ${WORK}/build)
set(ENV{DAPPLE_MODULE_PATH} ${WORK}/prefix/lib/dapple)
set(dapple ${WORK}/build/dapple_with_halftone)
set(photo ${SOURCE}/samples/ascent.png)

# The command line, from the row and its option list alone.
run("halftone IMAGE +Draws an image as a halftone screen" ${dapple} --help)
run("--pitch" ${dapple} halftone --help)
run("# dapple halftone\n.*`--pitch" ${dapple} docs halftone)
run("dapple halftone IMAGE" ${dapple} man halftone)
run("halftone" ${dapple} completions bash)

# Its file, its figures, its recipe, and the same bytes again.
run("\"kappa\"" ${dapple} halftone ${photo} --pitch 12 --report --json -o a.svg -o a.png -o a.csv)
run("the same bytes" ${dapple} reproduce a.svg --input ${photo})
run("command = \"halftone\".*pitch = 12" ${dapple} halftone ${photo} --pitch 12 --print-recipe)
file(WRITE ${WORK}/recipe.toml "${output}")
run("" ${dapple} halftone --recipe recipe.toml -o b.csv)
file(READ ${WORK}/b.csv again)
file(READ ${WORK}/a.csv first)
if(NOT again STREQUAL first)
  message(FATAL_ERROR "the recipe makes other points")
endif()

file(WRITE ${WORK}/jobs.toml "[[job]]\ncommand = \"halftone\"\ninput = \"${photo}\"\n"
     "pitch = [8, 16]\noutput = \"screen_{pitch}.svg\"\n")
run("" ${dapple} batch jobs.toml)
foreach(made a.png screen_8.svg screen_16.svg)
  if(NOT EXISTS ${WORK}/${made})
    message(FATAL_ERROR "${made} was not made")
  endif()
endforeach()

# What every operation promises.
run("PASSED +. 7 tests" ${WORK}/build/operation_tests --gtest_filter=*halftone*)
