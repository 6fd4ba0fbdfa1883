# Sets what a module or library needs that speaks HTTP with Boost.Beast, a library of headers.
find_path(BOOST_BEAST boost/beast/websocket.hpp)
function(dapple_beast target)
  find_package(Threads REQUIRED)
  set_target_properties(${target} PROPERTIES PREFIX ""
    LIBRARY_OUTPUT_DIRECTORY ${PROJECT_BINARY_DIR}/lib/dapple)
  target_include_directories(${target} PRIVATE ${PROJECT_SOURCE_DIR}/src
    ${PROJECT_SOURCE_DIR}/include ${PROJECT_BINARY_DIR}/include)
  target_include_directories(${target} SYSTEM PRIVATE ${BOOST_BEAST})
  target_link_libraries(${target} PRIVATE dapple_flags Threads::Threads)
  # Boost then uses std::invoke_result; it would use std::result_of, which C++20 has removed.
  target_compile_definitions(${target} PRIVATE BOOST_ASIO_HAS_STD_INVOKE_RESULT)
  # Its templates take longest to compile. It mostly waits for the network, so it is optimized less.
  target_compile_options(${target} PRIVATE $<$<COMPILE_LANGUAGE:CXX>:${DAPPLE_COLD_OPTIMIZATION}>)
  if(DAPPLE_ONE_FILE)
    target_link_libraries(dapple_app PRIVATE ${target})
    if(WIN32)
      target_compile_definitions(${target} PRIVATE DAPPLE_NO_POSIX BOOST_ASIO_NO_DEFAULT_LINKED_LIBS)
      target_link_libraries(${target} PRIVATE ws2_32 mswsock)
    endif()
  elseif(DAPPLE_INSTALL)
    install(TARGETS ${target} LIBRARY DESTINATION ${CMAKE_INSTALL_LIBDIR}/dapple)
  endif()
  add_dependencies(dapple_modules ${target})
endfunction()
