// SPDX-License-Identifier: Apache-2.0
// Calls that can't be inlined: recursion, pointers to functions and to members, virtual functions, closures.

__device__ inline int index() { return blockIdx.x * blockDim.x + threadIdx.x; }

// --- recursion ---

__device__ __noinline__ unsigned fibonacci_of(unsigned n) {
    return n < 2 ? n : fibonacci_of(n - 1) + fibonacci_of(n - 2);
}

__global__ void fibonacci(unsigned *out) { out[index()] = fibonacci_of(index() % 13); }

__device__ bool is_odd(unsigned n);
__device__ bool is_even(unsigned n) { return n == 0 ? true : is_odd(n - 1); }
__device__ bool is_odd(unsigned n) { return n == 0 ? false : is_even(n - 1); }

__global__ void parity(int *out, const unsigned *in) { out[index()] = is_odd(in[index()]) ? 1 : is_even(0) ? 2 : 3; }

__device__ int ackermann_of(int m, int n) {
    if (m == 0) return n + 1;
    return n == 0 ? ackermann_of(m - 1, 1) : ackermann_of(m - 1, ackermann_of(m, n - 1));
}

__global__ void ackermann(int *out) { out[index()] = ackermann_of(index() % 3, index() % 5); }

template <class Number> __device__ __noinline__ void quick_sort(Number *first, int count) {
    if (count < 2) return;
    Number pivot = first[count / 2];
    int low = 0, high = count - 1;
    while (low <= high) {
        while (first[low] < pivot) ++low;
        while (pivot < first[high]) --high;
        if (low <= high) {
            Number kept = first[low];
            first[low++] = first[high];
            first[high--] = kept;
        }
    }
    quick_sort(first, high + 1);
    quick_sort(first + low, count - low);
}

__global__ void sorts(int *data, float *shared_sums) {  // each work-item sorts eight numbers in private memory
    int own[8];
    for (int i = 0; i < 8; ++i) own[i] = data[8 * index() + i];
    quick_sort(own, 8);
    for (int i = 0; i < 8; ++i) data[8 * index() + i] = own[i];
    extern __shared__ float sums[];
    sums[threadIdx.x] = own[0];
    __syncthreads();
    if (threadIdx.x == 0) quick_sort(sums, blockDim.x);  // one of them sorts shared memory
    __syncthreads();
    shared_sums[index()] = sums[threadIdx.x];
}

struct Tree {
    int value;
    const Tree *left, *right;
};

__device__ int depth_of(const Tree *tree) {
    if (tree == nullptr) return 0;
    int left = depth_of(tree->left), right = depth_of(tree->right);
    return 1 + (left > right ? left : right);
}

__device__ int sum_of(const Tree *tree, const Tree *&largest) {  // a reference goes down with the calls
    if (tree == nullptr) return 0;
    if (largest == nullptr || tree->value > largest->value) largest = tree;
    return tree->value + sum_of(tree->left, largest) + sum_of(tree->right, largest);
}

__global__ void trees(int *out, const int *in) {
    Tree nodes[7];
    for (int i = 0; i < 7; ++i) nodes[i] = Tree{in[7 * index() + i], nullptr, nullptr};
    for (int i = 1; i < 7; ++i) {  // a search tree, as the values fall
        Tree *at = nodes;
        for (;;) {
            const Tree *&next = nodes[i].value < at->value ? at->left : at->right;
            if (next == nullptr) {
                next = nodes + i;
                break;
            }
            at = const_cast<Tree *>(next);
        }
    }
    const Tree *largest = nullptr;
    out[3 * index()] = depth_of(nodes);
    out[3 * index() + 1] = sum_of(nodes, largest);
    out[3 * index() + 2] = largest->value;
}

// --- what a function that is called may ask of its work-item ---

__device__ __noinline__ void place(unsigned *out, int deep) {
    if (deep > 0) return place(out, deep - 1);
    __shared__ unsigned seen[96];
    unsigned item = threadIdx.x + blockDim.x * (threadIdx.y + blockDim.y * threadIdx.z);
    seen[item] = 7 + item;
    out[0] = threadIdx.x, out[1] = threadIdx.y, out[2] = threadIdx.z, out[3] = blockIdx.x, out[4] = blockIdx.y;
    out[5] = blockDim.x, out[6] = blockDim.y, out[7] = gridDim.x, out[8] = gridDim.y, out[9] = seen[item];
}

__global__ void places(unsigned *out) {
    unsigned item = threadIdx.x + blockDim.x * (threadIdx.y + blockDim.y * threadIdx.z);
    unsigned group = blockIdx.x + gridDim.x * blockIdx.y;
    place(out + 10 * (item + blockDim.x * blockDim.y * blockDim.z * group), 3);
}

// --- pointers to functions ---

using Operation = int (*)(int, int);

__device__ int plus(int a, int b) { return a + b; }
__device__ int minus(int a, int b) { return a - b; }
__device__ int times(int a, int b) { return a * b; }
__device__ int plus_item(int a, int b) { return a + b + (int)threadIdx.x; }

__device__ Operation operations[4] = {plus, minus, times, plus_item};
__constant__ Operation fixed_operations[3] = {times, plus, minus};

struct Rule {
    int kind;
    Operation apply;
};
__device__ const Rule rules[] = {{1, minus}, {2, times}, {3, nullptr}};

__device__ __noinline__ int twice(Operation operation, int a, int b) { return operation(operation(a, b), b); }

__global__ void tables(int *out, const int *in) {
    int i = index(), v = in[i];
    Operation local[2] = {minus, plus_item};
    int result = operations[v & 3](v, 3) + fixed_operations[v % 3](v, 5) + local[v >> 2 & 1](v, i);
    result += twice(v & 1 ? plus : times, v, 2);
    const Rule &rule = rules[v % 3];
    if (rule.apply) result += rule.kind * rule.apply(v, 7);
    out[i] = result;
}

__device__ Operation chosen;

__global__ void choose(int which) {
    if (index() == 0) chosen = operations[which];
}

__global__ void apply_chosen(int *out, const int *in) { out[index()] = chosen(in[index()], 10); }

__global__ void apply_given(int *out, const int *in, Operation operation) { out[index()] = operation(in[index()], 10); }

struct Big {
    int values[12];
};

__device__ Big add_big(Big a, const Big &b) {
    for (int i = 0; i < 12; ++i) a.values[i] += b.values[i];
    return a;
}

__device__ Big (*big_operation)(Big, const Big &) = add_big;

__global__ void structs_through_pointers(int *out) {
    Big a{}, b{};
    for (int i = 0; i < 12; ++i) a.values[i] = i, b.values[i] = 10 * index();
    Big sum = big_operation(a, b);
    int total = 0;
    for (int i = 0; i < 12; ++i) total += sum.values[i] * (i + 1) - a.values[i];
    out[index()] = total;
}

// --- an interpreter: postfix code, a table of operations ---

__device__ int stack_operation(Operation operation, int *&top) {
    int b = *--top, a = *--top;
    return *top++ = operation(a, b);
}

__global__ void postfix(int *out, const char *code) {
    int stack[16], *top = stack;
    for (const char *at = code; *at; ++at) {
        switch (*at) {
        case '+': stack_operation(plus, top); break;
        case '-': stack_operation(minus, top); break;
        case '*': stack_operation(times, top); break;
        case 'i': *top++ = index(); break;
        default: *top++ = *at - '0';
        }
    }
    out[index()] = top[-1];
}

struct Expression {
    char kind;
    short left, right;
};

__device__ int value_of(const Expression *all, int at, int x) {
    const Expression &e = all[at];
    switch (e.kind) {
    case 'x': return x;
    case 'c': return e.left;
    case '?': return value_of(all, e.left, x) > 0 ? value_of(all, e.right, x) : -value_of(all, e.right, x);
    default:
        return fixed_operations[e.kind == '*' ? 0 : e.kind == '+' ? 1 : 2](value_of(all, e.left, x),
                                                                           value_of(all, e.right, x));
    }
}

__constant__ Expression program[] = {{'?', 1, 2}, {'-', 3, 4}, {'+', 5, 6}, {'x', 0, 0}, {'c', 20, 0},
                                     {'*', 3, 3}, {'*', 3, 4}};

__global__ void expressions(int *out) { out[index()] = value_of(program, 0, index()); }

// --- virtual functions and pointers to members ---

struct Ray {
    float x, y, dx, dy;
};

struct Shape {
    int color;
    __device__ explicit Shape(int color) : color(color) {}
    __device__ virtual float distance(const Ray &ray) const = 0;
    __device__ virtual int shade(float distance) const { return color; }
    __device__ virtual ~Shape() {}
};

struct Circle : Shape {
    float x, y, radius;
    __device__ Circle(float x, float y, float radius, int color) : Shape(color), x(x), y(y), radius(radius) {}
    __device__ float distance(const Ray &ray) const override {
        float px = x - ray.x, py = y - ray.y;
        float along = px * ray.dx + py * ray.dy, off = px * px + py * py - along * along;
        return off > radius * radius ? -1.0f : along;
    }
};

struct Wall : Shape {
    float x;
    __device__ Wall(float x, int color) : Shape(color), x(x) {}
    __device__ float distance(const Ray &ray) const override { return ray.dx > 0 ? (x - ray.x) / ray.dx : -1.0f; }
    __device__ int shade(float distance) const override { return color + (int)distance; }
};

__global__ void rays(int *out) {
    __shared__ alignas(16) char room[3][64];
    __shared__ Shape *scene[3];
    if (threadIdx.x == 0) {  // objects in shared memory, made by one work-item for all
        scene[0] = new (room[0]) Circle(8, 1, 2, 100);
        scene[1] = new (room[1]) Wall(20, 200);
        scene[2] = new (room[2]) Circle(5, -6, 3, 300);
    }
    __syncthreads();
    int i = index();
    Ray ray{0, 0, i % 8 < 4 ? 1.0f : 0.8f, i % 8 < 4 ? 0.0f : i % 2 ? -0.6f : 0.6f};
    float nearest = 1e9f;
    int seen = 0;
    for (Shape *shape : scene) {
        float distance = shape->distance(ray);
        if (distance > 0 && distance < nearest) nearest = distance, seen = shape->shade(distance);
    }
    out[i] = seen;
    __syncthreads();
    if (threadIdx.x == 0)
        for (Shape *shape : scene) shape->~Shape();
}

struct Counter {
    int count = 0;
    __device__ int up(int by) { return count += by; }
    __device__ int down(int by) { return count -= by; }
    __device__ virtual int both(int by) { return count += 2 * by; }
};

struct FastCounter : Counter {
    __device__ int both(int by) override { return count += 100 * by; }
};

__global__ void members(int *out, const int *in) {
    int v = in[index()];
    Counter plain;
    FastCounter fast;
    Counter *counter = v & 8 ? &fast : &plain;
    int (Counter::*step)(int) = v % 3 == 0 ? &Counter::up : v % 3 == 1 ? &Counter::down : &Counter::both;
    int Counter::*field = &Counter::count;
    (counter->*step)(v);
    int first = counter->*field;
    out[index()] = first + (counter->*step)(1);
}

// --- closures ---

template <class Function> __device__ int applied(const Function &function, int v) { return function(v) + function(1); }

__global__ void closures(int *out, const int *in) {
    int base = in[index()];
    auto add = [=](int v) { return v + base; };
    auto square = [](int v) { return v * v; };
    int (*plain)(int) = base & 1 ? (int (*)(int))square : (int (*)(int))[](int v) { return -v; };
    out[index()] = applied(add, 5) + applied(square, 3) + plain(base % 100) + applied(plain, 2);
}
