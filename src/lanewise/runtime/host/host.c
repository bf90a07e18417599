// SPDX-License-Identifier: Apache-2.0
// The host runtime as one translation unit, with the core.

#include "../core/core.c"

#include "../queue/explain.c"

#include "processor.c"

#include "gpu.c"

#include "gpu_memory.c"

#include "allocations.c"

#include "initial_values.c"

#include "image.c"

#include "gpu_module.c"

#include "managed_variable.c"

#include "shared_variables.c"

#include "../queue/fault.c"

#include "../queue/order.c"

#include "../queue/work.c"

#include "../queue/blocked.c"

#include "../queue/queue.c"

#include "../queue/first_work.c"

#include "threads.c"

#include "printed.c"

#include "gpu_queue.c"

#include "work.c"

#include "source_line.c"

#include "launch_log.c"

#include "compile_service.c"

#include "code.c"

#include "second_tier.c"

#include "included_files.c"

#include "kept_answers.c"

#include "ptx_image.c"

#include "loaded_library.c"

#include "checks.c"

#include "check_suppressions.c"

#include "check_report.c"

#include "checked_code.c"

#include "checked_launch.c"

#include "launch_trials.c"

#include "kernel_launch.c"

#include "transfer.c"

#include "graph.c"

#include "choice.c"

#include "capture.c"

#include "worker.c"

#include "host_queue.c"

#include "event.c"
