// SPDX-License-Identifier: Apache-2.0
// The library's locks over a fork.
#include "check.h"

#include "../../../../src/lanewise/cuda/runtime/fork.cpp"

#include <sys/wait.h>
#include <unistd.h>

TEST(a_lock_that_the_parent_held_is_free_in_its_child_and_in_the_childs_child) {
  static lw_cudart::Lock lock;
  lock.take();
  pid_t pid = fork();
  if (pid == 0) {
    alarm(10);
    lock.take(); // the parent's
    pid_t next = fork();
    if (next == 0) {
      alarm(10);
      lock.take();
      lock.give();
      lock.take();
      _exit(0);
    }
    int status;
    _exit(waitpid(next, &status, 0) != next || status != 0);
  }
  int status;
  CHECK(waitpid(pid, &status, 0) == pid);
  CHECK(status == 0);
  CHECK(lock.taken == 1);
  lock.give();
}
