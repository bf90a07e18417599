// SPDX-License-Identifier: Apache-2.0
// Hints about managed memory, which change nothing and are remembered for those who ask.
#ifndef LANEWISE_CUDART_HINTS_H
#define LANEWISE_CUDART_HINTS_H

namespace lw_cudart {

// What can be said of a range. Of the places, each has its own ACCESSED_BY.
enum HintKind { READ_MOSTLY, PREFERRED, PREFETCHED, ACCESSED_BY_HOST, ACCESSED_BY_DEVICE };

void remember_hint(const void *memory, size_t bytes, HintKind kind, int value);
void forget_hints(const void *memory, size_t bytes);

// The value that all of a range has; `otherwise` if parts differ or nothing was said.
int hint_of(const void *memory, size_t bytes, HintKind kind, int otherwise);

} // namespace lw_cudart

#endif
