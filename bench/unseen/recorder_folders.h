// SPDX-License-Identifier: Apache-2.0
// Folders of recordings and what is in them, for recorder.c.
#pragma once
#include <dirent.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

// FNV-1a.
static uint64_t hash_of(uint64_t hash, const char *text) {
  for (; *text; text++)
    hash = (hash ^ (unsigned char)*text) * 0x100000001B3u;
  return hash;
}

static void write_sizes(FILE *file, const char *word, const size_t *sizes, uint32_t count) {
  fputs(word, file);
  for (uint32_t i = 0; i < count; i++)
    fprintf(file, " %zu", sizes[i]);
  fputc('\n', file);
}

// Writes a file; 0 if that fails.
static int write_file(const char *folder, const char *name, const void *data, size_t size) {
  char path[1400];
  snprintf(path, sizeof path, "%s/%s", folder, name);
  FILE *file = fopen(path, "wb");
  if (!file)
    return 0;
  int whole = fwrite(data, 1, size, file) == size;
  return fclose(file) == 0 && whole;
}

// Removes a folder of files, if there is one.
static void remove_folder(const char *folder) {
  DIR *entries = opendir(folder);
  if (!entries)
    return;
  for (struct dirent *entry; (entry = readdir(entries));) {
    char path[1400];
    snprintf(path, sizeof path, "%s/%s", folder, entry->d_name);
    if (strcmp(entry->d_name, ".") != 0 && strcmp(entry->d_name, "..") != 0)
      unlink(path);
  }
  closedir(entries);
  rmdir(folder);
}

// Puts a folder in the place of another, which stays if that fails.
static int replace_folder(const char *folder, const char *by) {
  char replaced[1100];
  snprintf(replaced, sizeof replaced, "%s.replaced-%d", folder, (int)getpid());
  rename(folder, replaced);
  int done = rename(by, folder) == 0;
  if (done)
    remove_folder(replaced);
  else
    rename(replaced, folder);
  return done;
}
