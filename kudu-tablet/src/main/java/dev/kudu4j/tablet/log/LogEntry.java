package dev.kudu4j.tablet.log;

import dev.kudu4j.common.schema.Schema;
import java.util.List;

/**
 * One entry of a tablet's log, encoded: version, type, base timestamp, then the content of the
 * type.
 *
 * <p>The base timestamp stands at a fixed place so that the leader can write it when the entry is
 * appended ({@link #patchTimestamp}); request k of a WRITE has base + k. Unknown types and newer
 * versions are refused with a clear error, never skipped.
 */
public final class LogEntry {
  /** An open set; numbers are final. */
  public enum Type {
    WRITE(1),
    ALTER_SCHEMA(2);

    private final int number;

    Type(int number) {
      this.number = number;
    }

    public int number() {
      return number;
    }
  }

  /** Encodes a WRITE with timestamp 0. */
  public static byte[] encodeWrite(List<WriteRequest> requests) {
    throw new UnsupportedOperationException("stub");
  }

  /**
   * Encodes a schema change with timestamp 0: the whole new schema with ids, its version, and the
   * table's name.
   */
  public static byte[] encodeAlterSchema(Schema schema, int schemaVersion, String tableName) {
    throw new UnsupportedOperationException("stub");
  }

  /** Writes the base timestamp into an encoded entry. */
  public static void patchTimestamp(byte[] entry, long timestamp) {
    throw new UnsupportedOperationException("stub");
  }

  /** How many timestamps the entry takes: its requests, or 1. */
  public static int timestampCount(byte[] entry) {
    throw new UnsupportedOperationException("stub");
  }

  /**
   * Decodes an entry; row bytes are used where they lie in the array.
   *
   * @throws dev.kudu4j.common.status.KuduException CORRUPTION, or NOT_SUPPORTED for a newer version
   *     or unknown type
   */
  public static LogEntry decode(byte[] entry, int offset, int length) {
    throw new UnsupportedOperationException("stub");
  }

  public Type type() {
    throw new UnsupportedOperationException("stub");
  }

  public long baseTimestamp() {
    throw new UnsupportedOperationException("stub");
  }

  /** Of a WRITE. */
  public List<WriteRequest> requests() {
    throw new UnsupportedOperationException("stub");
  }

  /** Of an ALTER_SCHEMA. */
  public Schema schema() {
    throw new UnsupportedOperationException("stub");
  }

  public int schemaVersion() {
    throw new UnsupportedOperationException("stub");
  }

  public String tableName() {
    throw new UnsupportedOperationException("stub");
  }
}
