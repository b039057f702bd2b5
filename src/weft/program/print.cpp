// program/print: a program as text, for people who look for what waits for what.

#include "weft/base/ensure.hpp"
#include "weft/program/program.hpp"

namespace weft {

namespace {

std::string buffer_text(const Program& program, std::size_t number) {
  const BufferSpec& buffer = program.buffers[number];
  static constexpr const char* homes[] = {"source array", "target array", "workspace"};
  return fmt::format("  {}: role {} of rank {}, {} bytes at byte {} of the {}, {} memory\n", number,
                     buffer.role, buffer.rank, buffer.bytes, buffer.offset,
                     homes[static_cast<int>(buffer.home)],
                     buffer.space == MemorySpace::host ? "host" : "node");
}

std::string message_text(const char* way, std::size_t number, const Message& message) {
  return fmt::format("    {} {}: {} elements at element {} of buffer {}, rank {}, tag {}\n", way,
                     number, message.count, message.offset, message.buffer, message.peer,
                     message.tag);
}

std::string collective_text(std::size_t number, const Collective& collective) {
  static constexpr const char* methods[] = {"alltoall", "alltoallv", "alltoallw"};
  return fmt::format(
      "    collective {}: {} of ranks {}, {} parts from buffer {}, {} to buffer {}\n", number,
      methods[collective.method], fmt::join(collective.group, ","), collective.sends.size(),
      collective.send_buffer, collective.receives.size(), collective.receive_buffer);
}

std::string step_text(const Program& program, const Step& step) {
  std::string text = fmt::format("  {}\n", step.name);
  if (step.sweep >= 0) {
    const SweepProgram& sweep = program.sweeps[static_cast<std::size_t>(step.sweep)];
    for (std::size_t i = 0; i < sweep.items.size(); ++i) {
      const Item& item = sweep.items[i];
      text +=
          fmt::format("    item {}: {} grains, needs messages {{{}}}, feeds {}\n", i,
                      item.last - item.first, fmt::join(item.messages, ","), to_string(item.feeds));
    }
    return text;
  }
  const ExchangeProgram& exchange = program.exchanges[static_cast<std::size_t>(step.exchange)];
  for (std::size_t i = 0; i < exchange.receives.size(); ++i)
    text += message_text("receive", i, exchange.receives[i]);
  for (std::size_t i = 0; i < exchange.sends.size(); ++i)
    text += message_text("send", i, exchange.sends[i]);
  for (std::size_t i = 0; i < exchange.collectives.size(); ++i)
    text += collective_text(i, exchange.collectives[i]);
  return text;
}

std::string waits_text(const Task& task) {
  std::string text;
  for (const Wait& wait : task.waits)
    text += fmt::format("{}{} ({}{})", text.empty() ? "; waits for " : ", ", wait.task,
                        to_string(wait.why), wait.until_submitted ? ", submitted" : "");
  return text;
}

}  // namespace

std::string to_string(const Program& program) {
  std::string text =
      fmt::format("program of rank {}: workspace of {} bytes{}\nbuffers\n", program.rank,
                  program.workspace_bytes, program.may_group ? ", messages may go in groups" : "");
  for (std::size_t b = 0; b < program.buffers.size(); ++b) text += buffer_text(program, b);
  text += "steps\n";
  for (const Step& step : program.steps) text += step_text(program, step);
  if (!program.signals.empty()) text += "signals\n";
  for (std::size_t s = 0; s < program.signals.size(); ++s)
    text += fmt::format("  {}: {}, raised by {} ranks\n", s, program.signals[s].name,
                        program.signals[s].raisers);
  text += "tasks\n";
  for (std::size_t t = 0; t < program.tasks.size(); ++t)
    text += fmt::format("  {}: {}{}\n", t, describe_task(program, static_cast<int>(t)),
                        waits_text(program.tasks[t]));
  return text;
}

}  // namespace weft
