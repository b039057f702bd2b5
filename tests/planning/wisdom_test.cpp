// planning/wisdom: prints and parses, keeps one entry for a key, and refuses everything else.

#include "weft/planning/wisdom.hpp"

#include <gmock/gmock.h>

#include "support/processor_seconds.hpp"
#include "weft/base/ensure.hpp"

using namespace weft;
using testing::HasSubstr;

namespace {

WisdomEntry entry_for(const std::string& problem) {
  WisdomEntry entry;
  entry.key = {problem, "", "2, nodes x ranks 1 x 2", "a \"processor\"\n\t\\ of é", "weft 0.1.0"};
  entry.strategy = "weft | from 2x1x1 | fft 2,1 | p2p to 1x2x1 | fft 0";
  entry.threads = 3;
  entry.cache_bytes = std::int64_t{1} << 20;
  entry.shared_cache_bytes = std::int64_t{1} << 40;
  entry.segment_bytes = 1 << 18;
  entry.eager_message_bytes = 1;
  entry.progress = Progress::by_calls;
  entry.seconds = 0.1;  // which has no end as a binary fraction
  entry.untuned_seconds = 1e-9;
  entry.tried = 17;
  entry.tuned_at = "2026-01-31T12:00:00Z";
  return entry;
}

Wisdom two() {
  Wisdom wisdom;
  wisdom.learn(entry_for("c2c of 8x8x8"));
  wisdom.learn(entry_for("c2c of 9x9x9"));
  return wisdom;
}

std::string error_of_text(const std::string& text) {
  try {
    parse_wisdom(text);
  } catch (const Error& error) {
    return error.what();
  }
  return "no error";
}

std::string with(std::string text, const std::string& old, const std::string& other) {
  const auto at = text.find(old);
  EXPECT_NE(at, std::string::npos) << old;
  return text.replace(at, old.size(), other);
}

}  // namespace

TEST(Wisdom, parses_what_it_prints) {
  for (const Wisdom& wisdom : {Wisdom(), two()}) {
    EXPECT_EQ(parse_wisdom(to_text(wisdom)), wisdom);
    EXPECT_EQ(to_text(parse_wisdom(to_text(wisdom))), to_text(wisdom));
  }
}

TEST(Wisdom, has_one_entry_for_a_key_the_newest_last) {
  Wisdom wisdom = two();
  WisdomEntry newer = entry_for("c2c of 8x8x8");
  newer.strategy = "fftw | from 1x1x1 | fft 2,1,0";
  wisdom.learn(newer);
  ASSERT_EQ(wisdom.entries().size(), 2U);
  EXPECT_EQ(wisdom.entries().back(), newer);
  EXPECT_EQ(*wisdom.find(newer.key), newer);
}

TEST(Wisdom, finds_only_what_is_for_the_whole_key) {
  const Wisdom wisdom = two();
  const WisdomKey key = wisdom.entries().front().key;
  ASSERT_NE(wisdom.find(key), nullptr);
  for (std::string WisdomKey::*member :
       {&WisdomKey::problem, &WisdomKey::options, &WisdomKey::ranks, &WisdomKey::machine,
        &WisdomKey::versions}) {
    WisdomKey other = key;
    other.*member += " ";
    EXPECT_EQ(wisdom.find(other), nullptr);
  }
}

TEST(Wisdom, tells_what_tuning_gained_or_that_it_gained_nothing) {
  WisdomEntry entry = entry_for("c2c of 8x8x8");
  entry.seconds = 0.0125;
  entry.untuned_seconds = 0.02;
  EXPECT_EQ(gain_text(entry), "there and back 12.500 ms instead of 20.000 ms");
  // Equal to the eye is equal.
  for (const double untuned : {0.0125, 0.01250001}) {
    entry.untuned_seconds = untuned;
    EXPECT_EQ(gain_text(entry), "there and back 12.500 ms, as without tuning");
  }
}

TEST(Wisdom, forgets_what_contains_a_text) {
  Wisdom wisdom = two();
  EXPECT_EQ(wisdom.forget("7x7x7"), 0);
  EXPECT_EQ(wisdom.forget("8x8x8"), 1);
  ASSERT_EQ(wisdom.entries().size(), 1U);
  EXPECT_EQ(wisdom.forget("weft 0.1.0"), 1);
  wisdom = two();
  EXPECT_EQ(wisdom.forget(""), 2);
}

TEST(Wisdom, is_not_read_from_any_part_of_its_text) {
  const std::string text = to_text(two());
  for (std::size_t size = 0; size + 2 < text.size(); ++size)
    EXPECT_THROW(parse_wisdom(text.substr(0, size)), Error) << size;
  EXPECT_THAT(error_of_text(text.substr(0, 100)), HasSubstr("is no JSON"));
}

TEST(Wisdom, is_not_read_from_what_something_else_wrote) {
  for (const char* foreign : {"[]", "3", "null", "{}", "{\"weft_machine\": 1}",
                              "{\"weft_wisdom\": \"1\", \"entries\": []}"})
    EXPECT_THAT(error_of_text(foreign), HasSubstr("this is no wisdom of weft")) << foreign;
  for (const char* wrong : {"{\"weft_wisdom\": 1}", "{\"weft_wisdom\": 1, \"entries\": {}}",
                            "{\"weft_wisdom\": 1, \"entries\": [], \"more\": 0}"})
    EXPECT_THAT(error_of_text(wrong), HasSubstr("does not have just a list of 'entries'")) << wrong;
}

TEST(Wisdom, of_another_version_is_refused) {
  const std::string text = to_text(two());
  const auto newer = with(text, "\"weft_wisdom\": 2", "\"weft_wisdom\": 3");
  EXPECT_THAT(error_of_text(newer), HasSubstr("of a newer weft: version 3, and this weft knows 2"));
  const auto older = with(text, "\"weft_wisdom\": 2", "\"weft_wisdom\": 0");
  EXPECT_THAT(error_of_text(older), HasSubstr("no version 0"));
}

TEST(Wisdom, of_version_1_has_the_usual_progress_and_sizes_of_messages) {
  Wisdom wisdom;
  WisdomEntry entry = entry_for("c2c of 8x8x8");
  entry.segment_bytes = entry.eager_message_bytes = 0;
  entry.progress = Progress::automatic;
  wisdom.learn(entry);
  std::string text = with(to_text(wisdom), "\"weft_wisdom\": 2", "\"weft_wisdom\": 1");
  EXPECT_THAT(error_of_text(text), HasSubstr("has 16 members instead of 13"));
  for (const char* since :
       {"\"segment_bytes\": 0,", "\"eager_message_bytes\": 0,", "\"progress\": \"automatic\","})
    text = with(text, since, "");
  EXPECT_EQ(parse_wisdom(text), wisdom);
  const auto lacking = with(text, "\"weft_wisdom\": 1", "\"weft_wisdom\": 2");
  EXPECT_THAT(error_of_text(lacking), HasSubstr("no 'segment_bytes'"));
}

TEST(Wisdom, with_a_wrong_member_is_refused_by_its_name) {
  const std::string text = to_text(two());
  const struct {
    const char *old, *other, *says;
  } cases[] = {
      {"\"threads\": 3", "\"threads\": -1", "'threads' that is not an integer from 0"},
      {"\"threads\": 3", "\"threads\": 3.5", "'threads' that is not an integer"},
      {"\"threads\": 3", "\"threads\": 99999999999", "'threads' that is not an integer"},
      {"\"threads\": 3", "\"threads\": \"3\"", "'threads' that is not an integer"},
      {"\"seconds\": 0.1", "\"seconds\": 0", "'seconds' that is not a positive number"},
      {"\"seconds\": 0.1", "\"seconds\": null", "'seconds' that is not a positive number"},
      {"\"tuned_at\": ", "\"tuned\": ", "no 'tuned_at'"},
      {"\"threads\": 3", "\"threads\": 3, \"colour\": 1", "has 17 members instead of 16"},
      {"\"segment_bytes\": 262144", "\"segment_bytes\": -1",
       "'segment_bytes' that is not an integer"},
      {"\"eager_message_bytes\": 1", "\"eager_message_bytes\": true",
       "'eager_message_bytes' that is not an integer"},
      {"\"progress\": \"inline\"", "\"progress\": \"often\"", "there is no progress 'often'"},
      {"\"progress\": \"inline\"", "\"progress\": 1", "'progress' that is not a text"},
      {"\"progress\": ", "\"speed\": ", "no 'progress'"},
      {"\"problem\": \"c2c of 8x8x8\"", "\"problem\": 8", "'problem' that is not a text"},
      {"c2c of 8x8x8", "c2c of 9x9x9", "entry 1 of the wisdom is for the same problem"},
  };
  for (const auto& each : cases)
    EXPECT_THAT(error_of_text(with(text, each.old, each.other)), HasSubstr(each.says));
}

TEST(Wisdom, of_many_levels_is_refused) {
  std::string lists(100'000, '[');
  lists.append(100'000, ']');
  const std::string text = to_text(two());
  EXPECT_THAT(
      error_of_text(with(text, "\"weft | from 2x1x1 | fft 2,1 | p2p to 1x2x1 | fft 0\"", lists)),
      HasSubstr("the file has more than 8 levels"));
}

TEST(Wisdom, learns_what_is_newer_elsewhere) {
  Wisdom wisdom = two(), other;
  WisdomEntry newer = entry_for("c2c of 8x8x8"), older = entry_for("c2c of 9x9x9"),
              unknown = entry_for("c2c of 7x7x7");
  newer.tuned_at = "2026-02-01T00:00:00Z";
  older.tuned_at = "2026-01-01T00:00:00Z";
  for (const WisdomEntry& entry : {newer, older, unknown}) other.learn(entry);
  EXPECT_EQ(wisdom.learn_newer(other), 2);
  EXPECT_EQ(wisdom.entries(), (std::vector{entry_for("c2c of 9x9x9"), newer, unknown}));
  EXPECT_EQ(*wisdom.find(newer.key), newer);
  EXPECT_EQ(wisdom.learn_newer(other), 0);
}

TEST(Wisdom, is_read_and_joined_in_time_that_grows_with_its_entries) {
  const auto of = [](int entries) {
    Wisdom wisdom;
    for (int i = 0; i < entries; ++i) wisdom.learn(entry_for(fmt::format("c2c of {}x8x8", i)));
    return to_text(wisdom);
  };
  test::expect_linear(1000, of, [](const std::string& text) {
    Wisdom wisdom = parse_wisdom(text), newer;
    for (WisdomEntry entry : wisdom.entries()) {
      entry.tuned_at = "2027-01-01T00:00:00Z";
      newer.learn(entry);
    }
    EXPECT_EQ(wisdom.learn_newer(newer), static_cast<int>(wisdom.entries().size()));
  });
}
