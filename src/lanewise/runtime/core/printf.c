// SPDX-License-Identifier: Apache-2.0
// CUDA's printf (CUDA C++ Programming Guide, "Formatted output"): the conversions of C without %n and wide
// characters, arguments packed by the compiler. What is no valid conversion is printed as it stands and takes no
// argument.
#include "core.h"

#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { FIELD_LIMIT = 1 << 20 }; // of a width or precision

enum length { LENGTH_NONE, LENGTH_HH, LENGTH_H, LENGTH_WIDE /* 64 bits */, LENGTH_LONG_DOUBLE };

struct conversion {
  char flags[6];
  bool width_given_as_argument, precision_given_as_argument;
  int width, precision; // precision -1: none
  enum length length;
  char letter;
};

// A record in the making; `space` holds the short ones.
struct text {
  char *data;
  size_t size, capacity;
  bool failed; // memory is short
  struct runner *runner;
  char space[512];
};

// Reads what generated code says is text, as snprintf will: a wrong address ends the launch here, where nothing is
// locked.
static void probe_text(struct runner *runner, const char *text, int precision) {
  runner->probing = 1;
  for (const volatile char *at = text; text != NULL && precision-- != 0 && *at != '\0'; ++at)
    continue;
  runner->probing = 0;
}

static bool text_reserve(struct text *text, size_t more) {
  if (text->size + more <= text->capacity)
    return true;
  size_t capacity = 2 * (text->size + more);
  char *data = malloc(capacity);
  if (data == NULL) {
    text->failed = true;
    return false;
  }
  memcpy(data, text->data, text->size);
  if (text->data != text->space)
    free(text->data);
  text->data = data;
  text->capacity = capacity;
  return true;
}

static void text_append(struct text *text, const char *data, size_t size) {
  if (text_reserve(text, size)) {
    memcpy(text->data + text->size, data, size);
    text->size += size;
  }
}

// Reads digits; FIELD_LIMIT + 1 where the number is larger than the limit.
static int parse_number(const char **at) {
  int value = 0;
  for (; **at >= '0' && **at <= '9'; ++*at)
    value = value > FIELD_LIMIT ? value : value * 10 + (**at - '0');
  return value > FIELD_LIMIT ? FIELD_LIMIT + 1 : value;
}

static enum length parse_length(const char **at) {
  switch (*(*at)++) {
  case 'h':
    if (**at != 'h')
      return LENGTH_H;
    ++*at;
    return LENGTH_HH;
  case 'l':
    if (**at == 'l')
      ++*at;
    return LENGTH_WIDE;
  case 'j':
  case 'z':
  case 't':
    return LENGTH_WIDE;
  case 'L':
    return LENGTH_LONG_DOUBLE; // a double on the device
  default:
    --*at;
    return LENGTH_NONE;
  }
}

// Parses the conversion that starts after a '%'. Returns where it ends, or null where there is no valid one.
static const char *parse_conversion(const char *at, struct conversion *result) {
  *result = (struct conversion){.precision = -1};
  size_t flags = 0;
  for (; *at != '\0' && strchr("-+ #0", *at) != NULL; ++at)
    if (strchr(result->flags, *at) == NULL)
      result->flags[flags++] = *at;
  if (*at == '*') {
    result->width_given_as_argument = true;
    ++at;
  } else {
    result->width = parse_number(&at);
  }
  if (*at == '.') {
    ++at;
    if (*at == '*') {
      result->precision_given_as_argument = true;
      ++at;
    } else {
      result->precision = parse_number(&at);
    }
  }
  result->length = parse_length(&at);
  result->letter = *at;
  if (result->letter == '\0' || result->width > FIELD_LIMIT || result->precision > FIELD_LIMIT)
    return NULL;
  const char *letters;
  switch (result->length) {
  case LENGTH_NONE:
    letters = "diuxXocspfFeEgGaA";
    break;
  case LENGTH_WIDE:
    letters = "diuxXofFeEgGaA";
    break;
  case LENGTH_LONG_DOUBLE:
    letters = "fFeEgGaA";
    break;
  default:
    letters = "diuxXo";
    break;
  }
  return strchr(letters, result->letter) != NULL ? at + 1 : NULL;
}

// The next packed argument of `size` bytes, 4 or 8, which is its alignment too.
static uint64_t take(const char **packed, size_t size) {
  *packed = (const char *)(((uintptr_t)*packed + size - 1) & ~(uintptr_t)(size - 1));
  uint64_t value = 0; // little-endian, as every host of ours
  memcpy(&value, *packed, size);
  *packed += size;
  return value;
}

static int take_field(const char **packed, int least) {
  int value = (int)take(packed, 4);
  return value < least ? least : value > FIELD_LIMIT ? FIELD_LIMIT : value;
}

// Prints `conversion` of `value` as `size` bytes at `into` and returns the length that it needs, as snprintf.
static int print_one(char *into, size_t size, const struct conversion *conversion, uint64_t value) {
  char format[16];
  int width = conversion->width, precision = conversion->precision;
  char letter = conversion->letter;
  bool integer = strchr("diuxXo", letter) != NULL;
  snprintf(format, sizeof format, "%%%s*.*%s%c", conversion->flags, integer ? "ll" : "", letter);
  if (letter == 'd' || letter == 'i') {
    long long number = conversion->length == LENGTH_WIDE ? (long long)value
                       : conversion->length == LENGTH_H  ? (short)value
                       : conversion->length == LENGTH_HH ? (signed char)value
                                                         : (int)value;
    return snprintf(into, size, format, width, precision, number);
  }
  if (integer) {
    unsigned long long number = conversion->length == LENGTH_H    ? (unsigned short)value
                                : conversion->length == LENGTH_HH ? (unsigned char)value
                                                                  : value;
    return snprintf(into, size, format, width, precision, number);
  }
  if (letter == 'c')
    return snprintf(into, size, format, width, precision, (int)value);
  if (letter == 's' || letter == 'p')
    return snprintf(into, size, format, width, precision, (void *)(uintptr_t)value);
  double number;
  memcpy(&number, &value, sizeof number);
  return snprintf(into, size, format, width, precision, number);
}

static void text_convert(struct text *text, const struct conversion *conversion, uint64_t value) {
  if (conversion->letter == 's')
    probe_text(text->runner, (const char *)(uintptr_t)value, conversion->precision);
  int needed = print_one(NULL, 0, conversion, value);
  if (needed >= 0 && text_reserve(text, (size_t)needed + 1)) {
    print_one(text->data + text->size, (size_t)needed + 1, conversion, value);
    text->size += (size_t)needed;
  }
}

// Formats `format` with its arguments into `text`, and returns how many arguments it took.
static int32_t text_format(struct text *text, const char *format, const char *packed) {
  int32_t arguments = 0;
  while (*format != '\0') {
    size_t plain = strcspn(format, "%");
    text_append(text, format, plain);
    format += plain;
    if (*format == '\0')
      break;
    struct conversion conversion;
    const char *end = parse_conversion(format + 1, &conversion);
    if (end == NULL) {
      text_append(text, "%", 1);
      format += format[1] == '%' ? 2 : 1;
      continue;
    }
    if (conversion.width_given_as_argument) {
      conversion.width = take_field(&packed, -FIELD_LIMIT);
      ++arguments;
    }
    if (conversion.precision_given_as_argument) {
      conversion.precision = take_field(&packed, -1);
      ++arguments;
    }
    bool narrow = strchr("spfFeEgGaA", conversion.letter) == NULL && conversion.length != LENGTH_WIDE;
    text_convert(text, &conversion, take(&packed, narrow ? 4 : 8));
    ++arguments;
    format = end;
  }
  return arguments;
}

static int32_t service_vprintf(const lw_launch *launch, const char *format, const void *packed) {
  if (format == NULL)
    return -1;
  struct runner *runner = launch->internal;
  runner_hold(runner);
  probe_text(runner, format, -1);
  struct text text = {.data = text.space, .capacity = sizeof text.space, .runner = runner};
  int32_t arguments = text_format(&text, format, packed);
  if (!text.failed)
    output_append(&runner->slot->output, text.data, text.size);
  if (text.data != text.space)
    free(text.data);
  runner_release(runner);
  return text.failed ? -2 : arguments;
}
