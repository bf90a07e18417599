// SPDX-License-Identifier: Apache-2.0
// A wave on a string, stepped by an OpenCL device: a program that knows nothing of the platform that runs it.
#define CL_TARGET_OPENCL_VERSION 120
#include <CL/cl.h>

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

enum { POINTS = 4096, STEPS = 1000, SHOWN = 8 };

static const char *SOURCE =
    "kernel void step(global const float *now, global float *next, float speed) {\n"
    "  size_t i = get_global_id(0), last = get_global_size(0) - 1;\n"
    "  float left = i == 0 ? 0 : now[i - 1], right = i == last ? 0 : now[i + 1];\n"
    "  next[i] = 2 * now[i] - next[i] + speed * (left - 2 * now[i] + right);\n"
    "}\n";

static void require(cl_int code, const char *what) {
  if (code != CL_SUCCESS) {
    fprintf(stderr, "waves: %s: OpenCL error %d\n", what, code);
    exit(1);
  }
}

int main(void) {
  cl_platform_id platform;
  cl_device_id device;
  char name[256];
  cl_int code;
  require(clGetPlatformIDs(1, &platform, NULL), "no platform");
  require(clGetDeviceIDs(platform, CL_DEVICE_TYPE_ALL, 1, &device, NULL), "no device");
  require(clGetDeviceInfo(device, CL_DEVICE_NAME, sizeof name, name, NULL), "no name");
  cl_context context = clCreateContext(NULL, 1, &device, NULL, NULL, &code);
  require(code, "context");
  cl_command_queue queue = clCreateCommandQueue(context, device, 0, &code);
  require(code, "queue");
  cl_program program = clCreateProgramWithSource(context, 1, &SOURCE, NULL, &code);
  require(code, "program");
  require(clBuildProgram(program, 1, &device, "", NULL, NULL), "build");
  cl_kernel step = clCreateKernel(program, "step", &code);
  require(code, "kernel");

  static float wave[POINTS];
  for (int i = 0; i < POINTS; ++i) // a pluck in the middle
    wave[i] = expf(-0.0005f * (i - POINTS / 2) * (i - POINTS / 2));
  cl_mem now = clCreateBuffer(context, CL_MEM_COPY_HOST_PTR, sizeof wave, wave, &code);
  require(code, "buffer");
  cl_mem next = clCreateBuffer(context, CL_MEM_COPY_HOST_PTR, sizeof wave, wave, &code);
  require(code, "buffer");

  const float speed = 0.25f;
  const size_t size = POINTS;
  for (int i = 0; i < STEPS; ++i) {
    require(clSetKernelArg(step, 0, sizeof now, &now), "argument 0");
    require(clSetKernelArg(step, 1, sizeof next, &next), "argument 1");
    require(clSetKernelArg(step, 2, sizeof speed, &speed), "argument 2");
    require(clEnqueueNDRangeKernel(queue, step, 1, NULL, &size, NULL, 0, NULL, NULL), "launch");
    cl_mem before = now;
    now = next;
    next = before;
  }
  require(clEnqueueReadBuffer(queue, now, CL_TRUE, 0, sizeof wave, wave, 0, NULL, NULL), "read");

  printf("%.12s:", name);
  for (int i = 0; i < SHOWN; ++i)
    printf(" %.3f", wave[POINTS / 2 + i * 64 + STEPS / 2 - 4 * 64]);
  printf("\n");
  clReleaseMemObject(now);
  clReleaseMemObject(next);
  clReleaseKernel(step);
  clReleaseProgram(program);
  clReleaseCommandQueue(queue);
  clReleaseContext(context);
  return 0;
}
