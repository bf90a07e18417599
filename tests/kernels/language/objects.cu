// SPDX-License-Identifier: Apache-2.0
// Memory and objects: the heap, alloca, static locals, unions, bit fields, 128-bit integers, labels as values,
// which memory an address is in.

__device__ inline int index() { return blockIdx.x * blockDim.x + threadIdx.x; }

// --- bytes ---

__global__ void comparisons(int *out, const unsigned char *a, const unsigned char *b) {
    int i = index();
    out[2 * i] = memcmp(a + i, b + i, 8);
    out[2 * i + 1] = __builtin_memcmp(a + i, b + i, i % 8);
    out[2 * i] = (out[2 * i] > 0) - (out[2 * i] < 0);
    out[2 * i + 1] = (out[2 * i + 1] > 0) - (out[2 * i + 1] < 0);
}

// --- the heap ---

struct Node {
    int value;
    Node *next;
    __device__ Node(int value, Node *next) : value(value), next(next) {}
};

__global__ void lists(int *out, int n) {
    Node *head = nullptr;
    for (int i = 0; i < n; ++i) head = new Node(i * index(), head);
    int sum = 0;
    while (head) {
        sum = 3 * sum + head->value;
        Node *gone = head;
        head = head->next;
        delete gone;
    }
    out[index()] = sum;
}

struct alignas(64) Line {
    int words[16];
    __device__ Line() {
        for (int i = 0; i < 16; ++i) words[i] = i;
    }
    __device__ ~Line() { words[0] = -1; }
};

__global__ void arrays(int *out) {
    int count = index() % 5 + 1;
    int *numbers = static_cast<int *>(malloc(count * sizeof(int)));
    for (int i = 0; i < count; ++i) numbers[i] = i + 1;
    Line *lines = new Line[count];
    int sum = (int)(reinterpret_cast<size_t>(lines) % 16);
    Line *one = new Line;
    sum += (int)(reinterpret_cast<size_t>(one) % 64) + one->words[5];
    for (int i = 0; i < count; ++i) sum += numbers[i] * lines[i].words[i + 1];
    delete one;
    delete[] lines;
    free(numbers);
    free(nullptr);
    int *none = static_cast<int *>(malloc(1ull << 62));
    out[index()] = none == nullptr ? sum : -1;
}

__device__ Node *kept[128];

__global__ void keep() { kept[index()] = new Node(index() * 7, nullptr); }
__global__ void take(int *out) {
    out[index()] = kept[index()]->value;
    delete kept[index()];
}

// --- alloca ---

__device__ int sum_of_squares(int n) {
    int *squares = static_cast<int *>(alloca(n * sizeof(int)));
    for (int i = 0; i < n; ++i) squares[i] = i * i;
    int sum = 0;
    for (int i = n - 1; i >= 0; --i) sum = 2 * sum % 1001 + squares[i];
    return sum;
}

__global__ void private_arrays(int *out, int *met, int rounds) {
    int sum = 0;
    for (int r = 0; r < rounds; ++r) sum += sum_of_squares((index() + r) % 40 + 1);
    out[index()] = sum;
    char *letters = static_cast<char *>(alloca(threadIdx.x + 1));
    for (unsigned i = 0; i <= threadIdx.x; ++i) letters[i] = 'a' + i % 26;
    __shared__ int last[96];
    last[threadIdx.x] = letters[threadIdx.x];
    __syncthreads();
    met[index()] = last[blockDim.x - 1 - threadIdx.x];
}

// --- static locals, unions, bit fields ---

__device__ int prime(int i) {
    static const int primes[] = {2, 3, 5, 7, 11, 13, 17, 19};
    static constexpr int more[2] = {100, 200};
    return primes[i & 7] + more[i & 1];
}

__device__ unsigned next_number() {
    static unsigned number = 5;  // one for all work-items
    return atomicAdd(&number, 0u);
}

__device__ int *scratch() {
    static __shared__ int memory[96];
    return memory;
}

__global__ void statics(int *out) {
    scratch()[threadIdx.x] = prime(index());
    __syncthreads();
    out[index()] = scratch()[(threadIdx.x + 1) % blockDim.x] + (int)next_number();
}

union Word {
    float number;
    unsigned bits;
    unsigned char bytes[4];
};

struct Fields {
    unsigned sign : 1;
    signed level : 5;
    unsigned long long wide : 40;
    bool flag : 1;
    unsigned : 0;
    short rest : 9;
};

__global__ void packed(unsigned *out, unsigned long long *fields, const float *in) {
    int i = index();
    Word word;
    word.number = in[i];
    word.bytes[3] ^= 0x80;
    out[i] = word.bits;
    Fields f{};
    f.sign = i;
    f.level = i;
    f.wide = (unsigned long long)i << 36 | i;
    f.flag = i % 3 == 0;
    f.rest = -i;
    f.level += 3;
    f.wide >>= f.flag;
    memcpy(fields + 2 * i, &f, sizeof f);
}

// --- 128-bit integers ---

__global__ void wide_integers(unsigned long long *out, const long long *a, const long long *b) {
    int i = index();
    __int128 x = ((__int128)a[i] << (i % 60)) + b[i], y = ((__int128)b[i] << (i * 7 % 50)) | 1;
    unsigned __int128 ux = x, uy = y, results[6];
    results[0] = x / y, results[1] = x % y, results[2] = ux / uy, results[3] = ux % uy, results[4] = ux * uy;
    results[5] = (x < y ? ux >> 3 : ux << 5) ^ (ux - uy);
    for (int k = 0; k < 6; ++k) {
        out[12 * i + 2 * k] = (unsigned long long)results[k];
        out[12 * i + 2 * k + 1] = (unsigned long long)(results[k] >> 64);
    }
}

// --- labels as values ---

__device__ int run_code(const unsigned char *code, int x) {
    static const void *const labels[] = {&&add, &&multiply, &&end};
    goto *labels[*code++];
add:
    x += 3;
    goto *labels[*code++];
multiply:
    x *= 5;
    goto *labels[*code++];
end:
    return x;
}

__global__ void computed_goto(int *out, const unsigned char *code) {
    int i = index();
    out[i] = run_code(code + i % 2, i);
    const void *way = i % 3 ? &&large : &&small;
    goto *way;
large:
    out[i] += 1000;
small:
    out[i] += 1;
}

// --- which memory an address is in ---

__constant__ int fixed[4] = {1, 2, 3, 4};
__device__ int variable[4];

__device__ int memory_of(const void *p) {
    return __isShared(p) | __isGlobal(p) << 1 | __isConstant(p) << 2 | __isLocal(p) << 3;
}

__device__ int memory_of_far(int calls, const void *p) { return calls ? memory_of_far(calls - 1, p) : memory_of(p); }

__global__ void memories(int *out) {
    __shared__ int shared[4], more_shared[4];
    extern __shared__ int dynamic[];
    int own[4] = {0, 0, 0, index()};
    void *heap = malloc(4);
    const void *all[] = {shared, more_shared + 3, dynamic, own, own + 3, fixed + 1, variable, out, heap};
    for (int i = 0; i < 9; ++i) {
        out[20 * index() + 2 * i] = memory_of(all[i]);
        out[20 * index() + 2 * i + 1] = memory_of_far(threadIdx.x % 3, all[i]);
    }
    free(heap);
    shared[2] = 11;
    __syncthreads();
    unsigned narrow = (unsigned)__cvta_generic_to_shared(&shared[1]);
    out[20 * index() + 18] = *static_cast<int *>(__cvta_shared_to_generic(narrow + 4));
    out[20 * index() + 19] = narrow < 1 << 20;
}
