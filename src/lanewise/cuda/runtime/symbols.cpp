// SPDX-License-Identifier: Apache-2.0
// Variables of the device, by the address of the host's variable of the same name.
#include "api.h"
#include "copies.h"
#include "functions.h"

namespace lw_cudart {

static cudaError_t find_part(const void *symbol, size_t bytes, size_t offset, void **address) {
  void *start;
  uint64_t size;
  REQUIRE_SUCCESS(find_variable(symbol, &start, &size));
  REQUIRE(offset <= size && bytes <= size - offset, cudaErrorInvalidValue,
          "%zu bytes from byte %zu of a variable that has %llu", bytes, offset, static_cast<unsigned long long>(size));
  *address = static_cast<char *>(start) + offset;
  return cudaSuccess;
}

static cudaError_t require_kind(cudaMemcpyKind kind, cudaMemcpyKind across) {
  REQUIRE(kind == across || kind == cudaMemcpyDeviceToDevice || kind == cudaMemcpyDefault,
          cudaErrorInvalidMemcpyDirection, "%d is no kind of copy to or from a variable of the device", kind);
  return cudaSuccess;
}

LW_API cudaError_t cudaMemcpyToSymbol(const void *symbol, const void *source, size_t bytes, size_t offset,
                                      cudaMemcpyKind kind) {
  return CALL({
    void *target;
    REQUIRE_SUCCESS(require_kind(kind, cudaMemcpyHostToDevice));
    REQUIRE_SUCCESS(find_part(symbol, bytes, offset, &target));
    return copy_now(one_row(target, source, bytes), kind);
  });
}

LW_API cudaError_t cudaMemcpyToSymbolAsync(const void *symbol, const void *source, size_t bytes, size_t offset,
                                           cudaMemcpyKind kind, cudaStream_t stream) {
  return CALL({
    void *target;
    REQUIRE_SUCCESS(require_kind(kind, cudaMemcpyHostToDevice));
    REQUIRE_SUCCESS(find_part(symbol, bytes, offset, &target));
    return copy_later(one_row(target, source, bytes), kind, stream);
  });
}

LW_API cudaError_t cudaMemcpyFromSymbol(void *target, const void *symbol, size_t bytes, size_t offset,
                                        cudaMemcpyKind kind) {
  return CALL({
    void *source;
    REQUIRE_SUCCESS(require_kind(kind, cudaMemcpyDeviceToHost));
    REQUIRE_SUCCESS(find_part(symbol, bytes, offset, &source));
    return copy_now(one_row(target, source, bytes), kind);
  });
}

LW_API cudaError_t cudaMemcpyFromSymbolAsync(void *target, const void *symbol, size_t bytes, size_t offset,
                                             cudaMemcpyKind kind, cudaStream_t stream) {
  return CALL({
    void *source;
    REQUIRE_SUCCESS(require_kind(kind, cudaMemcpyDeviceToHost));
    REQUIRE_SUCCESS(find_part(symbol, bytes, offset, &source));
    return copy_later(one_row(target, source, bytes), kind, stream);
  });
}

LW_API cudaError_t cudaGetSymbolAddress(void **address, const void *symbol) {
  return CALL({
    REQUIRE_POINTER(address);
    return find_part(symbol, 0, 0, address);
  });
}

LW_API cudaError_t cudaGetSymbolSize(size_t *bytes, const void *symbol) {
  return CALL({
    REQUIRE_POINTER(bytes);
    void *address;
    uint64_t size;
    REQUIRE_SUCCESS(find_variable(symbol, &address, &size));
    *bytes = size;
    return cudaSuccess;
  });
}

} // namespace lw_cudart
