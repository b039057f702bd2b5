// comm/forked: whether this process was forked from one that uses weft.
// Keeps: asking costs no system call.
#pragma once

namespace weft {

/// Notes that this process uses weft.
void note_use_of_process();

/// Whether this process is a child that was forked after note_use_of_process(). Such a child has
/// neither the threads of its parent nor its connections to other ranks.
bool is_forked_child();

/// Error::invalid in such a child.
void require_no_fork();

}  // namespace weft
