package dev.kudu4j.tablet.file;

/**
 * What a sealed file holds, and the versions of that format which this code reads. Numbers are on
 * disk and are never used again for something else.
 */
public enum FileKind {
  BASE_DATA(1, "base data", 3, 3),
  DELTA(2, "delta", 3, 3),
  COLUMNS(3, "columns", 2, 2);

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

  /** The version that is written. */
  public int currentVersion() {
    return currentVersion;
  }

  /** The oldest version that can still be read. */
  public int oldestVersion() {
    return oldestVersion;
  }

  /** The kind of that number in words, for messages. */
  static String textOf(int number) {
    FileKind kind = ofNumber(number);
    return kind == null ? "unknown (" + number + ")" : kind.text;
  }

  /** The kind of that number; null when there is none. */
  static FileKind ofNumber(int number) {
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
