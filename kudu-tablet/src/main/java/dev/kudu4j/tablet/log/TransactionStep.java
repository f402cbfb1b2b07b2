package dev.kudu4j.tablet.log;

/**
 * The content of a PREPARE, COMMIT or ABORT entry.
 *
 * <pre>
 *   transaction i64 | commit timestamp i64, 0 for an ABORT of a transaction that is not prepared
 *   coordinator's term i64, in a PREPARE only
 * </pre>
 *
 * @param term the term of the coordinator; 0 unless the entry is a PREPARE
 */
record TransactionStep(long transaction, long commitTimestamp, long term) {
  private static final int BYTES = 3 * Long.BYTES;

  /** A COMMIT or ABORT. */
  TransactionStep(long transaction, long commitTimestamp) {
    this(transaction, commitTimestamp, 0);
  }

  byte[] encode(LogEntry.Type type) {
    boolean prepares = type == LogEntry.Type.PREPARE;
    EntryWriter out =
        EntryWriter.begin(type, 1, EntryFormat.HEADER_BYTES + BYTES - (prepares ? 0 : Long.BYTES));
    out.i64(transaction);
    out.i64(commitTimestamp);
    if (prepares) {
      out.i64(term);
    }
    return out.finish();
  }

  static TransactionStep decode(LogEntry.Type type, EntryReader in) {
    long transaction = in.i64();
    long commitTimestamp = in.i64();
    long term = type == LogEntry.Type.PREPARE ? in.i64() : 0;
    if (transaction < 0 || commitTimestamp < 0 || term < 0) {
      throw in.corrupt("transaction " + transaction + " at " + commitTimestamp + ", term " + term);
    }
    return new TransactionStep(transaction, commitTimestamp, term);
  }
}
