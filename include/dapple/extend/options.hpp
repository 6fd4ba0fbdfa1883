// Declares options once, beside the algorithm that has them:
//
//     struct MaskOptions {
//       int channels = 1;
//       double sigma = 1.44;
//     };
//     void describe(MaskOptions& o, OptionList& list) {
//       list.add("channels", o.channels, "Independent masks in one file").range(1, 4);
//       list.add("sigma", o.sigma, "Width of the energy kernel").unit("pixels").range(0.5, 5);
//     }
//
// This list drives the command line, recipes (reading and writing), --help, the man page, shell
// completions, docs/ and the round-trip tests. The default shown is the value of the field at the
// time it was added, so it is the real default.
#pragma once

#include <bit>
#include <concepts>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <type_traits>
#include <vector>

#include "dapple/extend/option_words.hpp"
#include "dapple/inputs.hpp"
#include "dapple/plane.hpp"
#include "dapple/points.hpp"
#include "dapple/units.hpp"

namespace dapple {

enum class OptionType { flag, integer, number, text, list, image, points, mesh, text_file };

// A type with to_text() and from_text(), found by argument-dependent lookup. from_text() reads back
// exactly the text of to_text(), and throws Error(usage) that names the expected form.
template <class T>
concept OptionValue = !OptionEnum<T> && requires(T value, std::string_view text) {
  { to_text(value) } -> std::convertible_to<std::string>;
  from_text(text, value);
};

class Option {
 public:
  // The state of a field, found without making its text. none: it holds no value. right: set()
  // accepts the value unless a rule objects. unknown: only the text can tell.
  enum class Seen { none, right, unknown };

  // Long name, without dashes, and one line of documentation without a final full stop.
  std::string name = {};
  std::string doc = {};
  std::string other_name = {};  // a second long name that is accepted too
  char short_name = 0;          // a letter that is accepted after one dash
  bool repeats = false;         // may be given several times; set() adds a value
  bool is_essential = false;    // in the short --help of commands that have essential options
  OptionType type = OptionType::text;
  std::string group = {};                 // heading in --help
  std::string meta = {};                  // the placeholder of the value in --help, such as WxH
  std::string unit_name = {};             // unit of a number
  std::string default_text = {};          // text() of the value when it was added; "" = none
  std::vector<std::string> choices = {};  // every accepted word, if only words are accepted
  std::string other_form =
      {};  // the form accepted beside the words, such as minkowski:P; often empty
  std::optional<double> minimum = {}, maximum = {};
  // The source of the value, such as "preset 'linocut'"; "": the user, or the default.
  std::string comes_from = {};

  Option& metavar(std::string_view text);
  Option& alias(std::string_view long_name);
  Option& letter(char name);
  Option& essential();
  Option& unit(std::string_view text);
  Option& range(double lowest, double highest);
  Option& at_least(double lowest);
  Option& words(std::vector<std::string> accepted);  // for text and lists
  // Accepts, beside the words, texts of a form that cannot be listed.
  Option& or_form(std::string_view form, std::function<bool(std::string_view)> accepts);
  // Adds a check beyond the range. `rule` returns what is wrong ("must be ..."), or "" if the text
  // is valid, or throws a complete Error(usage).
  Option& check(std::function<std::string(std::string_view text)> rule);

  // Sets the field from text. Throws Error(usage) that names the option, the mistake and what is
  // accepted, with the nearest word for a typo; the field is then unchanged.
  void set(std::string_view text);
  // Returns the field as text that set() reads back exactly; "" = not given.
  std::string get() const { return get_(); }
  bool is_default() const {
    return bits_ != nullptr ? bits_(field_) == default_bits_ : get_() == default_text;
  }
  // Returns true if the value is not the default, or if a file was read that has no name.
  bool is_given() const;

  // For a text file: values without a dot or a slash are words, not names of files.
  Option& or_words();

  // Returns true if the value names a file that the caller has to load. The input that the file is
  // loaded into is one of the pointers below; they are nullptr for other types.
  bool names_file() const;
  struct File {
    // The name of its hash in recipes: the option, and -NAME if the option takes several files.
    std::string key;
    std::string path;
  };
  std::vector<File> files() const;
  // text_with() returns the value with other file names; name_files() sets the value to that text.
  using Path = std::function<std::string(const File& file)>;
  std::string text_with(const Path& path_of) const;
  void name_files(const Path& path_of);
  // Returns true if the file was read, or if the caller supplied its content.
  bool is_loaded() const;
  ImageInput* image_input = nullptr;
  PointsInput* points_input = nullptr;
  MeshInput* mesh_input = nullptr;
  TextInput* text_input = nullptr;
  OutlineInput* outline_input = nullptr;
  RegionsInput* regions_input = nullptr;
  std::vector<NamedMap>* named_maps = nullptr;

  // Returns true if set() would accept the field, as far as this shows without making its text.
  bool is_valid() const;

 private:
  friend class OptionList;
  using See = Seen (*)(const Option& option, const void* field);
  // Maps the value of a number, flag or word to bits that differ between any two values.
  using Bits = std::uint64_t (*)(const void* field);
  struct Field {
    const void* at;
    See see;
    Bits bits;
  };

  bool is_in_range(double value) const;
  bool is_word(std::string_view text) const;  // true if accepted, or if all texts are accepted
  template <class T>
  static Seen see(const Option& option, const void* field);
  template <class T>
  static std::uint64_t bits(const void* field) {
    if constexpr (std::is_same_v<T, double>) {
      return std::bit_cast<std::uint64_t>(*static_cast<const double*>(field));
    } else {
      return static_cast<std::uint64_t>(*static_cast<const T*>(field));
    }
  }
  // Examines a value by its text. The text of a default value is made and checked only once.
  template <OptionValue T>
  static Seen see_text(const Option&, const void* field) {
    const T& value = *static_cast<const T*>(field);
    if constexpr (std::derived_from<T, Length> || std::derived_from<T, LengthRange>) {
      return see_length(value);
    } else if constexpr (std::equality_comparable<T>) {
      static const Seen first = [] {
        const std::string text = to_text(T{});
        return text.empty() ? Seen::none : reads<T>(text) ? Seen::right : Seen::unknown;
      }();
      return value == T{} ? first : Seen::unknown;
    } else {
      return Seen::unknown;
    }
  }
  template <OptionValue T>
  static bool reads(const std::string& text) {
    try {
      T value{};
      from_text(text, value);
      return true;
    } catch (...) {
      return false;
    }
  }
  static Seen see_word(const Option& option, const void* field);
  static Seen see_each(const Option& option, const void* field);
  static Seen see_length(const Length& value);
  static Seen see_length(const LengthRange& value);

  void forget();  // resets members that the next option of the list must not inherit

  const void* field_ = nullptr;
  See see_ = nullptr;
  Bits bits_ = nullptr;
  std::uint64_t default_bits_ = 0;
  std::function<std::string()> get_;
  std::function<void(std::string_view)> set_;
  std::function<std::string(std::string_view)> rule_;
  std::function<bool(std::string_view)> has_other_form_;
  bool takes_words_ = false;
  bool is_told_of_ = false;  // true if the option carries its documentation
};

// Options in the order of their description. The list refers to the given fields, which must
// outlive it. A list and its fields belong to one thread at a time.
class OptionList {
 public:
  // settings: without documentation; values: also without defaults; doubts: as values, but settle()
  // keeps only options that may hold a value that set() does not accept.
  enum class Extent { whole, settings, values, doubts };

  OptionList() = default;
  explicit OptionList(Extent extent) : extent_(extent) {}

  // Sets the heading for the options that follow.
  void group(std::string_view heading) { group_ = heading; }

  Option& add(std::string_view name, bool& field, std::string_view doc);
  Option& add(std::string_view name, int& field, std::string_view doc);
  Option& add(std::string_view name, std::int64_t& field, std::string_view doc);
  Option& add(std::string_view name, std::uint64_t& field, std::string_view doc);  // 63 bits
  Option& add(std::string_view name, double& field, std::string_view doc);
  Option& add(std::string_view name, std::string& field, std::string_view doc);
  Option& add(std::string_view name, std::vector<std::string>& field, std::string_view doc);
  Option& add(std::string_view name, Length& field, std::string_view doc);
  Option& add(std::string_view name, LengthRange& field, std::string_view doc);
  Option& add(std::string_view name, Size& field, std::string_view doc);
  Option& add(std::string_view name, ImageInput& field, std::string_view doc);
  Option& add(std::string_view name, PointsInput& field, std::string_view doc);
  Option& add(std::string_view name, MeshInput& field, std::string_view doc);
  Option& add(std::string_view name, TextInput& field, std::string_view doc);
  Option& add(std::string_view name, RegionsInput& field, std::string_view doc);
  // Adds an option that may be given several times. Each use adds one value as it is, commas too.
  Option& add_each(std::string_view name, std::vector<std::string>& field, std::string_view doc);
  // As above, but a use may hold several maps between commas; a map replaces one of the same name.
  Option& add_each(std::string_view name, std::vector<NamedMap>& field, std::string_view doc);
  // Adds a number that may be left out, written as `none`.
  Option& add(std::string_view name, std::optional<double>& field, std::string_view doc);

  template <OptionEnum E>
  Option& add(std::string_view name, E& field, std::string_view doc) {
    static constexpr auto words = option_names(E{});
    return add_choice(
        name, doc, words, static_cast<std::size_t>(field),
        [&field] { return word_at(words, static_cast<std::size_t>(field)); },
        [&field](std::string_view text) { field = static_cast<E>(place_of(words, text)); },
        {&field, Option::see_word, Option::bits<E>});
  }

  // Adds a word or an SVG file; for a file the field is the enumerator after the last word.
  template <OptionEnum E>
  Option& add(std::string_view name, E& field, OutlineInput& file, std::string_view doc) {
    return or_outline(add(name, field, doc), option_names(E{}).size(), file,
                      [&field](std::size_t i) { field = static_cast<E>(i); });
  }

  template <OptionValue T>
  Option& add(std::string_view name, T& field, std::string_view doc) {
    return add_bound(
        name, OptionType::text, doc, [&field] { return to_text(field); },
        [&field](std::string_view text) { from_text(text, field); },
        {&field, Option::see_text<T>, nullptr});
  }
  // Removes the option that was added last if its value is valid.
  void settle();

  std::vector<Option*>::const_iterator begin() const { return options_.begin(); }
  std::vector<Option*>::const_iterator end() const { return options_.end(); }
  std::size_t size() const { return options_.size(); }
  Option* find(std::string_view name) const;  // nullptr: no such option
  Option* find(char letter) const;
  // Returns the nearest valid name for a typo, or "" if none is near.
  std::string nearest(std::string_view name) const;

 private:
  Option& make_room();
  Option& add_bound(std::string_view name, OptionType type, std::string_view doc,
                    std::function<std::string()> get, std::function<void(std::string_view)> set,
                    const Option::Field& field);
  // `now` is the index of the word that the field holds, or an index beyond the last word.
  Option& add_choice(std::string_view name, std::string_view doc,
                     std::span<const std::string_view> words, std::size_t now,
                     std::function<std::string()> get, std::function<void(std::string_view)> set,
                     const Option::Field& field);
  static std::string word_at(std::span<const std::string_view> words, std::size_t place);
  // Returns the index of a word that is in `words`.
  static std::size_t place_of(std::span<const std::string_view> words, std::string_view word);
  static Option& or_outline(Option& option, std::size_t after, OutlineInput& file,
                            std::function<void(std::size_t)> set);

  Extent extent_ = Extent::whole;
  std::string group_;
  std::vector<std::unique_ptr<Option[]>> rooms_;  // storage of the options, which do not move
  std::span<Option> free_;                        // the unused part of the last room
  std::vector<Option*> options_;
  Option* spare_ = nullptr;  // a removed option, to be used again
};

// Checks the ranges for every caller, not only for texts. Throws one Error(usage) with every option
// whose field holds a value that set() would not accept, or a file name that was not loaded. Takes
// a few microseconds, since only doubtful values become texts. Public functions begin with
// check(options), which leaves the options unchanged.
void check_values(OptionList& options);
template <class... Options>
void check(Options... options) {
  OptionList list(OptionList::Extent::doubts);
  describe(options..., list);
  check_values(list);
}

// Returns the items of a list such as a,b,c. Throws Error(usage) for empty items.
std::vector<std::string> items_of(std::string_view list);

// Returns the word of `words` with the smallest edit distance to `word`. The distance of a typo is
// at most a third of the length of `word`, rounded up; if none is as near, returns "".
std::string nearest_word(std::string_view word, std::span<const std::string> words);

}  // namespace dapple
