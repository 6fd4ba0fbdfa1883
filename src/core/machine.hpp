// What the machine leaves to this process.
#pragma once

#include <string>

namespace dapple {

// The least limit of memory, in bytes, of the control groups that this process is in and of those
// above them, of either version; infinity where there is none. `root` is "/" but for tests.
double control_group_memory(const std::string& root);

// Hands memory that was freed back to the system, where its library keeps such: before a stage that
// needs much after one that had many small pieces.
void give_back_memory();

}  // namespace dapple
