// SPDX-License-Identifier: Apache-2.0
// What stream 0 is to a call: the legacy default stream, or the calling thread's own.
#ifndef LANEWISE_CUDART_PER_THREAD_H
#define LANEWISE_CUDART_PER_THREAD_H

namespace lw_cudart {

extern thread_local bool owns_stream_0;

// While it lives, stream 0 is the calling thread's own.
struct OwnStreams {
  bool before;
  OwnStreams() : before(owns_stream_0) { owns_stream_0 = true; }
  ~OwnStreams() { owns_stream_0 = before; }
};

} // namespace lw_cudart

#endif
