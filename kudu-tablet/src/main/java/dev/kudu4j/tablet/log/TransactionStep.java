package dev.kudu4j.tablet.log;

/**
 * The content of a PREPARE, COMMIT or ABORT entry.
 *
 * <pre>
 *   transaction i64 | commit timestamp i64, 0 for an ABORT of a transaction that is not prepared
 * </pre>
 */
record TransactionStep(long transaction, long commitTimestamp) {
  private static final int BYTES = 2 * Long.BYTES;

  byte[] encode(LogEntry.Type type) {
    EntryWriter out = EntryWriter.begin(type, 1, EntryFormat.HEADER_BYTES + BYTES);
    out.i64(transaction);
    out.i64(commitTimestamp);
    return out.finish();
  }

  static TransactionStep decode(EntryReader in) {
    TransactionStep step = new TransactionStep(in.i64(), in.i64());
    if (step.transaction < 0 || step.commitTimestamp < 0) {
      throw in.corrupt("transaction " + step.transaction + " at " + step.commitTimestamp);
    }
    return step;
  }
}
