package dev.kudu4j.common.transaction;

import dev.kudu4j.common.key.KeyBuffer;
import dev.kudu4j.common.key.KeyEncoder;
import dev.kudu4j.common.schema.ColumnSchema;
import dev.kudu4j.common.schema.DataType;
import dev.kudu4j.common.schema.Schema;
import java.nio.ByteBuffer;
import java.util.List;

/**
 * The table of all transactions, named and built as Apache Kudu's, so that its tools can read it.
 *
 * <pre>
 *   txn_id INT64 | entry_type INT8 | identifier STRING || metadata STRING      key || value
 *   id             TRANSACTION       ""                   TxnStatusEntryPB
 *   id             PARTICIPANT       id of a tablet       TxnParticipantEntryPB
 * </pre>
 *
 * <p>Each tablet has a range of ids. Its leader coordinates the transactions with these ids.
 */
public final class StatusTable {
  public static final String NAME = "kudu_system.kudu_transactions";

  /** Column numbers, which are also column ids. */
  public static final int TXN_ID = 0;

  public static final int ENTRY_TYPE = 1;
  public static final int IDENTIFIER = 2;
  public static final int METADATA = 3;

  /** Values of {@link #ENTRY_TYPE}. */
  public static final byte TRANSACTION = 1;

  public static final byte PARTICIPANT = 2;

  /** The schema without column ids. */
  public static final Schema SCHEMA =
      new Schema(
          List.of(
              ColumnSchema.builder("txn_id", DataType.INT64).key(true).build(),
              ColumnSchema.builder("entry_type", DataType.INT8).key(true).build(),
              ColumnSchema.builder("identifier", DataType.STRING).key(true).build(),
              ColumnSchema.builder("metadata", DataType.STRING).build()));

  private StatusTable() {}

  /** The encoded partition key of a transaction; also a lower bound of the keys of its rows. */
  public static byte[] partitionKey(long transaction) {
    KeyBuffer key = new KeyBuffer();
    KeyEncoder.appendLong(transaction, key);
    return key.toByteArray();
  }

  /**
   * The reverse of {@link #partitionKey}.
   *
   * @param open returned for the empty key, which is the open end of a range
   */
  public static long transaction(byte[] partitionKey, long open) {
    return partitionKey.length == 0
        ? open
        : ByteBuffer.wrap(partitionKey).getLong() ^ Long.MIN_VALUE;
  }
}
