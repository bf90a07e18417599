// SPDX-License-Identifier: Apache-2.0
// OpenCL's host interface over the host runtime (runtime/host/lanewise.h), as one translation unit.
#include "context.cpp"
#include "dispatch.cpp"
#include "events.cpp"
#include "kernel.cpp"
#include "launch.cpp"
#include "memory.cpp"
#include "platform.cpp"
#include "program.cpp"
#include "program_linking.cpp"
#include "scheduler.cpp"
#include "svm.cpp"
#include "transfers.cpp"
