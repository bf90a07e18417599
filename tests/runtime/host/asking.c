// SPDX-License-Identifier: Apache-2.0
// The host runtime, with its compile service in reach of a test.
#include "host.c"

LW_EXPORT char *ask(const char *head, const void *data, size_t bytes) { return ask_service(head, data, bytes); }
