// Options are declared once, beside the algorithm that has them:
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
// That one list drives the command line, recipes (reading and writing), --help, the man page, shell
// completions, docs/ and the round-trip tests. The default shown is the value of the field when it
// was added, so it is the real one.
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

#include "dapple/inputs.hpp"
#include "dapple/option_words.hpp"
#include "dapple/plane.hpp"
#include "dapple/points.hpp"
#include "dapple/units.hpp"

namespace dapple {

enum class OptionType { flag, integer, number, text, list, image, points, mesh, text_file };

// A value with a text of its own, found by argument-dependent lookup: from_text() throws
// Error(usage) with what was expected, and reads back exactly what to_text() gives.
template <class T>
concept OptionValue = !OptionEnum<T> && requires(T value, std::string_view text) {
  { to_text(value) } -> std::convertible_to<std::string>;
  from_text(text, value);
};

class Option {
 public:
  // What is seen of a field without a text of it: that there is none; what set() accepts unless a
  // rule objects; or nothing.
  enum class Seen { none, right, unknown };

  // Long name, without dashes, and one line of documentation without a final full stop.
  std::string name = {};
  std::string doc = {};
  std::string other_name = {};  // a second long name that is accepted too
  char short_name = 0;          // a letter that is accepted after one dash
  bool repeats = false;         // may be given several times: set() adds a value
  bool is_essential = false;    // in the short --help of a command that has such options
  OptionType type = OptionType::text;
  std::string group = {};                 // heading in --help
  std::string meta = {};                  // what stands for the value in --help, such as WxH
  std::string unit_name = {};             // unit of a number
  std::string default_text = {};          // to text() of the value when it was added; "" = none
  std::vector<std::string> choices = {};  // every accepted word, where only words are accepted
  std::string other_form =
      {};  // what is accepted beside the words, such as minkowski:P; often nothing
  std::optional<double> minimum = {}, maximum = {};
  // Who gave it its value, such as "preset 'linocut'"; "": its user, or nobody.
  std::string comes_from = {};

  Option& metavar(std::string_view text);
  Option& alias(std::string_view long_name);
  Option& letter(char name);
  Option& essential();
  Option& unit(std::string_view text);
  Option& range(double lowest, double highest);
  Option& at_least(double lowest);
  Option& words(std::vector<std::string> accepted);  // for text and lists
  // Beside the words, texts of a form that cannot be listed.
  Option& or_form(std::string_view form, std::function<bool(std::string_view)> accepts);
  // A check beyond the range: returns what is wrong ("must be ..."), or "" when all is well; or
  // throws Error(usage) that says it all.
  Option& check(std::function<std::string(std::string_view text)> rule);

  // Sets the field from text; throws Error(usage) naming the option, what is wrong and what is
  // accepted, with the nearest word for a typo. The field is unchanged then.
  void set(std::string_view text);
  // The field as text that set() reads back exactly; "" = not given.
  std::string get() const { return get_(); }
  bool is_default() const {
    return bits_ != nullptr ? bits_(field_) == default_bits_ : get_() == default_text;
  }
  // Not its default, or a file that was read under no name.
  bool is_given() const;

  // For a text file: values without a dot or a slash are words that stand for themselves.
  Option& or_words();

  // For whoever loads files: those that the value names; the field itself, or nullptr where the
  // type is another.
  bool names_file() const;
  struct File {
    // What recipes write its hash by: the name of the option, and -NAME where it takes several.
    std::string key;
    std::string path;
  };
  std::vector<File> files() const;
  // The value with other names for them, and set() by that.
  using Path = std::function<std::string(const File& file)>;
  std::string text_with(const Path& path_of) const;
  void name_files(const Path& path_of);
  // Whether its file was read, or a caller gave what it would hold.
  bool is_loaded() const;
  ImageInput* image_input = nullptr;
  PointsInput* points_input = nullptr;
  MeshInput* mesh_input = nullptr;
  TextInput* text_input = nullptr;
  OutlineInput* outline_input = nullptr;
  std::vector<NamedMap>* named_maps = nullptr;

  // Whether set() would accept what the field holds, as far as is seen without a text.
  bool is_right() const;

 private:
  friend class OptionList;
  using See = Seen (*)(const Option& option, const void* field);
  // Of a number, flag or word, another one for each value.
  using Bits = std::uint64_t (*)(const void* field);
  struct Field {
    const void* at;
    See see;
    Bits bits;
  };

  bool is_in_range(double value) const;
  bool is_word(std::string_view text) const;  // one of those, where only they are accepted
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
  // Of most types texts alone tell, once for the value that all begin with.
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

  void forget();  // what the next option of a list may not have

  const void* field_ = nullptr;
  See see_ = nullptr;
  Bits bits_ = nullptr;
  std::uint64_t default_bits_ = 0;
  std::function<std::string()> get_;
  std::function<void(std::string_view)> set_;
  std::function<std::string(std::string_view)> rule_;
  std::function<bool(std::string_view)> has_other_form_;
  bool takes_words_ = false;
  bool is_told_of_ = false;  // with what is written about it
};

// Options in the order they were described. Refers to the fields it was given: they must outlive
// it, and a list and its fields belong to one thread at a time.
class OptionList {
 public:
  // settings: without what is written about them; values: without their defaults, too; doubts: of
  // these no others than such as may hold what set() does not accept, once settle() was called.
  enum class Extent { whole, settings, values, doubts };

  OptionList() = default;
  explicit OptionList(Extent extent) : extent_(extent) {}

  // Heading for the options that follow.
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
  // May be given several times: each use adds one value, taken as it is (commas too).
  Option& add_each(std::string_view name, std::vector<std::string>& field, std::string_view doc);
  // The same, or several between commas; one of a name that is there takes its place.
  Option& add_each(std::string_view name, std::vector<NamedMap>& field, std::string_view doc);
  // A number that may be left out, written as `none`.
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

  // A word, or an SVG file, for which the enumerator after the last word stands.
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
  // What was added last is gone where it is right.
  void settle();

  std::vector<Option*>::const_iterator begin() const { return options_.begin(); }
  std::vector<Option*>::const_iterator end() const { return options_.end(); }
  std::size_t size() const { return options_.size(); }
  Option* find(std::string_view name) const;  // nullptr: no such option
  Option* find(char letter) const;
  // The nearest valid name for a typo, or "" where none is near.
  std::string nearest(std::string_view name) const;

 private:
  Option& make_room();
  Option& add_bound(std::string_view name, OptionType type, std::string_view doc,
                    std::function<std::string()> get, std::function<void(std::string_view)> set,
                    const Option::Field& field);
  // now: the place of the word that the field holds, beyond the last where it holds none.
  Option& add_choice(std::string_view name, std::string_view doc,
                     std::span<const std::string_view> words, std::size_t now,
                     std::function<std::string()> get, std::function<void(std::string_view)> set,
                     const Option::Field& field);
  static std::string word_at(std::span<const std::string_view> words, std::size_t place);
  // Of one that is there.
  static std::size_t place_of(std::span<const std::string_view> words, std::string_view word);
  static Option& or_outline(Option& option, std::size_t after, OutlineInput& file,
                            std::function<void(std::size_t)> set);

  Extent extent_ = Extent::whole;
  std::string group_;
  std::vector<std::unique_ptr<Option[]>> rooms_;  // of the options, which stay where they are
  std::span<Option> free_;                        // of the last room
  std::vector<Option*> options_;
  Option* spare_ = nullptr;  // one that is gone
};

// Ranges hold for every caller, not for text alone: throws one Error(usage) with every option whose
// field holds what set() would not accept, and with files that are named but were not loaded. Takes
// some microseconds, as texts are made of what may be wrong alone; public functions begin with
// check(options), which leaves the options alone.
void check_values(OptionList& options);
template <class... Options>
void check(Options... options) {
  OptionList list(OptionList::Extent::doubts);
  describe(options..., list);
  check_values(list);
}

// The items of a list such as a,b,c. Throws Error(usage) for empty ones.
std::vector<std::string> items_of(std::string_view list);

// The word of `words` with the smallest edit distance to `word`, if that is small enough to be a
// typo (at most a third of its length, rounded up); else "".
std::string nearest_word(std::string_view word, std::span<const std::string> words);

}  // namespace dapple
