// SPDX-License-Identifier: Apache-2.0
// What an instruction of a warp asks of the memory system, from the addresses of the lanes that are active.
//
// Each function is called by all active lanes, and adds one number for all of them to a counter. The reference device
// runs them as they are. Accesses are aligned to their size, as PTX demands.
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

static inline Word of_lane(Word mask, Word number, Word lane) {
  return __nvvm_shfl_sync_idx_i32(mask, number, lane, 31);
}

// The numbers from that of the first of `lanes` on, `window` (at most 32) of them, as bits; the lanes that have one of
// them leave `lanes`. So each number is found once, whatever lanes have it.
static inline Word next_window(Word mask, Word *lanes, Word number, Word window, Word *first) {
  *first = of_lane(mask, number, __builtin_ctz(*lanes));
  Word lane = __nvvm_read_ptx_sreg_laneid(), distance = number - *first;
  int is_in = distance < window && *lanes >> lane & 1;
  *lanes &= ~__nvvm_vote_ballot_sync(mask, is_in);
  return __nvvm_redux_sync_or(is_in ? 1u << distance : 0, mask);
}

// Add a number that all active lanes have once.
static inline void add(Address *counters, Word counter, Word number) {
  if (__nvvm_read_ptx_sreg_laneid() == (int)__builtin_ctz(__nvvm_activemask()) && number)
    __atomic_fetch_add(&counters[counter], (Address)number, __ATOMIC_RELAXED);
}

#define COUNTER Address *counters, Word counter, Word distance

PUBLIC void __lw_count_warps(COUNTER) { add(counters, counter, 1); }

PUBLIC void __lw_count_lanes(COUNTER) { add(counters, counter, __builtin_popcount(__nvvm_activemask())); }

PUBLIC void __lw_count_divergent(COUNTER, _Bool taken) {
  Word mask = __nvvm_activemask(), those = __nvvm_vote_ballot_sync(mask, taken);
  add(counters, counter, those != 0 && those != mask);
}

// 32-byte sectors that the active lanes touch.
PUBLIC void __lw_count_sectors(COUNTER, Address address, Word bytes) {
  Word mask = __nvvm_activemask(), first, sectors = 0;
  for (Word lanes = mask; lanes != 0;)
    sectors += __builtin_popcount(next_window(mask, &lanes, (Word)(address / SECTOR), 32, &first));
  add(counters, counter, sectors);
}

// The fewest sectors that hold what the active lanes access.
PUBLIC void __lw_count_ideal_sectors(COUNTER, Word bytes) {
  add(counters, counter, (__builtin_popcount(__nvvm_activemask()) * bytes + SECTOR - 1) / SECTOR);
}

// A group of lanes moves at most 128 bytes at a time.
static inline Word lanes_of_group(Word bytes) { return bytes <= 4 ? 32 : 128 / bytes; }

static inline Word members(Word group, Word size) { return (size < 32 ? (1u << size) - 1 : ALL) << group * size; }

static inline Word groups(Word mask, Word bytes) {
  Word size = lanes_of_group(bytes), found = 0;
  for (Word group = 0; group < 32 / size; group++)
    found += (mask & members(group, size)) != 0;
  return found;
}

// The most words that `lanes` want of one bank. How many, is counted for all banks at once: `counts` has a bit of each
// number in each word, the lowest first.
static inline Word most_of_one_bank(Word mask, Word lanes, Word word, Word banks) {
  Word counts[6] = {0, 0, 0, 0, 0, 0}, first;
  while (lanes != 0) {
    Word window = next_window(mask, &lanes, word, banks, &first), turn = first % banks;
    Word carry = window << turn | (turn ? window >> (banks - turn) : 0);
    if (banks < 32)
      carry &= (1u << banks) - 1;
    for (int bit = 0; bit < 6; bit++) {
      Word sum = counts[bit] ^ carry;
      carry &= counts[bit];
      counts[bit] = sum;
    }
  }
  Word most = 0, those = ALL;
  for (int bit = 5; bit >= 0; bit--)
    if ((those & counts[bit]) != 0) {
      those &= counts[bit];
      most |= 1u << bit;
    }
  return most;
}

// Wavefronts of shared memory: of each group, the most words that one bank is asked for.
PUBLIC void __lw_count_wavefronts(COUNTER, Address address, Word bytes) {
  Word mask = __nvvm_activemask(), unit = bytes < 4 ? 4 : bytes, size = lanes_of_group(bytes), total = 0;
  for (Word group = 0; group < 32 / size; group++)
    total += most_of_one_bank(mask, mask & members(group, size), (Word)address / unit, 128 / unit);
  add(counters, counter, total);
}

PUBLIC void __lw_count_ideal_wavefronts(COUNTER, Word bytes) {
  add(counters, counter, groups(__nvvm_activemask(), bytes));
}

// Atomic operations that wait for another of the same warp on the same address: all but one on the most wanted one.
PUBLIC void __lw_count_repeats(COUNTER, Address address, Word bytes) {
  Word mask = __nvvm_activemask(), alike = __nvvm_match_any_sync_i64(mask, address);
  add(counters, counter, __nvvm_redux_sync_umax(__builtin_popcount(alike), mask) - 1);
}
