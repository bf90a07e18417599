// SPDX-License-Identifier: Apache-2.0
// libcudart as one translation unit.

#include "error.cpp"

#include "error_texts.cpp"

#include "faults.cpp"

#include "registration.cpp"

#include "streams.cpp"

#include "device.cpp"

#include "launch.cpp"

#include "functions.cpp"

#include "memory.cpp"

#include "stream_memory.cpp"

#include "copies.cpp"

#include "events.cpp"

#include "graphs.cpp"

#include "refusals.cpp"

#include "process.cpp"
