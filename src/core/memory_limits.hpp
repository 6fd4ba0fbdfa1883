// Finds the memory that the machine leaves to this process.
#pragma once

#include <string>

namespace dapple {

// Returns the least memory limit, in bytes, of this process's control groups and their parents, in
// version 1 or 2; infinity if there is none. `root` differs from "/" only in tests.
double control_group_memory(const std::string& root);

// Gives freed memory back to the system, if the C library keeps it. Useful between a stage that
// allocated many small pieces and a stage that needs much memory.
void give_back_memory();

}  // namespace dapple
