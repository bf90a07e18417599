// SPDX-License-Identifier: Apache-2.0
// What an instruction of a warp asks of the memory system, from the addresses of the lanes that are active.
//
// Each function is called by all active lanes. The first of them gets the number, the others 0, so that a warp's sum
// is right whoever adds it up. Accesses are aligned to their size, as PTX demands.
//
// Sectors are the 32 bytes that caches and memory exchange. Shared memory has 32 banks of 4 bytes, and one wavefront
// brings a word of each; accesses of 8 bytes are made for half a warp at a time, those of 16 bytes for a quarter.
// Sources: CUDA C++ Programming Guide 13, 10.8.3 "Global Memory", 10.4.3 and 10.8.2 "Shared Memory"; Nsight Compute
// 2025 documentation, "Metrics Decoder", memory tables.

#define PUBLIC __attribute__((used))
typedef unsigned int Word;
typedef unsigned long long Address;

#define SECTOR 32u
#define ALL 0xffffffffu

static inline Word of_first(Word number) {
  return __nvvm_read_ptx_sreg_laneid() == (int)__builtin_ctz(__nvvm_activemask()) ? number : 0;
}

static inline int same_in_all(Word mask, Address value) {
  int same;
  __nvvm_match_all_sync_i64p(mask, value, &same);
  return same;
}

// The lanes follow one another without a gap.
static inline int is_run(Word mask) {
  Word lowest = mask >> __builtin_ctz(mask);
  return (lowest & (lowest + 1)) == 0;
}

PUBLIC Word __lw_count_warp(void) { return of_first(1); }

PUBLIC Word __lw_count_divergent(_Bool taken) {
  Word mask = __nvvm_activemask(), those = __nvvm_vote_ballot_sync(mask, taken);
  return of_first(those != 0 && those != mask);
}

// 32-byte sectors that the active lanes touch.
PUBLIC Word __lw_count_sectors(Address address, Word bytes) {
  Word mask = __nvvm_activemask(), lane = __nvvm_read_ptx_sreg_laneid();
  if (is_run(mask)) {  // in the first lane, `address` is that of all that follow
    Address end = address + __builtin_popcount(mask) * bytes - 1;
    if (same_in_all(mask, address - (Address)lane * bytes))
      return of_first((Word)(end / SECTOR - address / SECTOR) + 1);
  }
  if (same_in_all(mask, address))
    return of_first(1);
  Word alike = __nvvm_match_any_sync_i64(mask, address / SECTOR);
  return of_first(__builtin_popcount(__nvvm_vote_ballot_sync(mask, __builtin_ctz(alike) == lane)));
}

// The fewest sectors that hold what the active lanes access.
PUBLIC Word __lw_count_ideal_sectors(Word bytes) {
  return of_first((__builtin_popcount(__nvvm_activemask()) * bytes + SECTOR - 1) / SECTOR);
}

// Groups of lanes that have active ones; a group moves at most 128 bytes at a time.
static inline Word groups(Word mask, Word bytes) {
  if (bytes <= 4)
    return 1;
  if (bytes == 8)
    return ((mask & 0xffff) != 0) + (mask >> 16 != 0);
  return ((mask & 0xff) != 0) + ((mask >> 8 & 0xff) != 0) + ((mask >> 16 & 0xff) != 0) + (mask >> 24 != 0);
}

// Wavefronts of shared memory: of each group, the most words that one bank is asked for.
PUBLIC Word __lw_count_wavefronts(Address address, Word bytes) {
  Word mask = __nvvm_activemask(), lane = __nvvm_read_ptx_sreg_laneid();
  if (same_in_all(mask, address - (Address)lane * bytes) || same_in_all(mask, address))
    return of_first(groups(mask, bytes));
  Word unit = bytes < 4 ? 4 : bytes, group = lane / (128 / unit), banks = 128 / unit;
  Word word = (Word)(address / unit);
  Word alike = __nvvm_match_any_sync_i64(mask, (Address)group << 32 | word);
  int is_first = __builtin_ctz(alike) == lane;
  Word rivals = __nvvm_match_any_sync_i32(mask, is_first << 16 | group << 8 | word % banks);
  Word asked = is_first ? __builtin_popcount(rivals) : 0, total = 0;
  for (Word each = 0; each < unit / 4; each++)
    total += __nvvm_redux_sync_umax(group == each ? asked : 0, mask);
  return of_first(total);
}

PUBLIC Word __lw_count_ideal_wavefronts(Word bytes) { return of_first(groups(__nvvm_activemask(), bytes)); }

// Atomic operations that wait for another of the same warp on the same address: all but one on the most wanted one.
PUBLIC Word __lw_count_repeats(Address address, Word bytes) {
  Word mask = __nvvm_activemask(), lane = __nvvm_read_ptx_sreg_laneid();
  if (same_in_all(mask, address))
    return of_first(__builtin_popcount(mask) - 1);
  if (same_in_all(mask, address - (Address)lane * bytes))
    return 0;
  Word alike = __nvvm_match_any_sync_i64(mask, address);
  return of_first(__nvvm_redux_sync_umax(__builtin_popcount(alike), mask) - 1);
}

// Add the lanes' numbers to a counter.
PUBLIC void __lw_count_add(Address *counter, Word number) {
  Word mask = __nvvm_activemask();
  Address low = __nvvm_redux_sync_add(number & 0xffff, mask), high = __nvvm_redux_sync_add(number >> 16, mask);
  Address total = low + (high << 16);
  if (of_first(1) && total)
    __atomic_fetch_add(counter, total, __ATOMIC_RELAXED);
}
