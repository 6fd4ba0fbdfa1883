// Every two options of every command, given together: they are refused by a message that names
// both, or each of them changes what is made. Nothing is ignored in silence. A pair is tried in
// scenes, small runs in which an option has something to do.
#include <algorithm>
#include <cmath>
#include <nlohmann/json.hpp>

#include "app/command.hpp"
#include "dapple/extend/options.hpp"
#include "faults/faults.hpp"

namespace dapple::faults {
namespace {

using app::Command;
using Json = nlohmann::json;

struct Scene {
  std::string command;
  Words words;
  Words outputs;
  Words left = {};  // files beside the outputs that are there before every run, or not, alike
};

const std::vector<Scene>& scenes() {
  static const std::vector<Scene> all = {
      {"sample", {"p.ppm"}, {"o.csv", "o.png"}},
      {"sample", {"--size=48x36"}, {"o.csv", "o.png"}},
      {"sample", {"--size=20x16x12"}, {"o.csv", "o.ply"}},
      {"sample", {"--size=48x36", "--class-radius=8,5"}, {"o.csv", "o.png"}},
      {"sample", {"--class=a=p.ppm:2:7", "--class=b=p.ppm:3:9"}, {"o.csv", "o.png"}},
      {"sample", {"--on=m.ply"}, {"o.csv", "o.png"}},
      {"sample", {"p.ppm", "--on=m.ply"}, {"o.csv", "o.ply"}},
      {"sample", {"--region=r.wkt"}, {"o.csv", "o.png"}},
      {"sample", {"l.ppm", "--sphere=20", "--radius=2:8"}, {"o.csv", "o.ply"}},
      {"stipple", {"p.ppm"}, {"o.svg", "o.gcode", "o.csv", "o.png"}},
      {"mask", {"--size=16"}, {"o.exr", "o.png"}},
      {"mask", {"--density=p.ppm"}, {"o.exr", "o.png"}},
      {"worley", {"--size=32", "--count=12"}, {"o.exr", "o.png"}},
      {"worley", {"--density=p.ppm", "--size=32", "--count=12"}, {"o.exr", "o.png"}},
      {"dither", {"alpha.tif", "--size=16"}, {"o.png"}},
      {"dither", {"alpha.tif", "--mask=m.png"}, {"o.png"}},
      {"dither", {"alpha.tif", "--method=floyd-steinberg"}, {"o.png"}},
      {"analyze", {"p.csv"}, {"o.png"}},
      {"analyze", {"m.png"}, {"o.png"}},
      {"analyze", {"s.svg", "--map=p.ppm"}, {"o.png"}},
      {"compare", {"p.csv", "q.csv"}, {"o.png"}},
      {"compare", {"--size=48x36"}, {"o.png"}},
      {"compare", {"--map=p.ppm"}, {"o.png"}},
      {"batch", {"jobs.toml"}, {}, {"j.png", "jobs.jsonl", "n.jsonl", "f.toml", "e.jsonl"}},
      {"presets", {}, {}},
      {"reproduce", {"s.svg"}, {"o.svg"}},
  };
  return all;
}

// A value that shows, where it is not the first of the words that it may be or the middle of its
// range; and options without which it would show nothing. Of a command, or of all.
const std::map<std::string, Words>& values() {
  static const std::map<std::string, Words> all = {
      {"as", {"tone"}},
      {"stipple as", {"density"}},
      {"analyze as", {"points"}},
      {"analyze map-as", {"tone"}},
      {"tone", {"linear", "--as=tone"}},
      {"stipple tone", {"linear"}},
      {"analyze tone", {"linear", "--map-as=tone"}},
      {"channel", {"r"}},
      {"black", {"0.3"}},
      {"white", {"0.8"}},
      {"gamma", {"2"}},
      {"mask", {"h.ppm"}},
      {"dither mask", {"m.png"}},
      {"weight", {"h.ppm"}},
      {"white-cutoff", {"0.4", "--as=tone"}},
      {"stipple white-cutoff", {"0.4"}},
      {"analyze white-cutoff", {"0.4", "--map-as=tone"}},
      {"rotate", {"180"}},
      {"crop", {"22x16"}},
      {"tones-from", {"q.ppm"}},
      {"contrast", {"1.5"}},
      {"sharpen", {"1"}},
      {"detail", {"1"}},
      {"blur", {"1px"}},
      {"radius", {"3"}},
      {"count", {"50"}},
      {"slope", {"0.3"}},
      {"inset", {"2"}},
      {"inside", {"discs", "--inset=2"}},
      {"keep", {"k.csv"}},
      {"from", {"p.csv", "--count=3"}},
      {"grid", {"24", "--acceleration=3"}},
      {"mask acceleration", {"3", "--grid=24"}},
      {"calibration", {"4", "--grid=24", "--acceleration=3"}},
      {"only-new", {"", "--keep=k.csv"}},
      {"window", {"0,0,40,30", "--radius=3"}},
      {"wang", {"2"}},
      {"tries", {"2", "--method=bridson"}},
      {"start", {"center", "--method=bridson"}},
      {"settle", {"no", "--count=50"}},
      {"object-size", {"2:5"}},
      {"size-from", {"radius", "--object-size=2:5"}},
      {"stipple size-from", {"detail", "--dot-size=1:3"}},
      {"size-steps", {"3", "--dot-size=1:3"}},
      {"rotation", {"0:90"}},
      {"classes", {"3"}},
      {"sample size", {"60x45"}},
      {"sphere", {"15"}},
      {"region", {"r.wkt"}},
      {"count-from", {"40", "--region=r.wkt"}},
      {"conflict", {"max"}},
      {"radius-from", {"heat", "--radius=2:5"}},
      {"align", {"up"}},
      {"gate", {"5", "--radius=6"}},
      {"sample metric", {"surface", "--radius=6"}},
      {"dimensions", {"3", "--size=20"}},
      {"class-radius", {"9,5"}},
      {"class", {"c=p.ppm:2:5"}},
      {"class-distance", {"mean", "--class-radius=9,5"}},
      {"dots", {"200"}},
      {"dot-size", {"1.5"}},
      {"gap", {"1px"}},
      {"invert-darks", {"0.3"}},
      {"shape", {"point", "--pen=1px"}},
      {"stipple order", {"hilbert"}},
      {"turn", {"random", "--shape=leaf.svg"}},
      {"each-path", {"", "--shape=leaf.svg"}},
      {"path", {"tsp"}},
      {"style", {"sine"}},
      {"words", {"blue", "--style=text"}},
      {"longest-hop", {"0.3", "--path=tsp"}},
      {"touch", {"0.5px", "--shape=point", "--pen=1px"}},
      {"split", {"2"}},
      {"from", {"5"}},
      {"paper", {"40x30mm"}},
      {"margin", {"3"}},
      {"fit", {"cover", "--paper=40x40mm"}},
      {"dither fit", {"17x17"}},
      {"dither width", {"13"}},
      {"dither height", {"11"}},
      {"cover", {"13x9"}},
      {"palette-from", {"q.ppm"}},
      {"device-palette", {"#010203,#fefdfc", "--palette=black,white"}},
      {"filter-space", {"box"}},
      {"filter-time", {"none"}},
      {"registration", {"", "--margin=8px"}},
      {"dpi", {"72"}},
      {"stipple size", {"70"}},
      {"pen", {"2px", "--path=tsp"}},
      {"ink", {"navy"}},
      {"colorspace", {"acescg"}},
      {"worley colorspace", {"acescg", "--outputs=color"}},
      {"background", {"#eeeeee"}},
      {"mask size", {"20"}},
      {"mask channels", {"3"}},
      {"mask kind", {"vector2"}},
      {"mask method", {"white"}},
      {"mask bits", {"16"}},
      {"histogram", {"t.txt"}},
      {"mask points", {"k.csv"}},
      {"points-size", {"96x72", "--points=k.csv"}},
      {"density", {"p.ppm"}},
      {"sigma", {"2"}},
      {"worley size", {"24"}},
      // A dozen darts may fall the same whichever channel is read.
      {"worley channel", {"r", "--count=40"}},
      {"udim", {"2x1"}},
      {"outputs", {"f2"}},
      {"power", {"0.5"}},
      {"frames", {"2"}},
      {"motion", {"2", "--frames=2"}},
      {"colors", {"p.ppm", "--outputs=color"}},
      {"line-width", {"5", "--outputs=lines"}},
      {"octaves", {"2"}},
      {"roughness", {"0.9", "--octaves=2"}},
      {"smooth", {"2"}},
      {"antialias", {"", "--outputs=lines"}},
      {"warp", {"3"}},
      {"height-of", {"f2-f1", "--outputs=height"}},
      {"bevel", {"2", "--height-of=edge", "--outputs=height"}},
      {"bevel-profile", {"flat", "--bevel=2", "--height-of=edge", "--outputs=height"}},
      {"normal-strength", {"3", "--outputs=normal"}},
      {"normal-y", {"down", "--outputs=normal"}},
      {"height-scale", {"9", "--outputs=height,normal"}},
      {"occlusion-radius", {"6", "--outputs=occlusion"}},
      {"curvature-radius", {"3", "--outputs=curvature"}},
      {"surface", {"0.2", "--outputs=roughness"}},
      {"creases", {"0.7", "--outputs=roughness"}},
      {"surface-variation", {"0.4", "--outputs=roughness"}},
      {"randomness", {"0.5"}},
      {"row-offset", {"0.5", "--randomness=0"}},
      {"stretch", {"2"}},
      {"angle", {"30", "--stretch=2"}},
      {"color-of", {"f2"}},
      {"material", {"gltf"}},
      {"worley points", {"k.csv"}},
      {"worley method", {"random"}},
      {"pack", {"R=f1,G=f2"}},
      {"layer", {"cells"}},
      {"worley bits", {"half"}},
      {"ids", {"uint", "--outputs=id"}},
      {"levels", {"2:9"}},
      {"dither levels", {"4"}},
      {"curve", {"2"}},
      {"gradient", {"navy,white"}},
      {"variation", {"1", "--gradient=navy,white"}},
      {"line-color", {"red"}},
      {"relief", {"2"}},
      {"gloss", {"2", "--relief=2"}},
      {"palette", {"navy,white,orange"}},
      {"colours", {"5"}},
      {"perceptual", {"no", "--palette=#103050,#e0d0c0,#c04020"}},
      {"noise", {"triangular", "--levels=4"}},
      {"dither palette", {"#103050,#e0d0c0,#c04020"}},
      {"strength", {"0.5"}},
      {"dither size", {"16"}},
      {"alpha", {"threshold"}},
      {"analyze map", {"p.ppm"}},
      {"compare map", {"p.ppm"}},
      {"domain", {"60x50"}},
      {"certificate", {"m.png.certificate.json"}},
      {"methods", {"random,darts"}},
      {"compare size", {"60x40"}},
      {"manifest", {"n.jsonl"}},
      {"failures", {"f.toml"}},
      {"events", {"e.jsonl"}},
      {"cache", {"c"}},
      {"cache-size", {"1G", "--cache=c"}},
      {"seed", {"5"}},
      {"overwrite", {"if-changed"}},
      {"input", {"p.ppm"}},
  };
  return all;
}

// Options that may leave all bytes as they are, and why; of a pair, both by name.
const std::map<std::string, std::string>& silent() {
  static const std::map<std::string, std::string> all = {
      {"threads", "changes no result"},
      {"max-pixels", "is a limit"},
      {"max-memory", "is a limit"},
      {"allow-format", "is about what may be read"},
      {"sandbox", "is about how files are read"},
      {"progress", "is shown while the program runs"},
      {"quiet", "is about what is said"},
      {"verbose", "is about what is said"},
      {"json", "is how these runs are looked at"},
      {"help", "runs nothing"},
      {"version", "runs nothing"},
      {"print-recipe", "shows what a run with any options would do"},
      {"overwrite", "is about files that were there before"},
      {"no-recipe", "is about what is not looked at here"},
      {"preset", "is other options"},
      {"recipe", "is other options"},
      {"checkpoint", "is gone when all is done"},
      {"checkpoint-every", "is about what is gone when all is done"},
      {"certificate", "proves, and leaves what it proves as it is"},
      {"certify", "proves, and leaves what it proves as it is"},
      {"nan", "is for maps with such values"},
      {"profile", "is for files with a color profile"},
      {"speed", "is of a machine, whatever it draws"},
      {"travel-speed", "is of a machine, whatever it draws"},
      {"acceleration", "is of a machine, whatever it draws"},
      {"pen-lift", "is of a machine, whatever it draws"},
      {"pen-change", "is of a machine, whatever it draws"},
      {"pen-up", "is of a machine, whatever it draws"},
      {"pen-down", "is of a machine, whatever it draws"},
      {"laser-mode", "is of a machine, whatever it draws"},
      {"laser-power", "is of a machine, whatever it draws"},
      {"laser-full", "is of a machine, whatever it draws"},
      {"dwell", "is of a machine, whatever it draws"},
      {"line-corners", "is for long lines, whatever is drawn"},
      {"analyze as", "may say what the file is anyway"},
      {"interpolation", "is seen where points lie closer than pixels"},
      {"open", "shows what was made"},
      {"candidates", "may take the first mask anyway"},
      {"batch resume", "asks for what is done without it too"},
      {"batch jobs", "changes no result"},
      {"batch cache", "changes no result"},
      {"batch cache-size", "changes no result"},
      {"batch keep-going", "is about jobs that fail"},
      {"batch manifest dry-run", "may say that as much is to be done"},
      {"sample keep dimensions",
       "kept points of another space are refused as a file is, not as options"},
      {"sample keep size", "kept points of another space are refused as a file is, not as options"},
      {"sample only-new dimensions", "so are those that it leaves out"},
      {"sample only-new size", "so are those that it leaves out"},
      {"batch force manifest", "finds no job done in a record that is new"},
      {"batch failures dry-run", "makes nothing that could fail"},
      {"batch events dry-run", "makes nothing that could happen"},
      {"reproduce trust", "is about recipes that name files outside of their folder"},
      {"reproduce input", "may name the file that stands beside the picture anyway"},
      {"variants", "makes a sheet of runs"},
      {"worley power", "has nothing to do where sites are even, and warns of it"},
      {"seed", "is noted, and stands in names of files, even where nothing is by chance"},
  };
  return all;
}

// Colors, tones that rise and fall, white at one side and black at the other.
std::string photo(double bright, int height = 36) {
  std::string text = "P3 48 " + std::to_string(height) + " 255\n";
  for (int y = 0; y < height; ++y) {
    for (int x = 0; x < 48; ++x) {
      const double wave = 0.5 + 0.5 * std::sin(0.31 * x + 0.17 * y) * std::cos(0.13 * x - 0.23 * y);
      const double side = x < 4 ? 0 : x > 43 ? 1 : 0.15 + 0.7 * wave;
      for (const double tint : {1.0, 0.8, 0.5}) {
        const double share = std::pow(side, bright * (x > 43 ? 0 : 2 - tint));
        text += std::to_string(std::lround(255 * share)) + " ";
      }
    }
  }
  return text + "\n";
}

// A hill of 12 by 9 squares, whose corners have colors, a number and a place in a texture.
std::string hill() {
  std::string text =
      "ply\nformat ascii 1.0\nelement vertex 130\nproperty float x\nproperty float y\n"
      "property float z\nproperty float s\nproperty float t\nproperty float heat\n"
      "property uchar red\nproperty uchar green\nproperty uchar blue\n"
      "element face 108\nproperty list uchar int vertex_indices\nend_header\n";
  for (int y = 0; y < 10; ++y) {
    for (int x = 0; x < 13; ++x) {
      const double up = 9 * std::exp(-0.08 * ((x - 6) * (x - 6) + (y - 4) * (y - 4)));
      for (const double v : {4.0 * x, 4.0 * y, up, x / 12.0, y / 9.0, 0.1 + up}) {
        text += std::to_string(v) + " ";
      }
      text += std::to_string(20 * x) + " " + std::to_string(25 * y) + " 90\n";
    }
  }
  for (int y = 0; y < 9; ++y) {
    for (int x = 0; x < 12; ++x) {
      text += "4";
      for (const int at : {13 * y + x, 13 * y + x + 1, 13 * y + x + 14, 13 * y + x + 13}) {
        text += " " + std::to_string(at);
      }
      text += "\n";
    }
  }
  return text;
}

// Bright in its left half.
std::string halves(int height) {
  std::string text = "P2 48 " + std::to_string(height) + " 255\n";
  for (int i = 0; i < 48 * height; ++i) text += i % 48 < 24 ? "255 " : "60 ";
  return text + "\n";
}

class Pairs {
 public:
  Pairs(Sweep& sweep, const Scene& scene)
      : sweep_(sweep), scene_(scene), invocation_(app::find_command(scene.command)->make()) {
    for (const std::string& name : scene.left) {
      if (fs::exists(sweep.folder / name)) left_[name] = sweep.folder.read(name);
    }
  }

  void run(int& at) {
    std::vector<const Option*> all;
    for (const OptionList* list : {&invocation_->options(), &std::as_const(invocation_->common)}) {
      for (const auto& option : *list) {
        if (option->name != "out" && !is_silent(option->name)) all.push_back(option);
      }
    }
    for (std::size_t i = 0; i < all.size(); ++i) {
      for (std::size_t j = 0; j <= i; ++j) {
        const bool wanted = only_ == nullptr || all[i]->name == only_ || all[j]->name == only_;
        if (!wanted || at++ % every(97) != 0) continue;
        if (is_usable(*all[j]) && is_usable(*all[i]) && i != j) check(*all[j], *all[i]);
      }
    }
  }

 private:
  bool is_silent(const std::string& name) const {
    return silent().contains(name) || silent().contains(scene_.command + " " + name);
  }
  bool is_exception(const Option& a, const Option& b) const {
    const std::string at = scene_.command + " ";
    return silent().contains(at + a.name + " " + b.name) ||
           silent().contains(at + b.name + " " + a.name);
  }

  // The option with its value, then what it needs.
  Words words_of(const Option& option) const {
    for (const std::string& name : {scene_.command + " " + option.name, option.name}) {
      const auto found = values().find(name);
      if (found == values().end()) continue;
      Words words = found->second;
      words[0] = words[0].empty()   ? "--" + option.name
                 : words[0] == "no" ? "--no-" + option.name
                                    : "--" + option.name + "=" + words[0];
      return words;
    }
    Words words{"--" + option.name};
    if (option.type == OptionType::flag) {
      if (option.default_text == "true") words[0] = "--no-" + option.name;
    } else if (!option.choices.empty()) {
      words[0] +=
          "=" + (option.choices[0] == option.default_text ? option.choices[1] : option.choices[0]);
    } else if (option.minimum && option.maximum) {
      words[0] += "=" + shortest(std::floor((*option.minimum + *option.maximum) / 2));
    } else {
      words[0] += "=3";
    }
    return words;
  }

  bool is_usable(const Option& option) {
    const auto known = usable_.find(option.name);
    if (known != usable_.end()) return known->second;
    return usable_[option.name] = shows(option);
  }
  // Whether the option by itself has something to do in the scene; where it has none, and is not
  // refused, it is ignored.
  bool shows(const Option& option) {
    const Words words = words_of(option);
    if (has(scene_.words, words[0])) return false;
    const Made& made = make(words);
    if (made.code == 2) return false;
    const Made& without = make({words.begin() + 1, words.end()});
    sweep_.require(made.code == 0, line(words) + ": " + text_of(made.code),
                   made.said + without.said);
    sweep_.require(made.code != 0 || made.what != without.what,
                   line(words) + ": " + words[0] + " changes nothing");
    return made.code == 0 && made.what != without.what;
  }

  static bool has(const Words& words, const std::string& word) {
    return std::find(words.begin(), words.end(), word) != words.end();
  }

  // All words of both, each once; none where they set an option to two values.
  static Words joined(const Words& a, const Words& b) {
    const auto name = [](const std::string& word) { return word.substr(0, word.find('=')); };
    Words all = a;
    for (const std::string& word : b) {
      const auto same = std::find_if(all.begin(), all.end(), [&](const std::string& other) {
        return name(other) == name(word);
      });
      if (same == all.end()) {
        all.push_back(word);
      } else if (*same != word) {
        return {};
      }
    }
    return all;
  }

  void check(const Option& a, const Option& b) {
    const Words of_a = words_of(a);
    const Words of_b = words_of(b);
    const Words both = joined(of_a, of_b);
    if (both.empty() || is_exception(a, b)) return;
    const Made& made = make(both);
    if (made.code == 2) {
      for (const Words* own : {&of_a, &of_b}) {
        const bool named = std::any_of(own->begin(), own->end(), [&](const std::string& word) {
          const std::string name = word.substr(word.starts_with("--no-") ? 5 : 2);
          return made.said.find("-" + name.substr(0, name.find('='))) != std::string::npos;
        });
        sweep_.require(named, line(both) + ": does not name " + own->front(), made.said);
      }
      return;
    }
    sweep_.require(made.code == 0, line(both) + ": " + text_of(made.code), made.said);
    if (made.code != 0) return;
    for (const Words* own : {&of_a, &of_b}) {
      Words rest = both;
      std::erase(rest, own->front());
      const Made& without = make(rest);
      sweep_.require(without.code != 0 || without.what != made.what,
                     line(both) + ": " + own->front() + " changes nothing");
    }
  }

  struct Made {
    int code;
    std::string what;
    std::string said;
  };

  std::string line(const Words& words) const {
    std::string text = "dapple " + scene_.command;
    for (const std::string& word : scene_.words) text += " " + word;
    for (const std::string& word : words) text += " " + word;
    return text;
  }

  const Made& make(const Words& words) {
    const auto known = made_.find(words);
    if (known != made_.end()) return known->second;
    Words all{DAPPLE_PROGRAM, scene_.command};
    all.insert(all.end(), words.begin(), words.end());
    for (const std::string& word : scene_.words) {
      const std::string start = word.substr(0, word.find('=') + 1);
      const bool given = word.starts_with("--") &&
                         std::any_of(words.begin(), words.end(), [&](const std::string& other) {
                           return other.starts_with(start);
                         });
      if (!given) all.push_back(word);
    }
    for (const std::string& output : scene_.outputs) all.insert(all.end(), {"-o", output});
    if (invocation_->common.find("no-recipe") != nullptr) all.emplace_back("--no-recipe");
    all.emplace_back("--json");
    for (const std::string& name : scene_.left) {
      fs::remove(sweep_.folder / name);
      if (left_.contains(name)) sweep_.folder.write(name, left_.at(name));
    }
    const Outcome outcome = sweep_.run_line(all, {}, {0, 1, 2, 3, 4, 5, 6}, line(words));
    Made made{outcome.code, "", outcome.err};
    if (outcome.code == 0) {
      for (const std::string& output : scene_.outputs) made.what += sweep_.folder.read(output);
      Json said = Json::parse(outcome.out, nullptr, false);
      for (const std::string& name : scene_.left) {
        if (fs::exists(sweep_.folder / name)) made.what += name + " ";
      }
      for (const char* name :
           {"seconds", "processor_seconds", "peak_memory_mb", "warnings", "seed", "version"}) {
        if (said.is_object()) said.erase(name);
      }
      made.what += said.is_discarded() ? outcome.out : said.dump();
    }
    return made_[words] = std::move(made);
  }

  Sweep& sweep_;
  const Scene& scene_;
  const char* only_ = std::getenv("DAPPLE_PAIRS_WITH");
  std::unique_ptr<app::Invocation> invocation_;
  std::map<std::string, std::string> left_;
  std::map<Words, Made> made_;
  std::map<std::string, bool> usable_;
};

TEST(Faults, PairsOfOptions) {
  Sweep sweep("pairs of options");
  const auto make = [&](Words words) {
    words.insert(words.begin(), DAPPLE_PROGRAM);
    const Outcome outcome = test::run_process(words, sweep.folder.path());
    ASSERT_EQ(outcome.code, 0) << outcome.err;
  };
  sweep.folder.write("jobs.toml",
                     "[[job]]\ncommand = \"mask\"\nsize = \"16\"\noutput = \"j.png\"\n");
  sweep.folder.write("p.ppm", photo(1));
  sweep.folder.write("q.ppm", photo(0.4));
  sweep.folder.write("l.ppm", photo(1, 24));
  sweep.folder.write("t.txt", "1\n2\n5\n");
  sweep.folder.write("m.ply", hill());
  sweep.folder.write("r.wkt", "POLYGON((0 0,48 0,48 36,0 36,0 0),(9 9,9 20,20 20,9 9))");
  sweep.folder.write("leaf.svg",
                     "<svg xmlns='http://www.w3.org/2000/svg'><path d='M0 0L2 6L-2 6z'/>"
                     "<path d='M9 0h1v3h-1z'/></svg>");
  fs::copy(DAPPLE_SOURCE_FOLDER "/tests/fuzz/corpus/image/alpha.tif", sweep.folder / "alpha.tif");
  make({"mask", "--size", "16", "--certificate", "-o", "m.png"});
  make({"sample", "--size", "48x36", "--count", "30", "-o", "p.csv"});
  make({"sample", "--size", "48x36", "--count", "30", "--seed", "2", "-o", "q.csv"});
  make({"stipple", "p.ppm", "--dots", "80", "-o", "s.svg"});
  make({"batch", "jobs.toml"});
  const char* const only = std::getenv("DAPPLE_PAIRS_OF");  // a command; and _WITH an option
  int at = 0;
  for (const Scene& scene : scenes()) {
    // A mask has the shape of its map.
    const bool is_long = std::ranges::count(scene.words, "l.ppm") > 0;
    sweep.folder.write("h.ppm", halves(is_long ? 24 : 36));
    // Points to keep; on the hill four of its corners, in a volume four of its places.
    const auto has = [&](const char* word) { return std::ranges::count(scene.words, word) > 0; };
    sweep.folder.write("k.csv",
                       has("--on=m.ply")
                           ? "x,y,z\n8,8,1.81707\n28,12,7.66929\n44,28,0.592873\n16,32,1.81707\n"
                       : has("--size=20x16x12") ? "x,y,z\n4,4,3\n14,6,4\n18,12,9\n8,14,6\n"
                                                : "x,y\n8,8\n28,12\n44,28\n16,32\n");
    if (only == nullptr || scene.command == only) Pairs(sweep, scene).run(at);
  }
  EXPECT_GT(at, only != nullptr || std::getenv("DAPPLE_PAIRS_WITH") != nullptr ? 0 : 1000);
}

}  // namespace
}  // namespace dapple::faults
