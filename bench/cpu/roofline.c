// SPDX-License-Identifier: Apache-2.0
// What the machine can do at most, a share a thread. `count` is in vectors, `passes` how often all is done.
// The results are returned or stored so that nothing is left out.
#if defined(__AVX512F__)
#define LANES 16
#elif defined(__AVX__)
#define LANES 8
#else
#define LANES 4
#endif
#define CHAINS 16 // more than latency times throughput of a fused multiply-add
#define EACH_CHAIN _Pragma("clang loop unroll(full)") for (int c = 0; c < CHAINS; c++)

typedef float vector __attribute__((ext_vector_type(LANES)));

int lanes(void) { return LANES; }
int chains(void) { return CHAINS; }

static float total(const vector *sums) {
  float total = 0.0f;
  for (int c = 0; c < CHAINS; c++)
    for (int lane = 0; lane < LANES; lane++)
      total += sums[c][lane];
  return total;
}

float read(const vector *in, long count, long passes) {
  vector sum[CHAINS] = {0};
  for (long pass = 0; pass < passes; pass++) {
    for (long i = 0; i + CHAINS <= count; i += CHAINS)
      EACH_CHAIN
        sum[c] += in[i + c];
    __asm__ volatile("" ::: "memory");
  }
  return total(sum);
}

void copy(vector *out, const vector *in, long count, long passes) {
  for (long pass = 0; pass < passes; pass++) {
    for (long i = 0; i < count; i++)
      out[i] = in[i];
    __asm__ volatile("" ::: "memory");
  }
}

void stream(vector *out, const vector *in, long count, long passes) {
  for (long pass = 0; pass < passes; pass++) {
    for (long i = 0; i < count; i++)
      __builtin_nontemporal_store(in[i], &out[i]);
    __asm__ volatile("" ::: "memory");
  }
  __atomic_thread_fence(__ATOMIC_SEQ_CST);
}

float multiply_add(long count, long passes, float factor) {
  vector sum[CHAINS];
  EACH_CHAIN
    sum[c] = (vector)(float)c;
  for (long i = 0; i < count * passes; i++)
    EACH_CHAIN
      sum[c] = __builtin_elementwise_fma(sum[c], (vector)factor, (vector)1.0f);
  return total(sum);
}
