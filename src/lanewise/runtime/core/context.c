// SPDX-License-Identifier: Apache-2.0
// Contexts: places where a thread can leave off and go on later, each on a stack of its own.
//
// A switch saves what a called function must preserve, on the stack that it leaves (System V ABI for x86-64, section
// 3.2.1; Procedure Call Standard for the Arm 64-bit Architecture, section 6.1), and takes the same from the other.
#include "core.h"

#include <string.h>
#include <sys/mman.h>

// Leaves *left where the caller is, and goes on at `next`, which an earlier switch left or context_start made.
extern void lw_switch_context(void **left, void *next) __attribute__((visibility("hidden")));

#if defined(__x86_64__)
__asm__(".text\n"
        ".p2align 4\n"
        ".hidden lw_switch_context\n"
        ".globl lw_switch_context\n"
        ".type lw_switch_context,@function\n"
        "lw_switch_context:\n"
        "  pushq %rbp\n"
        "  pushq %rbx\n"
        "  pushq %r12\n"
        "  pushq %r13\n"
        "  pushq %r14\n"
        "  pushq %r15\n"
        "  subq $8, %rsp\n"
        "  stmxcsr (%rsp)\n"
        "  fnstcw 4(%rsp)\n"
        "  movq %rsp, (%rdi)\n"
        "  movq %rsi, %rsp\n"
        "  ldmxcsr (%rsp)\n"
        "  fldcw 4(%rsp)\n"
        "  addq $8, %rsp\n"
        "  popq %r15\n"
        "  popq %r14\n"
        "  popq %r13\n"
        "  popq %r12\n"
        "  popq %rbx\n"
        "  popq %rbp\n"
        "  ret\n"
        ".size lw_switch_context, .-lw_switch_context\n");

struct saved_context {
  uint32_t mxcsr;
  uint16_t x87_control, unused;
  uint64_t r15, r14, r13, r12, rbx, rbp;
  void (*resume)(void);
  uint64_t caller; // 0: none
};

// Floating point as a process has it at its start, whatever the host made of it since; the Intel SDM, volume 1, sections
// 8.1.5 and 10.2.3: no exceptions, round to nearest; and flush-to-zero (bit 15) and denormals-are-zeros (bit 6).
static void describe_context(struct saved_context *saved, void (*entry)(void), bool flush_denormals) {
  saved->mxcsr = 0x1f80 | (flush_denormals ? 0x8040 : 0);
  saved->x87_control = 0x037f;
  saved->resume = entry;
}
#elif defined(__aarch64__)
__asm__(".text\n"
        ".p2align 4\n"
        ".hidden lw_switch_context\n"
        ".globl lw_switch_context\n"
        ".type lw_switch_context,%function\n"
        "lw_switch_context:\n"
        "  sub sp, sp, #176\n"
        "  stp x19, x20, [sp, #0]\n"
        "  stp x21, x22, [sp, #16]\n"
        "  stp x23, x24, [sp, #32]\n"
        "  stp x25, x26, [sp, #48]\n"
        "  stp x27, x28, [sp, #64]\n"
        "  stp x29, x30, [sp, #80]\n"
        "  stp d8, d9, [sp, #96]\n"
        "  stp d10, d11, [sp, #112]\n"
        "  stp d12, d13, [sp, #128]\n"
        "  stp d14, d15, [sp, #144]\n"
        "  mrs x9, fpcr\n"
        "  str x9, [sp, #160]\n"
        "  mov x9, sp\n"
        "  str x9, [x0]\n"
        "  mov sp, x1\n"
        "  ldr x9, [sp, #160]\n"
        "  msr fpcr, x9\n"
        "  ldp x19, x20, [sp, #0]\n"
        "  ldp x21, x22, [sp, #16]\n"
        "  ldp x23, x24, [sp, #32]\n"
        "  ldp x25, x26, [sp, #48]\n"
        "  ldp x27, x28, [sp, #64]\n"
        "  ldp x29, x30, [sp, #80]\n"
        "  ldp d8, d9, [sp, #96]\n"
        "  ldp d10, d11, [sp, #112]\n"
        "  ldp d12, d13, [sp, #128]\n"
        "  ldp d14, d15, [sp, #144]\n"
        "  add sp, sp, #176\n"
        "  ret\n"
        ".size lw_switch_context, .-lw_switch_context\n");

struct saved_context {
  uint64_t x19_to_x28[10], frame;
  void (*resume)(void);
  uint64_t d8_to_d15[8];
  uint64_t fpcr, unused;
};

// As above; FZ is bit 24: Arm Architecture Reference Manual, "FPCR, Floating-point Control Register".
static void describe_context(struct saved_context *saved, void (*entry)(void), bool flush_denormals) {
  saved->fpcr = flush_denormals ? 1 << 24 : 0;
  saved->resume = entry;
}
#endif

// A context that, when it is switched to, calls `entry` on the stack that ends at `top`, 16-byte aligned. `entry`
// doesn't return. `flush_denormals`: they count as 0 there.
static void *context_start(char *top, void (*entry)(void), bool flush_denormals) {
  struct saved_context *saved = (void *)(top - sizeof *saved);
  memset(saved, 0, sizeof *saved);
  describe_context(saved, entry, flush_denormals);
  return saved;
}

static void stack_unmap(const struct stack *stack) {
  munmap(stack->guard, (size_t)(stack->top - stack->guard));
}

// Memory for a stack, or an empty one where it is short. Only what is used takes space; below it lies a guard.
static struct stack stack_map(void) {
  char *memory = mmap(NULL, STACK_GUARD_BYTES + STACK_BYTES, PROT_NONE,
                      MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE | MAP_STACK, -1, 0);
  if (memory == MAP_FAILED)
    return (struct stack){0};
  struct stack stack = {memory, memory + STACK_GUARD_BYTES, memory + STACK_GUARD_BYTES + STACK_BYTES};
  if (mprotect(stack.low, STACK_BYTES, PROT_READ | PROT_WRITE) != 0) {
    stack_unmap(&stack);
    return (struct stack){0};
  }
  madvise(stack.low, STACK_BYTES, MADV_NOHUGEPAGE); // 2 MiB would be cleared at the first touch
  return stack;
}
