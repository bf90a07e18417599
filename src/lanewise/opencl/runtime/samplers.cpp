// SPDX-License-Identifier: Apache-2.0
// Samplers: how kernels read images.
#include "devices.h"

namespace lw_opencl {

static cl_int require_sampler(const Sampler *sampler) {
  REQUIRE(lives(sampler), CL_INVALID_SAMPLER, "%p is no sampler", static_cast<const void *>(sampler));
  return CL_SUCCESS;
}

static cl_int create_sampler(Context *context, cl_properties is_normalized, cl_properties address, cl_properties filter,
                             Sampler *&made) {
  REQUIRE(lives(context), CL_INVALID_CONTEXT, "%p is no context", static_cast<const void *>(context));
  REQUIRE(some_has_images(context->devices), CL_INVALID_OPERATION, "no device of the context has images");
  REQUIRE(is_normalized == CL_FALSE || is_normalized == CL_TRUE, CL_INVALID_VALUE,
          "%lld says not if coordinates are normalised", static_cast<long long>(is_normalized));
  REQUIRE(address >= CL_ADDRESS_NONE && address <= CL_ADDRESS_MIRRORED_REPEAT, CL_INVALID_VALUE,
          "0x%llx is no addressing mode", static_cast<unsigned long long>(address));
  REQUIRE(filter == CL_FILTER_NEAREST || filter == CL_FILTER_LINEAR, CL_INVALID_VALUE, "0x%llx is no filter",
          static_cast<unsigned long long>(filter));
  made = created<Sampler>();
  REQUIRE(made, CL_OUT_OF_HOST_MEMORY, "too many samplers");
  made->context = use(context);
  made->is_normalized = static_cast<cl_bool>(is_normalized);
  made->address = static_cast<cl_enum>(address);
  made->filter = static_cast<cl_enum>(filter);
  return CL_SUCCESS;
}

// The numbers of CLK_FILTER_LINEAR and the like, together.
uint64_t Sampler::bits() const {
  return is_normalized | (address - CL_ADDRESS_NONE) << 1 | (filter == CL_FILTER_LINEAR ? 0x20 : 0x10);
}

void Sampler::finish() {
  properties.release();
  drop(context);
}

struct SamplerProperty {
  cl_properties name, value;
  bool is_given;
};

static cl_int read_properties(const cl_properties *given, SamplerProperty (&properties)[3]) {
  for (const cl_properties *at = given; at && *at; at += 2) {
    SamplerProperty *found = nullptr;
    for (SamplerProperty &each : properties)
      found = each.name == *at ? &each : found;
    REQUIRE(found, CL_INVALID_VALUE, "samplers have no property 0x%llx", static_cast<unsigned long long>(*at));
    REQUIRE(!found->is_given, CL_INVALID_VALUE, "the property 0x%llx is given twice",
            static_cast<unsigned long long>(*at));
    found->value = at[1];
    found->is_given = true;
  }
  return CL_SUCCESS;
}

} // namespace lw_opencl

using namespace lw_opencl;

LW_CL cl_sampler clCreateSampler(cl_context context, cl_bool is_normalized, cl_enum address, cl_enum filter,
                                 cl_int *code) {
  return made<Sampler>(code, [&](Sampler *&sampler) -> cl_int {
    return create_sampler(context, is_normalized, address, filter, sampler);
  });
}

LW_CL cl_sampler clCreateSamplerWithProperties(cl_context context, const cl_properties *given, cl_int *code) {
  return made<Sampler>(code, [&](Sampler *&sampler) -> cl_int {
    SamplerProperty properties[3] = {{CL_SAMPLER_NORMALIZED_COORDS, CL_TRUE, false},
                                     {CL_SAMPLER_ADDRESSING_MODE, CL_ADDRESS_CLAMP, false},
                                     {CL_SAMPLER_FILTER_MODE, CL_FILTER_NEAREST, false}};
    REQUIRE(lives(context), CL_INVALID_CONTEXT, "%p is no context", static_cast<const void *>(context));
    REQUIRE_SUCCESS(read_properties(given, properties));
    REQUIRE_SUCCESS(create_sampler(context, properties[0].value, properties[1].value, properties[2].value, sampler));
    for (const cl_properties *at = given; at && *at; at += 2) {
      sampler->properties.add(at[0]);
      sampler->properties.add(at[1]);
    }
    if (given)
      sampler->properties.add(0);
    return CL_SUCCESS;
  });
}

LW_CL cl_int clRetainSampler(cl_sampler sampler) { return retain(sampler, CL_INVALID_SAMPLER); }
LW_CL cl_int clReleaseSampler(cl_sampler sampler) { return release(sampler, CL_INVALID_SAMPLER); }

LW_CL cl_int clGetSamplerInfo(cl_sampler sampler, cl_enum what, size_t room, void *place, size_t *size) {
  REQUIRE_SUCCESS(require_sampler(sampler));
  Answer answer = {room, place, size};
  switch (what) {
  case CL_SAMPLER_REFERENCE_COUNT:
    return answer.value(references_of(sampler));
  case CL_SAMPLER_CONTEXT:
    return answer.value(sampler->context);
  case CL_SAMPLER_NORMALIZED_COORDS:
    return answer.value(sampler->is_normalized);
  case CL_SAMPLER_ADDRESSING_MODE:
    return answer.value(sampler->address);
  case CL_SAMPLER_FILTER_MODE:
    return answer.value(sampler->filter);
  case CL_SAMPLER_PROPERTIES:
    return answer.bytes(sampler->properties.items, sampler->properties.count * sizeof(cl_properties));
  default:
    return fail(CL_INVALID_VALUE, "samplers have no property 0x%x", what);
  }
}
