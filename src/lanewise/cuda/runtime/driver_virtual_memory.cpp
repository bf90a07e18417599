// SPDX-License-Identifier: Apache-2.0
// Ranges of addresses and memory that is mapped into them (CUDA Driver API, "Virtual Memory Management"). Memory is a file
// without a name, so that it may be mapped at several places; what is accessible is known as device memory.
#include "api.h"
#include "driver.h"
#include "gpu.h"
#include "reset.h"

#include <sys/mman.h>
#include <sys/syscall.h>
#include <unistd.h>

namespace lw_cudart {

enum { PIECE = 2 << 20 }; // sizes are multiples of it, as on most GPUs

struct PhysicalMemory {
  uint32_t state; // of the handle
  int file;
  size_t bytes;
  CUmemAllocationProp properties;
};
static Handles<PhysicalMemory, (size_t)1 << 20> physical;

// Memory that is mapped by one call.
struct Mapping {
  char *start;
  size_t bytes;
  CUmemAccess_flags access;
};
struct Reservation {
  char *start;
  size_t bytes;
  List<Mapping> mappings; // by ascending addresses
  List<char *> known;     // where the host runtime knows of device memory
};
static Lock reservations_lock; // guards all below
static List<Reservation *> reservations;

static Reservation *reservation_of(CUdeviceptr start, size_t bytes) {
  char *first = static_cast<char *>(pointer_of(start));
  for (Reservation *each : reservations)
    if (first >= each->start && static_cast<size_t>(first - each->start) <= each->bytes &&
        bytes <= each->bytes - static_cast<size_t>(first - each->start))
      return each;
  return nullptr;
}
#define REQUIRE_RESERVATION(name, start, bytes)                                                                        \
  Reservation *name = reservation_of(start, bytes);                                                                    \
  REQUIRE(name, cudaErrorInvalidValue, "%zu bytes at %p are in no range of cuMemAddressReserve",                       \
          static_cast<size_t>(bytes), pointer_of(start))

static cudaError_t require_granular(size_t bytes, const char *what) {
  REQUIRE(bytes && bytes % PIECE == 0, cudaErrorInvalidValue, "%s of %zu bytes: they must be a multiple of %d",
          what, bytes, PIECE);
  return cudaSuccess;
}

static cudaError_t check_properties(const CUmemAllocationProp *properties) {
  REQUIRE_POINTER(properties);
  REQUIRE(properties->type == cudaMemAllocationTypePinned, cudaErrorInvalidValue, "type must be pinned");
  REQUIRE(properties->location.type == cudaMemLocationTypeDevice && properties->location.id == 0,
          cudaErrorInvalidValue, "the location must be device 0");
  REQUIRE(properties->requestedHandleTypes == cudaMemHandleTypeNone, cudaErrorNotSupported,
          "memory can't be shared with other processes");
  return cudaSuccess;
}

// Tells the host runtime what device memory the range has: one piece for mappings side by side, so that copies may
// reach over several.
static cudaError_t make_known(Reservation *range) {
  for (char *start : range->known)
    lw_memory_disown(start);
  range->known.clear();
  for (size_t i = 0; i < range->mappings.count;) {
    char *start = range->mappings[i].start, *end = start;
    for (; i < range->mappings.count && range->mappings[i].start == end &&
           range->mappings[i].access != cudaMemAccessFlagsProtNone;
         ++i)
      end += range->mappings[i].bytes;
    if (start == end) {
      ++i;
      continue;
    }
    REQUIRE_SUCCESS(error_of(lw_memory_adopt(start, static_cast<uint64_t>(end - start))));
    REQUIRE(range->known.add(start), cudaErrorMemoryAllocation, "no memory for the mapping");
  }
  return cudaSuccess;
}

LW_API CUresult cuMemGetAllocationGranularity(size_t *bytes, const CUmemAllocationProp *properties,
                                              CUmemAllocationGranularity_flags) {
  return DRIVER_CALL(INITIALISED, {
    REQUIRE_POINTER(bytes);
    REQUIRE_SUCCESS(check_properties(properties));
    *bytes = PIECE;
    return cudaSuccess;
  });
}

// A range without access that starts at a multiple of `alignment`.
static char *reserve(size_t bytes, size_t alignment) {
  void *found = mmap(nullptr, bytes + alignment, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
  if (found == MAP_FAILED)
    return nullptr;
  uintptr_t first = reinterpret_cast<uintptr_t>(found), start = (first + alignment - 1) / alignment * alignment;
  if (start > first)
    munmap(found, start - first);
  if (first + alignment > start)
    munmap(reinterpret_cast<void *>(start + bytes), first + alignment - start);
  return reinterpret_cast<char *>(start);
}

LW_API CUresult cuMemAddressReserve(CUdeviceptr *start, size_t bytes, size_t alignment, CUdeviceptr,
                                    unsigned long long flags) {
  return DRIVER_CALL(CONTEXT, {
    REQUIRE_POINTER(start);
    REQUIRE_SUCCESS(refuse_on_gpu("ranges of addresses"));
    REQUIRE(!flags, cudaErrorInvalidValue, "flags must be 0");
    REQUIRE_SUCCESS(require_granular(bytes, "a range"));
    REQUIRE((alignment & (alignment - 1)) == 0, cudaErrorInvalidValue, "an alignment of %zu is no power of 2",
            alignment);
    Reservation *made = static_cast<Reservation *>(calloc(1, sizeof(Reservation)));
    if (made)
      made->start = reserve(bytes, alignment > PIECE ? alignment : PIECE);
    Held held(reservations_lock);
    if (!made || !made->start || !reservations.add(made)) {
      if (made && made->start)
        munmap(made->start, bytes);
      free(made);
      return fail(cudaErrorMemoryAllocation, "no addresses for %zu bytes", bytes);
    }
    made->bytes = bytes;
    *start = reinterpret_cast<CUdeviceptr>(made->start);
    return cudaSuccess;
  });
}

static void drop(Reservation *range) {
  for (char *start : range->known)
    lw_memory_disown(start);
  munmap(range->start, range->bytes);
  range->mappings.release();
  range->known.release();
  reservations.remove(range);
  free(range);
}

LW_API CUresult cuMemAddressFree(CUdeviceptr start, size_t bytes) {
  return DRIVER_CALL(CONTEXT, {
    Held held(reservations_lock);
    REQUIRE_RESERVATION(range, start, bytes);
    REQUIRE(range->start == pointer_of(start) && range->bytes == bytes, cudaErrorInvalidValue,
            "the range is one of %zu bytes at %p", range->bytes, static_cast<void *>(range->start));
    REQUIRE(!range->mappings.count, cudaErrorInvalidValue, "memory is mapped into the range");
    drop(range);
    return cudaSuccess;
  });
}

LW_API CUresult cuMemCreate(CUmemGenericAllocationHandle *handle, size_t bytes, const CUmemAllocationProp *properties,
                            unsigned long long flags) {
  return DRIVER_CALL(CONTEXT, {
    REQUIRE_POINTER(handle);
    REQUIRE_SUCCESS(refuse_on_gpu("mappings of memory"));
    REQUIRE(!flags, cudaErrorInvalidValue, "flags must be 0");
    REQUIRE_SUCCESS(check_properties(properties));
    REQUIRE_SUCCESS(require_granular(bytes, "memory"));
    size_t total = ::lw_cudart::properties().totalGlobalMem, used = lw_memory_used();
    REQUIRE(used <= total && bytes <= total - used, cudaErrorMemoryAllocation, "%zu bytes of memory: %zu of %zu are free",
            bytes, used < total ? total - used : 0, total);
    PhysicalMemory *made = physical.create();
    REQUIRE(made, cudaErrorMemoryAllocation, "there are too many pieces of memory");
    made->file = static_cast<int>(syscall(SYS_memfd_create, "lanewise", 1u)); // 1: closed by exec
    if (made->file < 0 || ftruncate(made->file, static_cast<off_t>(bytes)) != 0) {
      if (made->file >= 0)
        close(made->file);
      physical.destroy(made);
      return fail(cudaErrorMemoryAllocation, "the system has no memory for %zu bytes", bytes);
    }
    made->bytes = bytes;
    made->properties = *properties;
    *handle = reinterpret_cast<CUmemGenericAllocationHandle>(made);
    return cudaSuccess;
  });
}

#define REQUIRE_PHYSICAL(name, handle)                                                                                 \
  PhysicalMemory *name = physical.find(reinterpret_cast<void *>(handle));                                              \
  REQUIRE(name, cudaErrorInvalidValue, "there is no memory with the handle 0x%llx (any more)", handle)

// What is mapped stays until it is unmapped.
static void let_go(PhysicalMemory *memory) {
  close(memory->file);
  physical.destroy(memory);
}

LW_API CUresult cuMemRelease(CUmemGenericAllocationHandle handle) {
  return DRIVER_CALL(CONTEXT, {
    REQUIRE_PHYSICAL(memory, handle);
    let_go(memory);
    return cudaSuccess;
  });
}

LW_API CUresult cuMemGetAllocationPropertiesFromHandle(CUmemAllocationProp *properties,
                                                       CUmemGenericAllocationHandle handle) {
  return DRIVER_CALL(CONTEXT, {
    REQUIRE_POINTER(properties);
    REQUIRE_PHYSICAL(memory, handle);
    *properties = memory->properties;
    return cudaSuccess;
  });
}

// Where a mapping belongs in the list; fails if it meets another.
static cudaError_t find_place(Reservation *range, const char *start, size_t bytes, size_t *place) {
  for (*place = 0; *place < range->mappings.count; ++*place) {
    const Mapping &each = range->mappings[*place];
    if (each.start >= start + bytes)
      break;
    REQUIRE(each.start + each.bytes <= start, cudaErrorInvalidValue, "memory is mapped at %p already",
            static_cast<void *>(each.start));
  }
  return cudaSuccess;
}

LW_API CUresult cuMemMap(CUdeviceptr start, size_t bytes, size_t offset, CUmemGenericAllocationHandle handle,
                         unsigned long long flags) {
  return DRIVER_CALL(CONTEXT, {
    REQUIRE(!flags && !offset, cudaErrorInvalidValue, "flags and offset must be 0");
    REQUIRE_SUCCESS(require_granular(bytes, "a mapping"));
    REQUIRE_PHYSICAL(memory, handle);
    REQUIRE(bytes <= memory->bytes, cudaErrorInvalidValue, "%zu bytes of memory that has %zu", bytes, memory->bytes);
    Held held(reservations_lock);
    REQUIRE_RESERVATION(range, start, bytes);
    char *first = static_cast<char *>(pointer_of(start));
    REQUIRE(static_cast<size_t>(first - range->start) % PIECE == 0, cudaErrorInvalidValue,
            "%p is not a multiple of %d", static_cast<void *>(first), PIECE);
    size_t place;
    REQUIRE_SUCCESS(find_place(range, first, bytes, &place));
    Mapping made = {first, bytes, cudaMemAccessFlagsProtNone};
    REQUIRE(range->mappings.add(made), cudaErrorMemoryAllocation, "no memory for the mapping");
    if (mmap(first, bytes, PROT_NONE, MAP_SHARED | MAP_FIXED, memory->file, 0) == MAP_FAILED) {
      --range->mappings.count;
      return fail(cudaErrorMemoryAllocation, "the system can't map %zu bytes", bytes);
    }
    for (size_t i = range->mappings.count - 1; i > place; --i)
      range->mappings[i] = range->mappings[i - 1];
    range->mappings[place] = made;
    return cudaSuccess;
  });
}

// The mappings that make up a part of a range: from `first` on, `count` of them. Fails if they don't fill it.
static cudaError_t mappings_in(Reservation *range, CUdeviceptr start, size_t bytes, size_t *first, size_t *count) {
  char *at = static_cast<char *>(pointer_of(start)), *end = at + bytes;
  *count = 0;
  for (size_t i = 0; i < range->mappings.count && at < end; ++i) {
    const Mapping &each = range->mappings[i];
    if (each.start != at)
      continue;
    if (!(*count)++)
      *first = i;
    at += each.bytes;
  }
  REQUIRE(bytes && at == end, cudaErrorInvalidValue, "%zu bytes at %p are not what one or several calls have mapped",
          bytes, pointer_of(start));
  return cudaSuccess;
}

LW_API CUresult cuMemUnmap(CUdeviceptr start, size_t bytes) {
  return DRIVER_CALL(CONTEXT, {
    lw_synchronize();
    Held held(reservations_lock);
    REQUIRE_RESERVATION(range, start, bytes);
    size_t first, count;
    REQUIRE_SUCCESS(mappings_in(range, start, bytes, &first, &count));
    REQUIRE(mmap(pointer_of(start), bytes, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE | MAP_FIXED, -1, 0) !=
                MAP_FAILED,
            cudaErrorMemoryAllocation, "the system can't unmap %zu bytes", bytes);
    for (size_t i = first; i + count < range->mappings.count; ++i)
      range->mappings[i] = range->mappings[i + count];
    range->mappings.count -= count;
    return make_known(range);
  });
}

LW_API CUresult cuMemSetAccess(CUdeviceptr start, size_t bytes, const CUmemAccessDesc *access, size_t count) {
  return DRIVER_CALL(CONTEXT, {
    REQUIRE_POINTER(access);
    REQUIRE(count == 1 && access->location.type == cudaMemLocationTypeDevice && access->location.id == 0,
            cudaErrorInvalidDevice, "there is one device to give access to, device 0");
    bool none = access->flags == cudaMemAccessFlagsProtNone;
    REQUIRE(none || access->flags == cudaMemAccessFlagsProtRead || access->flags == cudaMemAccessFlagsProtReadWrite,
            cudaErrorInvalidValue, "access of %d is unknown", access->flags);
    int protection = none ? PROT_NONE : access->flags == cudaMemAccessFlagsProtRead ? PROT_READ : PROT_READ | PROT_WRITE;
    Held held(reservations_lock);
    REQUIRE_RESERVATION(range, start, bytes);
    size_t first;
    REQUIRE_SUCCESS(mappings_in(range, start, bytes, &first, &count));
    REQUIRE(mprotect(pointer_of(start), bytes, protection) == 0, cudaErrorMemoryAllocation,
            "the system can't change the access to %zu bytes", bytes);
    for (size_t i = first; i < first + count; ++i)
      range->mappings[i].access = access->flags;
    return make_known(range);
  });
}

LW_API CUresult cuMemGetAccess(unsigned long long *flags, const CUmemLocation *location, CUdeviceptr memory) {
  return DRIVER_CALL(CONTEXT, {
    REQUIRE_POINTER(flags);
    REQUIRE_POINTER(location);
    Held held(reservations_lock);
    REQUIRE_RESERVATION(range, memory, 1);
    const char *address = static_cast<const char *>(pointer_of(memory));
    for (const Mapping &each : range->mappings)
      if (address >= each.start && address < each.start + each.bytes) {
        *flags = each.access;
        return cudaSuccess;
      }
    return fail(cudaErrorInvalidValue, "nothing is mapped at %p", pointer_of(memory));
  });
}

static cudaError_t refuse_sharing() {
  return fail(cudaErrorNotSupported, "memory can't be shared with other processes");
}

LW_API CUresult cuMemExportToShareableHandle(void *, CUmemGenericAllocationHandle, CUmemAllocationHandleType,
                                             unsigned long long) {
  return DRIVER_CALL(CONTEXT, { return refuse_sharing(); });
}

LW_API CUresult cuMemImportFromShareableHandle(CUmemGenericAllocationHandle *, void *, CUmemAllocationHandleType) {
  return DRIVER_CALL(CONTEXT, { return refuse_sharing(); });
}

void drop_mappings() {
  Held held(reservations_lock);
  while (reservations.count)
    drop(reservations[0]);
  physical.each(let_go);
}

} // namespace lw_cudart
