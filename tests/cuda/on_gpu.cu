// SPDX-License-Identifier: Apache-2.0
// What a program does with a GPU, in parts that the first argument names. It prints errors and results.
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <thread>
#include <vector>

__device__ int total = 5;
__global__ void add_one(int *p, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) p[i] += 1;
}
__global__ void with_shared(int *p) {
    extern __shared__ int room[];
    room[threadIdx.x] = p[threadIdx.x];
    p[threadIdx.x] = room[threadIdx.x];
}

static void check(cudaError_t error) {
    if (error == cudaSuccess) return;
    printf("%s\n", cudaGetErrorName(error));
    exit(3);
}

static void order() {
    std::vector<int> host(1000, 4);
    int *device;
    cudaStream_t stream;
    cudaEvent_t start, end;
    float ms;
    check(cudaMalloc(&device, 4000));
    check(cudaStreamCreateWithFlags(&stream, cudaStreamNonBlocking));
    check(cudaEventCreate(&start));
    check(cudaEventCreate(&end));
    check(cudaMemcpy(device, host.data(), 4000, cudaMemcpyHostToDevice));
    check(cudaEventRecord(start, stream));
    add_one<<<dim3(4, 1), 256, 0, stream>>>(device, 1000);
    check(cudaGetLastError());
    check(cudaEventRecord(end, stream));
    check(cudaStreamWaitEvent(0, end, 0));
    check(cudaEventSynchronize(end));
    check(cudaMemcpy(host.data(), device, 4000, cudaMemcpyDeviceToHost));
    check(cudaEventElapsedTime(&ms, start, end));
    printf("%d %d\n", host[0], host[999]);
    check(cudaEventDestroy(start));
    check(cudaEventDestroy(end));
    check(cudaStreamDestroy(stream));
    check(cudaFree(device));
}

static void boxes() {
    char host[4][8], back[4][8], *device;
    size_t pitch;
    memset(host, 3, sizeof host);
    check(cudaMallocPitch(&device, &pitch, 8, 4));
    check(cudaMemset2D(device, pitch, 9, 8, 4));
    check(cudaMemcpy2D(device, pitch, host, 8, 5, 4, cudaMemcpyHostToDevice));
    check(cudaMemcpy2D(back, 8, device, pitch, 8, 4, cudaMemcpyDeviceToHost));
    printf("%d %d %d\n", back[0][0], back[3][4], back[3][5]);
    check(cudaFree(device));
}

static void kinds() {
    int *pinned, *managed, value = 7, *place;
    std::vector<int> registered(1024);
    check(cudaMallocHost(&pinned, 4096));
    check(cudaMallocManaged(&managed, 4096));
    check(cudaHostRegister(registered.data(), 4096, 0));
    check(cudaMemset(managed, 1, 4096));
    check(cudaMemcpyToSymbol(total, &value, 4));
    value = 0;
    check(cudaMemcpyFromSymbol(&value, total, 4));
    check(cudaMallocAsync(&place, 16, 0));
    check(cudaFreeAsync(place, 0));
    printf("%d\n", value);
    check(cudaHostUnregister(registered.data()));
    check(cudaFree(managed));
    check(cudaFreeHost(pinned));
}

static void shared() {
    int *device;
    check(cudaMalloc(&device, 4096));
    check(cudaMemset(device, 0, 4096));
    check(cudaFuncSetAttribute(with_shared, cudaFuncAttributeMaxDynamicSharedMemorySize, 60 << 10));
    with_shared<<<1, 32, 60 << 10>>>(device);
    check(cudaGetLastError());
    void *arguments[] = {&device};
    check(cudaLaunchCooperativeKernel((void *)with_shared, dim3(1), dim3(32), arguments, 0, 0));
    check(cudaDeviceSynchronize());
    check(cudaFree(device));
    printf("ok\n");
}

static void described() {
    cudaDeviceProp p;
    int count;
    check(cudaGetDeviceCount(&count));
    check(cudaGetDeviceProperties(&p, 0));
    printf("%d %s %d.%d %d\n", count, p.name, p.major, p.minor, p.multiProcessorCount);
}

static void refused() {
    cudaGraph_t graph;
    cudaArray_t array;
    cudaStream_t stream;
    cudaChannelFormatDesc format = cudaCreateChannelDesc<float>();
    check(cudaStreamCreate(&stream));
    printf("%s\n", cudaGetErrorName(cudaGraphCreate(&graph, 0)));
    printf("%s\n", cudaGetErrorName(cudaMallocArray(&array, &format, 16)));
    printf("%s\n", cudaGetErrorName(cudaStreamBeginCapture(stream, cudaStreamCaptureModeGlobal)));
    check(cudaStreamDestroy(stream));
}

static void other_thread(int *device) {
    int value = 0;
    check(cudaMemcpyFromSymbol(&value, total, 4));
    add_one<<<4, 256>>>(device, 0);
    check(cudaStreamSynchronize(cudaStreamPerThread));
    check(cudaFree(device));
}

static void threads() {
    int *device;
    check(cudaMalloc(&device, 4000));
    add_one<<<4, 256>>>(device, 0);
    std::thread(other_thread, device).join();
    printf("ok\n");
}

static void broken() {
    printf("%s\n", cudaGetErrorName(cudaDeviceSynchronize()));
    int *device;
    printf("%s\n", cudaGetErrorName(cudaMalloc(&device, 4)));
}

static void call(void *data) { ++*(int *)data; }

static void functions() {
    int calls = 0;
    check(cudaLaunchHostFunc(0, call, &calls));
    check(cudaStreamSynchronize(0));
    printf("%d\n", calls);
}

int main(int argc, char **argv) {
    const char *part = argc > 1 ? argv[1] : "order";
    if (!strcmp(part, "order")) order();
    if (!strcmp(part, "boxes")) boxes();
    if (!strcmp(part, "kinds")) kinds();
    if (!strcmp(part, "shared")) shared();
    if (!strcmp(part, "described")) described();
    if (!strcmp(part, "refused")) refused();
    if (!strcmp(part, "functions")) functions();
    if (!strcmp(part, "threads")) threads();
    if (!strcmp(part, "broken")) broken();
}
