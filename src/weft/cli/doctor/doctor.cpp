// cli/doctor/doctor: `weft doctor` - measures the machine that it runs on, and says what is wrong
// with it.

#include <CLI/CLI.hpp>

#include <array>

#include "weft/cli/command.hpp"
#include "weft/cli/doctor/doctor_page.hpp"
#include "weft/cli/doctor/doctor_report.hpp"
#include "weft/cli/given.hpp"
#include "weft/comm/agreement.hpp"
#include "weft/files/output_file.hpp"
#include "weft/measuring/measure_machine.hpp"
#include "weft/networks/machine_file.hpp"

namespace weft::cli {

namespace {

constexpr const char* doctor_examples =
    "  weft doctor --seconds 1\n"
    "  mpiexec -n 2 weft doctor --seconds 1 --machine-file machine.json --html doctor.html\n"
    "  weft plan 64x64x64 --machine machine.json\n"
    "  mpiexec -n 4 weft doctor --seconds 0.5 --node-size 2 --json doctor.json\n";

struct DoctorArguments {
  std::string machine_file, json, html, name;
  double seconds = 20;
  Given given;
};

MeasurementChoices choices_of(const DoctorArguments& arguments) {
  const Options options = options_of(arguments.given.texts, "--");
  MeasurementChoices choices;
  choices.name = arguments.name;
  choices.seconds = arguments.seconds;
  choices.threads = options.threads;
  choices.node_sizes = options.pretend.node_sizes;
  return choices;
}

void run(const DoctorArguments& arguments, const Surroundings& here) {
  const MeasurementChoices choices = choices_of(arguments);
  agree(here.comm, [&] {
    if (here.comm.rank() != 0) return;
    for (const std::string& path : {arguments.machine_file, arguments.json, arguments.html})
      if (!path.empty()) require_writable(path);
  });
  const MachineMeasurement measured = measure_machine(
      here.comm, choices, [&](const std::string& what) { here.console.start_activity(what); });
  here.console.start_activity("");
  const auto [text, machine, json, html] = agree(here.comm, [&] {
    const std::vector<Finding> findings = findings_of(measured);
    return std::array<std::string, 4>{
        doctor_text(measured, findings), print_machine(machine_with_findings(measured)) + "\n",
        doctor_json(measured, findings), doctor_page(measured, findings)};
  });
  here.console.say(text);
  write_text(here.comm, arguments.machine_file, machine);
  write_text(here.comm, arguments.json, json);
  write_text(here.comm, arguments.html, html);
}

void add_doctor_options(CLI::App& app, DoctorArguments& a) {
  app.add_option("--machine-file", a.machine_file,
                 "write the machine to FILE, for `weft plan --machine FILE`")
      ->type_name("FILE");
  app.add_option("--json", a.json, "write all measurements and findings to FILE, as JSON")
      ->type_name("FILE");
  app.add_option("--html", a.html, "write a page with pictures to FILE")->type_name("FILE");
  app.add_option("--seconds", a.seconds,
                 "measure for about S seconds; a busy machine, for at most 10 if S is less")
      ->type_name("S")
      ->capture_default_str();
  app.add_option("--name", a.name, "what the machine is called (default: the host of rank 0)")
      ->type_name("NAME");
  add_settings(app, a.given, {"threads", "node-size"});
}

}  // namespace

Command doctor_command() {
  return {"doctor",
          "measure this machine, say what is wrong with it, and describe it for `weft plan`",
          doctor_examples, [](CLI::App& app) {
            const auto arguments = std::make_shared<DoctorArguments>();
            add_doctor_options(app, *arguments);
            return [arguments](const Surroundings& here) { run(*arguments, here); };
          }};
}

}  // namespace weft::cli
