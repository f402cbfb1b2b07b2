package dev.kudu4j.tablet.log;

import dev.kudu4j.common.schema.Schema;
import dev.kudu4j.common.status.KuduException;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * One encoded entry of a tablet's log: version, type, base timestamp, then the content of the type.
 *
 * <pre>
 *   version u8 | type u8 | flags u16 | timestamps u32 | base timestamp i64 | content
 * </pre>
 *
 * <p>Little-endian. The base timestamp has a fixed offset, so the leader can set it when it appends
 * the entry ({@link #patchTimestamp}). Request k of a WRITE has timestamp base + k. Unknown types,
 * flags and newer versions are rejected with a clear error, never skipped.
 */
public final class LogEntry {
  /** The type of an entry. New types may be added; the number of a type never changes. */
  public enum Type {
    WRITE(1),
    ALTER_SCHEMA(2),
    ATTRIBUTES(3),
    PREPARE(4),
    COMMIT(5),
    ABORT(6),

    /** Any other entry that was not valid any more when it was appended; its content is ignored. */
    NOTHING(7),

    /** Rows of a derived tablet, with timestamps of their own. */
    FEED(8);

    private final int number;

    Type(int number) {
      this.number = number;
    }

    public int number() {
      return number;
    }

    /** The type with the number; null if it is unknown. */
    static @Nullable Type ofNumber(int number) {
      return switch (number) {
        case 1 -> WRITE;
        case 2 -> ALTER_SCHEMA;
        case 3 -> ATTRIBUTES;
        case 4 -> PREPARE;
        case 5 -> COMMIT;
        case 6 -> ABORT;
        case 7 -> NOTHING;
        case 8 -> FEED;
        default -> null;
      };
    }
  }

  private final Type type;
  private final long baseTimestamp;
  private final List<WriteRequest> requests;
  private final @Nullable SchemaChange change; // null unless the type is ALTER_SCHEMA
  private final Map<String, byte[]> attributes;
  private final @Nullable TransactionStep step; // null unless the type is one of its steps
  private final @Nullable FedRows fed; // null unless the type is FEED

  private LogEntry(
      Type type,
      long baseTimestamp,
      List<WriteRequest> requests,
      @Nullable SchemaChange change,
      Map<String, byte[]> attributes,
      @Nullable TransactionStep step,
      @Nullable FedRows fed) {
    this.type = type;
    this.baseTimestamp = baseTimestamp;
    this.requests = requests;
    this.change = change;
    this.attributes = attributes;
    this.step = step;
    this.fed = fed;
  }

  private static LogEntry write(long timestamp, List<WriteRequest> requests) {
    return new LogEntry(Type.WRITE, timestamp, requests, null, Map.of(), null, null);
  }

  private static LogEntry alterSchema(long timestamp, SchemaChange change) {
    return new LogEntry(
        Type.ALTER_SCHEMA, timestamp, List.of(), change, change.attributes(), null, null);
  }

  private static LogEntry attributes(long timestamp, Map<String, byte[]> attributes) {
    return new LogEntry(Type.ATTRIBUTES, timestamp, List.of(), null, attributes, null, null);
  }

  private static LogEntry ofStep(Type type, long timestamp, TransactionStep step) {
    return new LogEntry(type, timestamp, List.of(), null, Map.of(), step, null);
  }

  private static LogEntry feed(long timestamp, FedRows rows) {
    return new LogEntry(Type.FEED, timestamp, List.of(), null, Map.of(), null, rows);
  }

  /** Encodes a WRITE. Its base timestamp is 0 until {@link #patchTimestamp} sets it. */
  public static byte[] encodeWrite(List<WriteRequest> requests) {
    if (requests.isEmpty()) {
      throw KuduException.invalidArgument("A WRITE entry must contain at least one request");
    }
    long bytes = EntryFormat.HEADER_BYTES;
    for (WriteRequest request : requests) {
      bytes += WriteRequestCodec.encodedBytes(request);
    }
    EntryWriter out = EntryWriter.begin(Type.WRITE, requests.size(), bytes);
    for (WriteRequest request : requests) {
      WriteRequestCodec.encode(request, out);
    }
    return out.finish();
  }

  /**
   * Encodes a schema change with timestamp 0: the complete new schema with ids, its version, and
   * the table's name.
   */
  public static byte[] encodeAlterSchema(Schema schema, int schemaVersion, String tableName) {
    return encodeAlterSchema(schema, schemaVersion, tableName, Map.of());
  }

  /**
   * Encodes a schema change that also changes attributes of the tablet's descriptor.
   *
   * @param attributes the new values; they replace attributes with the same names
   */
  public static byte[] encodeAlterSchema(
      Schema schema, int schemaVersion, String tableName, Map<String, byte[]> attributes) {
    return new SchemaChange(schema, schemaVersion, tableName, attributes).encode();
  }

  /**
   * Encodes a change of attributes of the tablet's descriptor with timestamp 0; nothing else
   * changes.
   *
   * @param attributes the new values; they replace attributes with the same names
   */
  public static byte[] encodeAttributes(Map<String, byte[]> attributes) {
    EntryWriter out =
        EntryWriter.begin(
            Type.ATTRIBUTES, 1, EntryFormat.HEADER_BYTES + Attributes.bytes(attributes));
    Attributes.write(attributes, out);
    return out.finish();
  }

  /**
   * Encodes the PREPARE of a transaction with timestamp 0.
   *
   * @param commitTimestamp the timestamp of the rows if the transaction commits
   */
  public static byte[] encodePrepare(long transaction, long commitTimestamp, long term) {
    return new TransactionStep(transaction, commitTimestamp, term).encode(Type.PREPARE);
  }

  /** Encodes the COMMIT of a prepared transaction; its timestamp is that of the rows. */
  public static byte[] encodeCommit(long transaction, long commitTimestamp) {
    byte[] entry = new TransactionStep(transaction, commitTimestamp).encode(Type.COMMIT);
    EntryFormat.putTimestamp(entry, commitTimestamp);
    return entry;
  }

  /** Encodes the ABORT of a transaction that is not prepared, with timestamp 0. */
  public static byte[] encodeAbort(long transaction) {
    return new TransactionStep(transaction, 0).encode(Type.ABORT);
  }

  /**
   * Encodes the ABORT of a prepared transaction. Its timestamp is the one that the transaction has
   * reserved: nobody else may get a later one before.
   */
  public static byte[] encodeAbort(long transaction, long commitTimestamp) {
    byte[] entry = new TransactionStep(transaction, commitTimestamp).encode(Type.ABORT);
    EntryFormat.putTimestamp(entry, commitTimestamp);
    return entry;
  }

  /** Encodes rows of a derived tablet, with the highest timestamp of which it has rows, or all. */
  public static byte[] encodeFeed(FedRows rows) {
    return rows.encode();
  }

  /** Writes the base timestamp into an encoded entry. */
  public static void patchTimestamp(byte[] entry, long timestamp) {
    EntryFormat.checkHeader(entry, 0, entry.length);
    EntryFormat.putTimestamp(entry, timestamp);
  }

  /** Turns an encoded entry into one without an effect. */
  public static void makeNothing(byte[] entry) {
    entry[EntryFormat.TYPE_OFFSET] = (byte) Type.NOTHING.number();
  }

  /** Whether an encoded entry has its timestamp, as a FEED and the end of a transaction have. */
  public static boolean hasTimestamp(byte[] entry) {
    return EntryFormat.timestamp(entry, 0) != 0;
  }

  /** The type of an encoded entry. */
  public static Type typeOf(byte[] entry) {
    return EntryFormat.checkHeader(entry, 0, entry.length);
  }

  /**
   * The number of timestamps that the entry uses: the request count of a WRITE, 1 for other types.
   */
  public static int timestampCount(byte[] entry) {
    EntryFormat.checkHeader(entry, 0, entry.length);
    return EntryFormat.timestampCount(entry, 0);
  }

  /**
   * Decodes an entry. The decoded requests refer to the rows in the array and do not copy them.
   *
   * @throws KuduException CORRUPTION, or NOT_SUPPORTED for a newer version or an unknown type
   */
  public static LogEntry decode(byte[] entry, int offset, int length) {
    Type type = EntryFormat.checkHeader(entry, offset, length);
    long timestamp = EntryFormat.timestamp(entry, offset);
    if (type == Type.NOTHING) {
      return new LogEntry(type, timestamp, List.of(), null, Map.of(), null, null);
    }
    int timestamps = EntryFormat.timestampCount(entry, offset);
    EntryReader in =
        new EntryReader(entry, offset, EntryFormat.HEADER_BYTES, length - EntryFormat.HEADER_BYTES);
    LogEntry decoded =
        switch (type) {
          case WRITE -> write(timestamp, WriteRequestCodec.decodeAll(timestamps, in));
          case ALTER_SCHEMA -> alterSchema(timestamp, SchemaChange.decode(in));
          case ATTRIBUTES -> attributes(timestamp, Attributes.read(in));
          case PREPARE, COMMIT, ABORT -> ofStep(type, timestamp, TransactionStep.decode(type, in));
          case FEED -> feed(timestamp, FedRows.decode(in));
          case NOTHING -> throw new IllegalStateException("It has no content to decode");
        };
    in.expectEnd();
    return decoded;
  }

  public Type type() {
    return type;
  }

  public long baseTimestamp() {
    return baseTimestamp;
  }

  /** The requests of a WRITE; empty for other types. */
  public List<WriteRequest> requests() {
    return requests;
  }

  /** Whether the entry is a PREPARE, COMMIT or ABORT. */
  public boolean isStepOfTransaction() {
    return step != null;
  }

  /** Whether the entry is a COMMIT or ABORT. */
  public boolean endsTransaction() {
    return type == Type.COMMIT || type == Type.ABORT;
  }

  /** The coordinator's term of a PREPARE; defined for PREPARE only. */
  public long coordinatorTerm() {
    assert step != null : "the entry is a step of a transaction";
    return step.term();
  }

  /** The transaction of a PREPARE, COMMIT or ABORT; defined for these only. */
  public long transaction() {
    assert step != null : "the entry is a step of a transaction";
    return step.transaction();
  }

  /**
   * The timestamp that the transaction of a PREPARE, COMMIT or ABORT has reserved; 0 for an ABORT
   * of one that is not prepared; undefined for other types.
   */
  public long commitTimestamp() {
    assert step != null : "the entry is a step of a transaction";
    return step.commitTimestamp();
  }

  /** Defined for a FEED only. */
  public FedRows fedRows() {
    assert fed != null : "a FEED has rows";
    return fed;
  }

  /** Defined for an ALTER_SCHEMA only. */
  public Schema schema() {
    assert change != null : "an ALTER_SCHEMA has a change";
    return change.schema();
  }

  /** Defined for an ALTER_SCHEMA only. */
  public int schemaVersion() {
    assert change != null : "an ALTER_SCHEMA has a change";
    return change.schemaVersion();
  }

  /** Defined for an ALTER_SCHEMA only. */
  public String tableName() {
    assert change != null : "an ALTER_SCHEMA has a change";
    return change.tableName();
  }

  /** The attributes that an ALTER_SCHEMA or ATTRIBUTES entry changes; empty for other types. */
  public Map<String, byte[]> attributes() {
    return attributes;
  }
}
