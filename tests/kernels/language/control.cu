// SPDX-License-Identifier: Apache-2.0
// Control flow without barriers, pointers to private memory, local arrays.

__device__ inline int index() { return blockIdx.x * blockDim.x + threadIdx.x; }

__global__ void dense_switch(int *out, const int *in) {
    int v = in[index()], result;
    switch (v & 7) {
    case 0: result = 5; break;
    case 1: result = v * 2; break;
    case 2:
    case 3: result = v - 1; break;
    case 4: result = ~v; [[fallthrough]];
    case 5: result = (v & 7) == 4 ? 9 : 11; break;
    case 6: return;
    default: result = -7;
    }
    out[index()] = result;
}

__global__ void sparse_switch(int *out, const int *in) {
    switch (in[index()]) {
    case -1000: out[index()] = 1; break;
    case 7: out[index()] = 2; break;
    case 1 << 20: out[index()] = 3; break;
    case 'x': out[index()] = 4; break;
    default: out[index()] = 5;
    }
}

// The number of steps to 1, which differs wildly between neighbours.
__global__ void collatz(int *out, const int *in) {
    unsigned long long v = in[index()];
    int steps = 0;
    while (v != 1) {
        v = v % 2 ? 3 * v + 1 : v / 2;
        steps++;
    }
    out[index()] = steps;
}

__global__ void nested_loops_with_exits(int *out, const int *in) {
    int v = in[index()] % 50, found = -1;
    for (int i = 2; i < 10 && found < 0; i++) {
        if (i == v)
            continue;
        for (int j = i; j < 10; j++) {
            if (i * j > 60)
                break;
            if (i * j == v) {
                found = i * 100 + j;
                goto done;
            }
        }
    }
done:
    out[index()] = found;
}

__global__ void early_returns(int *out, const int *in, int n) {
    int i = index();
    if (i >= n)
        return;
    if (in[i] < 0) {
        out[i] = -1;
        return;
    }
    for (int k = 0; k < 10; k++)
        if (in[i] % (k + 2) == 0) {
            out[i] = k;
            return;
        }
    out[i] = 100;
}

__global__ void short_circuits(int *out, const int *in, const int *table, int n) {
    int i = in[index()];
    bool inside = i >= 0 && i < n && table[i] > 0;
    bool either = i < 0 || i >= n || table[i] % 2 == 0;
    out[index()] = inside + 2 * either + 4 * (i < 0 ? -i : i >= n ? i - n : table[i]);
}

__global__ void local_array(int *out, const int *in) {
    int counts[10] = {}, i = index();
    for (unsigned v = in[i]; v; v /= 10)
        counts[v % 10]++;
    int best = 0;
    for (int d = 1; d < 10; d++)
        if (counts[d] > counts[best])
            best = d;
    out[i] = best * 100 + counts[best];
}

__global__ void local_matrix(float *out, const float *in) {
    float m[3][4];
    for (int r = 0; r < 3; r++)
        for (int c = 0; c < 4; c++)
            m[r][c] = in[index()] * (r + 1) - c;
    int r = index() % 3, c = index() % 4;
    m[r][c] += m[2 - r][3 - c];
    float sum = 0;
    for (auto &row : m)
        for (float value : row)
            sum += value;
    out[index()] = sum * 2 + m[(r + 1) % 3][c];
}

// A heap sort of twelve numbers in private memory.
__global__ void sort_in_private(int *out, const int *in) {
    int heap[12], size = 0;
    for (int k = 0; k < 12; k++) {
        int i = size++;
        heap[i] = in[12 * index() + k];
        while (i > 0 && heap[(i - 1) / 2] < heap[i]) {
            int p = (i - 1) / 2, held = heap[p];
            heap[p] = heap[i];
            heap[i] = held;
            i = p;
        }
    }
    while (size > 0) {
        out[12 * index() + --size] = heap[0];
        heap[0] = heap[size];
        for (int i = 0, child; (child = 2 * i + 1) < size; i = child) {
            if (child + 1 < size && heap[child + 1] > heap[child])
                child++;
            if (heap[i] >= heap[child])
                break;
            int held = heap[i];
            heap[i] = heap[child];
            heap[child] = held;
        }
    }
}

__device__ void bump(int **which) { (**which)++; }

__global__ void pointers_to_pointers(int *out) {
    int values[4] = {10, 20, 30, 40}, *pointers[4];
    for (int i = 0; i < 4; i++)
        pointers[i] = &values[3 - i];
    int **middle = pointers + index() % 4;
    bump(middle);
    **middle *= 2;
    *middle = &values[0];
    **middle += 1;
    out[index()] = values[0] + 100 * values[1] + 10000 * values[2] + 1000000 * values[3];
}

struct Node {
    int value;
    Node *next;
};

// A list of private nodes, linked in an order of the work-item's own.
__global__ void linked_list(int *out) {
    Node nodes[5], *head = nullptr;
    for (int i = 0; i < 5; i++) {
        Node &node = nodes[(i * (1 + index() % 4)) % 5];
        node = {i + 1, head};
        head = &node;
    }
    int code = 0;
    for (Node *n = head; n; n = n->next)
        code = code * 10 + n->value;
    out[index()] = code;
}

__device__ void write_to(int *destination, int value) { *destination = value; }

// The same function called with pointers into global, shared and private memory.
__global__ void one_function_three_memories(int *out) {
    __shared__ int room[64];
    int mine, i = index();
    write_to(&mine, i);
    write_to(&room[threadIdx.x], mine * 2);
    write_to(&out[i], room[threadIdx.x] + mine);
}

__global__ void __launch_bounds__(64, 2) hints(int *__restrict__ out, const int *__restrict__ in) {
    int sum = 0;
#pragma unroll
    for (int i = 0; i < 4; i++)
        sum += __ldg(&in[(index() + i) % 16]);
#pragma unroll 1
    for (int i = 0; i < 3; i++)
        sum *= 3;
    if (__builtin_expect(sum < 0, 0))
        sum = -sum;
    volatile int kept = sum;
    out[index()] = kept + warpSize;
}

// The loop's only exit comes after a divergent `continue`, which it post-dominates; each edge changes all variables.
__global__ void continue_before_the_exit(unsigned *out) {
    unsigned h = 0, i = index() % 4;
    for (;;) {
        h = h * 3 + i;
        i += 1;
        if (h & 1)
            continue;
        h += i;
        i += 3;
        if (i >= 10)
            break;
    }
    out[index()] = h * 100 + i;
}

// The same, with an exit that looks uniform and is taken in different iterations.
__global__ void continue_before_a_uniform_exit(unsigned *out, unsigned n) {
    unsigned h = index(), round = 0;
    for (;;) {
        h = h * 3 + index() + round;
        round += 1;
        if (h >> 2 & 1) {
            h ^= 5;
            continue;
        }
        h += 7;
        if (round >= n)
            break;
    }
    out[index()] = h * 100 + round;
}
