#define _GNU_SOURCE
#include "CMemoryModel.h"

#if defined(__linux__)

#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>

// MARK: Stacks

// What a function must preserve is pushed, so that the stack pointer alone stands for a stack.
#if defined(__x86_64__)
__asm__(
    ".text\n.p2align 4\n.globl cmodel_change\n.type cmodel_change, @function\n"
    "cmodel_change:\n"
    "pushq %rbp\n pushq %rbx\n pushq %r12\n pushq %r13\n pushq %r14\n pushq %r15\n"
    "movq %rsp, (%rdi)\n movq %rsi, %rsp\n"
    "popq %r15\n popq %r14\n popq %r13\n popq %r12\n popq %rbx\n popq %rbp\n"
    "ret\n"
    ".size cmodel_change, . - cmodel_change\n");

void *cmodel_prepare(void *stack, size_t byte_count, void (*body)(void)) {
    uintptr_t *top = (uintptr_t *)(((uintptr_t)stack + byte_count) & ~(uintptr_t)15);
    *--top = 0;  // where a caller would continue
    *--top = (uintptr_t)body;
    for (int count = 0; count < 6; count++) *--top = 0;
    return top;
}
#elif defined(__aarch64__)
__asm__(
    ".text\n.p2align 4\n.globl cmodel_change\n.type cmodel_change, @function\n"
    "cmodel_change:\n"
    "sub sp, sp, #160\n"
    "stp x19, x20, [sp]\n stp x21, x22, [sp, #16]\n stp x23, x24, [sp, #32]\n"
    "stp x25, x26, [sp, #48]\n stp x27, x28, [sp, #64]\n stp x29, x30, [sp, #80]\n"
    "stp d8, d9, [sp, #96]\n stp d10, d11, [sp, #112]\n stp d12, d13, [sp, #128]\n"
    "stp d14, d15, [sp, #144]\n"
    "mov x9, sp\n str x9, [x0]\n mov sp, x1\n"
    "ldp x19, x20, [sp]\n ldp x21, x22, [sp, #16]\n ldp x23, x24, [sp, #32]\n"
    "ldp x25, x26, [sp, #48]\n ldp x27, x28, [sp, #64]\n ldp x29, x30, [sp, #80]\n"
    "ldp d8, d9, [sp, #96]\n ldp d10, d11, [sp, #112]\n ldp d12, d13, [sp, #128]\n"
    "ldp d14, d15, [sp, #144]\n"
    "add sp, sp, #160\n ret\n"
    ".size cmodel_change, . - cmodel_change\n");

void *cmodel_prepare(void *stack, size_t byte_count, void (*body)(void)) {
    uintptr_t *top = (uintptr_t *)(((uintptr_t)stack + byte_count) & ~(uintptr_t)15);
    top -= 20;
    memset(top, 0, 160);
    top[11] = (uintptr_t)body;  // x30
    return top;
}
#else
#error "models of memory need to change stacks; this processor's way is not written yet"
#endif

void *cmodel_stack(size_t byte_count) {
    size_t guard = 65536;
    char *memory = mmap(NULL, byte_count + guard, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    if (memory == MAP_FAILED || mprotect(memory, guard, PROT_NONE) != 0) abort();
    return memory + guard;
}

// MARK: Failures

static void *explorer;
static volatile int failure;

static void fail(int signal) {
    failure = signal;
    void *abandoned;
    cmodel_change(&abandoned, explorer);
}

static const int failures[] = {SIGILL, SIGTRAP, SIGSEGV, SIGBUS, SIGFPE, SIGABRT};
enum { failure_count = sizeof failures / sizeof *failures };

int cmodel_enter(void *to) {
    static char signal_stack[65536];
    struct sigaction before[failure_count], action = {.sa_handler = fail, .sa_flags = SA_ONSTACK | SA_NODEFER};
    stack_t stack = {.ss_sp = signal_stack, .ss_size = sizeof signal_stack}, stack_before;
    sigaltstack(&stack, &stack_before);
    for (int index = 0; index < failure_count; index++) sigaction(failures[index], &action, &before[index]);
    failure = 0;
    cmodel_change(&explorer, to);
    for (int index = 0; index < failure_count; index++) sigaction(failures[index], &before[index], NULL);
    sigaltstack(&stack_before, NULL);
    return failure;
}

void cmodel_leave(void **from) { cmodel_change(from, explorer); }

// MARK: Memory

void *cmodel_memory(size_t byte_count, size_t alignment) {
    char *memory = mmap(
        NULL, byte_count + alignment, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    if (memory == MAP_FAILED) abort();
    return (void *)(((uintptr_t)memory + alignment - 1) & ~(alignment - 1));
}

uint64_t cmodel_read(uintptr_t address, size_t byte_count) {
    switch (byte_count) {
    case 1: return *(uint8_t *)address;
    case 2: return *(uint16_t *)address;
    case 4: return *(uint32_t *)address;
    default: return *(uint64_t *)address;
    }
}

void cmodel_write(uintptr_t address, size_t byte_count, uint64_t value) {
    switch (byte_count) {
    case 1: *(uint8_t *)address = (uint8_t)value; break;
    case 2: *(uint16_t *)address = (uint16_t)value; break;
    case 4: *(uint32_t *)address = (uint32_t)value; break;
    default: *(uint64_t *)address = value;
    }
}

extern char __data_start[], _end[];

bool cmodel_is_static(uintptr_t address) {
    return address >= (uintptr_t)__data_start && address < (uintptr_t)_end;
}

#endif
