// SPDX-License-Identifier: Apache-2.0
// The names that programs take from the CUDA samples' helper_string.h: command-line flags, -flag or --flag=value, of
// which capitals and small letters are the same.
#ifndef COMMON_HELPER_STRING_H_
#define COMMON_HELPER_STRING_H_

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#ifndef EXIT_WAIVED
#define EXIT_WAIVED 2
#endif

// The value of `flag`: what follows its equals sign, "" without one; null if the flag isn't given.
inline const char *__lw_flag(int count, const char **arguments, const char *flag) {
  size_t length = strlen(flag);
  for (int place = 1; place < count; ++place) {
    const char *word = arguments[place];
    if (*word != '-')
      continue;
    while (*word == '-')
      ++word;
    if (strncasecmp(word, flag, length) == 0 && (word[length] == '=' || word[length] == '\0'))
      return word[length] == '=' ? word + length + 1 : "";
  }
  return nullptr;
}

inline bool checkCmdLineFlag(int count, const char **arguments, const char *flag) {
  return __lw_flag(count, arguments, flag) != nullptr;
}
inline int getCmdLineArgumentInt(int count, const char **arguments, const char *flag) {
  const char *value = __lw_flag(count, arguments, flag);
  return value ? atoi(value) : 0;
}
inline float getCmdLineArgumentFloat(int count, const char **arguments, const char *flag) {
  const char *value = __lw_flag(count, arguments, flag);
  return value ? static_cast<float>(atof(value)) : 0.0f;
}
inline bool getCmdLineArgumentString(int count, const char **arguments, const char *flag, char **value) {
  const char *found = __lw_flag(count, arguments, flag);
  *value = const_cast<char *>(found);
  return found != nullptr;
}

// A file in the present folder, in ./data, or in the folder data beside the program; null if there is none. The caller
// frees the path.
inline char *sdkFindFilePath(const char *name, const char *program) {
  const char *slash = program ? strrchr(program, '/') : nullptr;
  int folder = slash ? static_cast<int>(slash - program) + 1 : 0;
  size_t room = strlen(name) + static_cast<size_t>(folder) + sizeof "../data/";
  char *path = static_cast<char *>(malloc(room));
  for (int form = 0; path && form < 5; ++form) {
    if (form < 3)
      snprintf(path, room, form == 0 ? "%s" : form == 1 ? "./data/%s" : "../data/%s", name);
    else
      snprintf(path, room, form == 3 ? "%.*s%s" : "%.*sdata/%s", folder, program ? program : "", name);
    if (FILE *file = fopen(path, "rb")) {
      fclose(file);
      return path;
    }
  }
  free(path);
  return nullptr;
}

#endif
