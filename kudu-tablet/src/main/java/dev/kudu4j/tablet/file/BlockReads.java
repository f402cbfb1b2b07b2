package dev.kudu4j.tablet.file;

/**
 * Counts what one scan reads from files: one object for all its readers, and a few additions for
 * each block. Not thread-safe.
 */
public final class BlockReads {
  private long cachedBytes;
  private long diskBytes;
  private long columnPages;
  private long encodedCells;
  private long decodedCells;

  /**
   * Counts a block.
   *
   * @param bytes its size in the file
   */
  void add(int bytes, boolean cached) {
    if (cached) {
      cachedBytes += bytes;
    } else {
      diskBytes += bytes;
    }
  }

  /** Counts a page of a column when its reader moves to the page for the first time. */
  public void addColumnPage() {
    columnPages++;
  }

  /** Counts cells that were filtered, summed or grouped without decoding them. */
  public void addEncodedCells(int count) {
    encodedCells += count;
  }

  /** Counts cells that a reader of numbers decoded to convert them. */
  public void addDecodedCells(int count) {
    decodedCells += count;
  }

  /** The size in files of the blocks that the page cache had. */
  public long cachedBytes() {
    return cachedBytes;
  }

  /** The size in files of the blocks that were read from disk. */
  public long diskBytes() {
    return diskBytes;
  }

  public long columnPages() {
    return columnPages;
  }

  public long encodedCells() {
    return encodedCells;
  }

  public long decodedCells() {
    return decodedCells;
  }
}
