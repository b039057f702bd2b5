// faces/settings: problems and options as text.

#include "weft/faces/settings.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <set>

#include "weft/choose/checked_options.hpp"
#include "weft/problem/validated.hpp"

using namespace weft;
using testing::HasSubstr;

namespace {

Options options(const std::string& text) { return options_of(parse_settings(text)); }
Problem problem(const std::string& text) { return problem_of(parse_settings(text)); }

template <class Body>
std::string error_of(Body&& body) {
  try {
    body();
  } catch (const Error& error) {
    EXPECT_EQ(error.code(), Error::invalid);
    return error.what();
  }
  return "no error";
}
std::string option_error(const std::string& text) {
  return error_of([&] { options(text); });
}
std::string problem_error(const std::string& text) {
  return error_of([&] { problem(text); });
}

}  // namespace

TEST(Settings, are_separated_by_semicolons_or_ends_of_lines) {
  const SettingTexts expected{{"exchange", "node"}, {"threads", "2"}, {"in-place", "yes"}};
  EXPECT_EQ(parse_settings("exchange=node; threads=2; in-place"), expected);
  EXPECT_EQ(parse_settings(" exchange = node\n\n threads=2 ;; in_place=yes;\r\n"), expected);
  EXPECT_EQ(parse_settings(" "), SettingTexts());
  EXPECT_EQ(parse_settings("strategy=fftw | from 2x1 on 0,1 | fft 1").at("strategy"),
            "fftw | from 2x1 on 0,1 | fft 1");
}

TEST(Settings, have_names_of_their_own_and_say_what_they_mean) {
  std::set<std::string> names;
  for (const Setting* setting : all_settings()) {
    EXPECT_TRUE(names.insert(setting->name).second) << setting->name;
    EXPECT_FALSE(setting->meaning.empty()) << setting->name;
    EXPECT_EQ(&find_setting(setting->name), setting);
  }
  EXPECT_STREQ(find_setting("in_flight").name, "in-flight");
}

TEST(Settings, say_all_there_is_to_options_but_a_placement) {
  Options expected;
  expected.exchange = "node";
  expected.engine = "fftw";
  expected.decomposition = Distribution::pencil;
  expected.grid = {2, 3};
  expected.ranks = 6;
  expected.strategy = "weft | from input | fft 0";
  expected.effort = Effort::tune;
  expected.tune_seconds = 2.5;
  expected.reproducible = true;
  expected.threads = 3;
  expected.segment_bytes = 4096;
  expected.chunks = 4;
  expected.in_flight = 2;
  expected.arrays = Arrays::any;
  expected.huge_pages = false;
  expected.progress = Progress::by_thread;
  expected.pretend.cache_bytes = 1000;
  expected.pretend.shared_cache_bytes = 2000;
  expected.pretend.eager_message_bytes = 3000;
  expected.pretend.node_sizes = {1, 3};
  EXPECT_EQ(
      to_string(options("exchange=node; engine=fftw; decomposition=pencil; grid=2x3; use_ranks=6; "
                        "strategy=weft | from input | fft 0; effort=tune; tune_seconds=2.5; "
                        "reproducible; threads=3; segment_bytes=4096; chunks=4; in_flight=2; "
                        "arrays=any; huge_pages=no; progress=thread; cache_bytes=1000; "
                        "shared_cache_bytes=2000; eager_message_bytes=3000; node_size=1,3")),
      to_string(expected));
  EXPECT_EQ(to_string(options("")), to_string(Options()));
  EXPECT_EQ(to_string(options("extents=8x8; kind=r2c")), to_string(Options()));
}

TEST(Settings, say_what_is_computed) {
  Problem expected;
  expected.extents = {24, 18, 20};
  expected.kind = Kind::r2c;
  expected.precision = Precision::single_precision;
  expected.axes = {2, 0};
  expected.norm = Norm::ortho;
  expected.batch = 3;
  expected.in_place = true;
  expected.input = Distribution::pencil;
  expected.input.grid = {2, 2};
  expected.output = Distribution::same;
  EXPECT_EQ(problem("extents=24x18x20; kind=r2c; precision=single; axes=-1,0; norm=ortho; batch=3; "
                    "in_place; input=pencil; output=same; grid=2x2; threads=1"),
            expected);
  EXPECT_EQ(problem("extents=8x4").kind, Kind::c2c);
  EXPECT_TRUE(problem("extents=8x4").axes.is_all());
}

TEST(Settings, read_kinds_and_sizes_when_the_extents_are_known) {
  const Problem walls = problem("kind=sfc; extents=8x6x4");
  EXPECT_EQ(walls.kind, Kind::r2c);
  EXPECT_EQ(walls.bases, (Bases{Basis::dst2, Basis::fourier, Basis::dct2}));
  const Problem padded = problem("pad=3/2; extents=8x6");
  EXPECT_EQ(padded.extents, (Extents{12, 9}));
  EXPECT_EQ(padded.modes, (Extents{8, 6}));
  EXPECT_EQ(problem("support=4x4; extents=8x6").support, Box::whole({4, 4}));
  EXPECT_TRUE(problem("cutoff=2; extents=12x12x12").cutoff.is_given());
}

TEST(Settings, errors_name_the_setting_as_it_was_given) {
  EXPECT_THAT(option_error("color=red"), HasSubstr("there is no setting 'color'"));
  EXPECT_THAT(option_error("color=red"), HasSubstr("one of: extents, kind"));
  EXPECT_THAT(option_error("threads=1; threads=2"), HasSubstr("threads is there twice"));
  EXPECT_THAT(option_error("threads=two"), HasSubstr("threads is 'two'"));
  EXPECT_THAT(option_error("threads=4097"), HasSubstr("give an integer from 0 to 4096"));
  EXPECT_THAT(option_error("in_flight=0"), HasSubstr("in-flight is 0"));
  EXPECT_THAT(option_error("chunks=99999999999999999999"), HasSubstr("an integer from 0 to 128"));
  EXPECT_THAT(option_error("tune_seconds=long"), HasSubstr("tune-seconds is 'long'"));
  EXPECT_THAT(option_error("reproducible=maybe"), HasSubstr("give yes or no"));
  EXPECT_THAT(option_error("arrays=mine"), HasSubstr("one of: weft, any"));
  EXPECT_THAT(option_error("effort=much"), HasSubstr("one of: estimate, measure, tune"));
  EXPECT_THAT(option_error("grid=2x0"), HasSubstr("grid is '2x0'"));
  EXPECT_THAT(problem_error("kind=c2c"), HasSubstr("there are no extents"));
  EXPECT_THAT(problem_error("extents=8xx8"), HasSubstr("extents is '8xx8'"));
  EXPECT_THAT(problem_error("extents=8x8; kind=sff"), HasSubstr("the kind sff has 3 bases for 2"));
  EXPECT_THAT(problem_error("extents=8x8; axes=2"), HasSubstr("axis 2 is out of range"));
  EXPECT_THAT(problem_error("extents=8x8; input=same"), HasSubstr("input cannot be 'same'"));
  EXPECT_THAT(problem_error("extents=8x8; pad=0.5"), HasSubstr("pad is '0.5'"));
  const std::string of_program = error_of([] {
    problem_of({{"extents", "8x8"}, {"pad", "0.5"}, {"modes", ""}}, "--");
  });
  EXPECT_THAT(of_program, HasSubstr("--pad is '0.5'"));
  EXPECT_THAT(error_of([] {
                problem_of({{"extents", "8by8"}}, "--");
              }),
              HasSubstr("EXTENTS is '8by8'"));
}
