// Declares the types that most functions take by reference. A header that includes this one instead
// of their definitions costs less to read. A change of `Context` or `OptionList` then rebuilds only
// the sources that use their members.
//
// A program that calls the library needs the definitions, so this header includes them. Dapple's
// own sources define DAPPLE_FORWARD_ONLY and include the definitions that they use.
#pragma once

#include "dapple/language.hpp"

#ifndef DAPPLE_FORWARD_ONLY
#include "dapple/context.hpp"
#include "dapple/error.hpp"
#include "dapple/extend/options.hpp"
#endif

namespace dapple {

class Context;
class Option;
class OptionList;
struct Checkpoint;
struct Limits;

}  // namespace dapple
