// The registry of what Dapple can make. One row an operation; the command line, --help, man page,
// completions, docs/, the batch runner, the property suite and the smoke tests all read these rows.
#pragma once

#include <deque>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "dapple/error.hpp"
#include "dapple/forward.hpp"
#include "dapple/pairs.hpp"
#include "dapple/plane.hpp"
#include "dapple/result.hpp"

namespace dapple {

enum class InputKind { none, optional_image, image, any };

// Tiles across and down that an image is cut into, each a file; 0: it is one.
struct UdimSet {
  int columns = 0;
  int rows = 0;
  explicit operator bool() const { return columns > 0; }
};

// One of the outputs that an image is made of, as a file of its own holds it.
struct JobOutput {
  std::string name = {};
  int data_channels = 0;  // as those of the whole
};

// An image before it is made: its size, and for the rest one pixel of it, whose values say nothing.
struct ImageShape {
  int width = 0;
  int height = 0;  // of a slice
  int slices = 1;
  Image pixel = {};
};

// Options bound to one run of an operation.
class Job {
 public:
  virtual ~Job() = default;
  virtual void describe(OptionList& list) = 0;
  // Gives every plain number of the options the unit that it stands for, as they are now.
  virtual void settle_units() {}
  // `input`: the positional image, or nullptr. Files named by options are loaded already.
  virtual Result run(const Image* input, Context& context) = 0;
  // Channels of data that an 8 or 16 bit file of the result will hold; 0 where they are colors,
  // which any format holds one way or the other. Known before the work, because formats differ in
  // how many they hold: one that cannot is refused at once, not after minutes, and a run that names
  // no output gets a file that can.
  virtual int data_channels() const { return 0; }
  // What its image will be, where that is known before the work. Throws Error(usage).
  virtual std::optional<ImageShape> image_shape() const { return std::nullopt; }
  // The set of files that the image makes, known before the work too. Throws Error(usage).
  virtual UdimSet udim() const { return {}; }
  // Whether its drawing is cut into tiles (Drawing::tiling), each a file; known before the work.
  virtual bool tiled() const { return false; }
  // Before anything that asks for outputs: settles them where they are left open, for files that
  // are each `apart`, by names with {output}. They become part of the recipe.
  virtual void settle_outputs(bool apart) { static_cast<void>(apart); }
  // The outputs that the image is made of, where each may be a file of its own; none: it is one.
  // Throws Error(usage).
  virtual std::vector<JobOutput> outputs_apart() const { return {}; }
  // Options without effect, as all of them are now, that no PairRule speaks of.
  virtual std::vector<Problem> idle_options() const { return {}; }
  // Whether the goals that a report names (Measurement::target) are meant for what these options
  // make; else it leaves them out.
  virtual bool has_goals() const { return true; }

  // Whether a drawing can be made of the result, where the operation makes points.
  virtual bool is_drawable() const { return true; }

  // Before run(), where no output is named: settles options that are left open such that a picture
  // of the result is worth looking at. They become part of the recipe.
  virtual void settle_for_looking(const Image* input) { static_cast<void>(input); }

  // Set by callers that measure() the result: it holds what only that needs.
  bool measured = false;
  // Set by callers that can do with RowsMade, and by those that would rather have it wherever it
  // can be, as they may ask for some rows alone.
  bool by_rows = false;
  bool prefers_rows = false;
  // Set by callers that run it on one picture of a sequence after the other.
  bool in_sequence = false;
};

struct Example {
  std::string_view command = {};  // without the leading `dapple `
  std::string_view says = {};
};

// What a sheet of variants varies where it is not told: an option from `lowest` to `highest`, both
// times its own value, or `base` where it has none; base 0: as they are.
struct Varied {
  std::string_view option = {};
  double lowest = 0;
  double highest = 0;
  double base = 0;
};

struct Operation {
  std::string_view name = {};
  std::string_view summary = {};  // one line
  std::string_view details = {};  // a paragraph or two
  InputKind input = InputKind::none;
  std::string_view input_name = {};  // such as IMAGE
  bool takes_frames = false;         // all frames of an animated input, as slices; else the first
  bool takes_sequences = false;      // numbered inputs, one after the other, each with its outputs
  bool makes_points = false;         // what a Result of it holds
  bool makes_drawing = false;
  bool makes_image = false;
  Measured measured = Measured::nothing;
  bool resumable = false;       // it keeps Context::checkpoint and goes on from there
  bool makes_material = false;  // its outputs can be those of a material
  bool certifiable = false;     // its image is a mask that a certificate can be written of
  std::string_view default_extension = {};  // such as "png"
  // Also written where no output is named, to look at; often none.
  std::string_view looking_extension = {};
  std::string_view stage = {};  // name of its core stage in --json seconds
  std::vector<Example> examples = {};
  std::vector<Varied> varied = {};       // along the columns, and the rows
  std::span<const PairRule> pairs = {};  // what its options ask of each other
  std::unique_ptr<Job> (*make)() = nullptr;
};

// sample, stipple, mask, worley, dither, in the order of --help, and those that were registered.
const std::deque<Operation>& operations();
const Operation* find_operation(std::string_view name);
// Adds one that Dapple does not hold itself; before other threads use the list, and before
// run_program() (dapple/program.hpp). Throws Error(usage) where the name is there already.
void register_operation(Operation row);

}  // namespace dapple
