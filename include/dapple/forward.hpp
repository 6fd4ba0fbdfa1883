// Declares the types that most functions take by reference. A header that includes this one instead
// of their definitions costs less to read, and a change of `Context` or `OptionList` rebuilds only
// the sources that use a member of theirs.
//
// A program that calls the library needs the definitions, so it gets them here. Dapple's own
// sources define DAPPLE_FORWARD_ONLY and include what they use.
#pragma once

#ifndef DAPPLE_FORWARD_ONLY
#include "dapple/context.hpp"
#include "dapple/options.hpp"
#endif

namespace dapple {

class Context;
class Option;
class OptionList;
struct Checkpoint;
struct Limits;

}  // namespace dapple
