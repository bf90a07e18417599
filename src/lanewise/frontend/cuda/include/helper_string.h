// SPDX-License-Identifier: Apache-2.0
// The names that programs take from the CUDA samples' helper_string.h: command-line flags.
#ifndef COMMON_HELPER_STRING_H_
#define COMMON_HELPER_STRING_H_

#ifndef EXIT_WAIVED
#define EXIT_WAIVED 2
#endif

bool checkCmdLineFlag(int count, const char **arguments, const char *flag);
int getCmdLineArgumentInt(int count, const char **arguments, const char *flag);
float getCmdLineArgumentFloat(int count, const char **arguments, const char *flag);
bool getCmdLineArgumentString(int count, const char **arguments, const char *flag, char **value);
char *sdkFindFilePath(const char *name, const char *program);

#endif
