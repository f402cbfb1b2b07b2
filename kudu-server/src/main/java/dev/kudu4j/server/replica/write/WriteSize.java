package dev.kudu4j.server.replica.write;

/**
 * What the rows of a write stand for, which may be far more than what it took to send them: cells
 * may share their bytes, and a row may set few of many columns. Measured in the pass that checks
 * the rows.
 *
 * @param textBytes of all text and binary cells, shared ones counted each time
 * @param memoryBytes that the rows take once they are applied, at most about
 */
public record WriteSize(long textBytes, long memoryBytes) {
  /** What a byte may take in memory once applied, with its key, row head and index. */
  private static final int APPLIED_BYTES_PER_BYTE = 4;

  /** Of rows whose cells share no bytes, as a writer of our own packs them. */
  static WriteSize packed(int rowsLength, int indirectLength) {
    return new WriteSize(
        indirectLength, APPLIED_BYTES_PER_BYTE * ((long) rowsLength + indirectLength));
  }
}
