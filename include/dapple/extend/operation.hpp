// Declares the registry of operations, one row each. The command line, --help, man page,
// completions, docs/, batch runner, property suite and smoke tests all read these rows.
#pragma once

#include <deque>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "dapple/error.hpp"
#include "dapple/extend/option_rules.hpp"
#include "dapple/extend/result.hpp"
#include "dapple/forward.hpp"
#include "dapple/plane.hpp"

namespace dapple {

enum class InputKind { none, optional_image, image, any };

// The grid of tiles that an image is cut into, one file per tile. 0 columns: the image is one file.
struct UdimSet {
  int columns = 0;
  int rows = 0;
  explicit operator bool() const { return columns > 0; }
};

// One output of an image, written as a file of its own.
struct JobOutput {
  std::string name = {};
  int data_channels = 0;  // as Job::data_channels(), but for this output
};

// The shape of an image before it is made: its size, and a pixel whose values have no meaning.
struct ImageShape {
  int width = 0;
  int height = 0;  // of one slice
  int slices = 1;
  Image pixel = {};
};

// The options of one run of an operation.
class Job {
 public:
  virtual ~Job() = default;
  virtual void describe(OptionList& list) = 0;
  // Gives every plain number of the options the unit that it stands for at present.
  virtual void settle_units() {}
  // `input` is the positional image, or nullptr. Files that options name are already loaded.
  virtual Result run(const Image* input, Context& context) = 0;
  // Returns the channels of data in an 8 or 16 bit file of the result, known before the work. 0
  // means colors, which every format can hold. Formats differ in the number of channels that they
  // hold. A format with too few is refused at once; a run without a named output gets a format with
  // enough.
  virtual int data_channels() const { return 0; }
  // Returns the shape of the image if it is known before the work. Throws Error(usage).
  virtual std::optional<ImageShape> image_shape() const { return std::nullopt; }
  // Returns the set of files that the image makes, known before the work. Throws Error(usage).
  virtual UdimSet udim() const { return {}; }
  // Returns true if the drawing is cut into tiles (Drawing::tiling), one file per tile.
  virtual bool tiled() const { return false; }
  // Returns true if the picture of each ink is a printing plate of one bit per pixel.
  virtual bool plates() const { return false; }
  // Returns false if the present options make no points, though the operation does.
  virtual bool has_points() const { return true; }
  // Chooses the outputs if none are given, before anything reads them; they become part of the
  // recipe. `apart`: the names hold {output}, so that each output is a file.
  virtual void settle_outputs(bool apart) { static_cast<void>(apart); }
  // Returns the outputs of the image if each may be a file of its own; empty if it is one file.
  // Throws Error(usage).
  virtual std::vector<JobOutput> outputs_apart() const { return {}; }
  // Returns the options that have no effect beside the present others and that no PairRule covers.
  virtual std::vector<Problem> unused_options() const { return {}; }
  // Returns false if the goals of a report (Measurement::target) do not apply to what the present
  // options make. The report then leaves the goals out.
  virtual bool has_goals() const { return true; }

  // Returns true if the points that the operation makes can be drawn.
  virtual bool is_drawable() const { return true; }

  // Sets options that are left open so that a picture of the result is large enough to look at.
  // Called before run() if no output is named. These options become part of the recipe.
  virtual void settle_for_looking(const Image* input) { static_cast<void>(input); }

  // True if the caller will measure() the result, which then holds the data for it.
  bool measured = false;
  // True if the caller accepts RowsMade.
  bool by_rows = false;
  // The color space that files of its pictures get, by its name; "": the usual one of the format.
  std::string colorspace = {};
  bool prefers_rows = false;  // wants RowsMade wherever possible, to read only some rows
  // True if the caller runs the job on the pictures of a sequence, one after the other.
  bool in_sequence = false;

 protected:
  // Describes `colorspace`, for jobs that make colors.
  void describe_colorspace(OptionList& list);
};

struct Example {
  std::string_view command = {};  // without the leading `dapple `
  std::string_view says = {};
};

// The default range of an option in a sheet of variants. `lowest` and `highest` are factors of the
// option's own value, or of `base` if it has none. With base 0 they are the values.
struct VariedOption {
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
  bool takes_frames = false;         // reads all frames of animations as slices; false: the first
  bool takes_sequences = false;      // numbered inputs, one after the other, each with its outputs
  bool makes_points = false;         // contents of a Result of the operation
  bool makes_drawing = false;
  bool makes_image = false;
  Measured measured = Measured::nothing;
  bool resumable = false;       // keeps Context::checkpoint and resumes from it
  bool makes_material = false;  // its outputs can be the maps of a material
  bool certifiable = false;     // its image is a mask for which a certificate can be written
  std::string_view default_extension = {};  // such as "png"
  // The extension of a picture that is also written if no output is named; often empty.
  std::string_view preview_extension = {};
  std::string_view stage = {};  // name of its core stage in --json seconds
  std::vector<Example> examples = {};
  std::vector<VariedOption> varied = {};  // for the columns, and for the rows
  std::span<const PairRule> pairs = {};   // the rules between its options
  std::unique_ptr<Job> (*make)() = nullptr;
};

// Returns sample, stipple, mask, worley and dither, in the order of --help, then registered rows.
const std::deque<Operation>& operations();
const Operation* find_operation(std::string_view name);
// Adds an operation. Call it before other threads use the list and before run_program()
// (dapple/extend/program.hpp). Throws Error(usage) if the name exists already.
void register_operation(Operation row);

}  // namespace dapple
