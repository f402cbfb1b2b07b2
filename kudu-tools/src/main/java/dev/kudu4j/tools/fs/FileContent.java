package dev.kudu4j.tools.fs;

import dev.kudu4j.tablet.file.FileKind;
import dev.kudu4j.tablet.file.SealedFile;
import dev.kudu4j.tablet.superblock.SuperblockFile;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;

/** The type of a file, detected from its first bytes; its name does not matter. */
enum FileContent {
  BASE_DATA,
  COLUMNS,
  DELTA,
  INDEX,
  STAGED_ROWS,
  SUPERBLOCK,
  INSTANCE,
  OTHER;

  private static final int BEGINNING_BYTES = 512;

  static FileContent of(Path file) throws IOException {
    byte[] beginning;
    try (InputStream in = Files.newInputStream(file)) {
      beginning = in.readNBytes(BEGINNING_BYTES);
    }
    FileKind kind = SealedFile.kindOf(beginning);
    if (kind != null) {
      return switch (kind) {
        case BASE_DATA -> BASE_DATA;
        case COLUMNS -> COLUMNS;
        case DELTA -> DELTA;
        case INDEX -> INDEX;
        case STAGED_ROWS -> STAGED_ROWS;
      };
    }
    if (SuperblockFile.startsWithMagic(beginning)) {
      return SUPERBLOCK;
    }
    boolean identity = new String(beginning, StandardCharsets.UTF_8).contains("format_version=");
    return identity ? INSTANCE : OTHER;
  }
}
