package dev.kudu4j.tablet.file;

import org.jspecify.annotations.Nullable;

/**
 * The kind of a sealed file's content, and the format versions that this code reads. The numbers of
 * kinds are stored on disk and never reused.
 */
public enum FileKind {
  BASE_DATA(1, "base data", 3, 3),
  DELTA(2, "delta", 3, 3),
  COLUMNS(3, "columns", 2, 2),
  INDEX(4, "index", 1, 2),
  STAGED_ROWS(5, "staged rows", 1, 1);

  private final int number;
  private final String text;
  private final int oldestVersion;
  private final int currentVersion;

  FileKind(int number, String text, int oldestVersion, int currentVersion) {
    this.number = number;
    this.text = text;
    this.oldestVersion = oldestVersion;
    this.currentVersion = currentVersion;
  }

  public int number() {
    return number;
  }

  /** The version that this code writes. */
  public int currentVersion() {
    return currentVersion;
  }

  /** The oldest version that this code reads. */
  public int oldestVersion() {
    return oldestVersion;
  }

  /** The name of the kind with the number, for messages. */
  static String textOf(int number) {
    FileKind kind = ofNumber(number);
    return kind == null ? "unknown (" + number + ")" : kind.text;
  }

  /** The kind with the number; null if it is unknown. */
  static @Nullable FileKind ofNumber(int number) {
    for (FileKind kind : values()) {
      if (kind.number == number) {
        return kind;
      }
    }
    return null;
  }

  @Override
  public String toString() {
    return text;
  }
}
