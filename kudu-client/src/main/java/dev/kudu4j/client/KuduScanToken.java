package dev.kudu4j.client;

import com.google.protobuf.InvalidProtocolBufferException;
import dev.kudu4j.client.cluster.Deadline;
import dev.kudu4j.client.parallel.PieceSize;
import dev.kudu4j.client.scan.KeyInterval;
import dev.kudu4j.client.scan.ScanSplitter;
import dev.kudu4j.client.stream.PreparedScan;
import dev.kudu4j.client.token.ScanTokenWriter;
import dev.kudu4j.common.proto.client.ScanTokenPB;
import java.io.IOException;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import org.apache.arrow.memory.BufferAllocator;
import org.apache.arrow.vector.VectorSchemaRoot;

/**
 * One piece of a scan: a tablet or a part of one. It can be read in another thread, process or
 * machine.
 *
 * <p>Every Kudu client can read the serialized form, whatever its language, unless the token has
 * something that Apache Kudu does not have: a condition, an aggregation, an order, or a {@linkplain
 * #getIndex global index} that is read instead of the table. Use a token soon: it describes the
 * table and the tablet's locations as of its creation. If the index cannot be read any more, or
 * does not get the snapshot in time, the reader fails: other tokens are needed then.
 */
public class KuduScanToken implements Comparable<KuduScanToken> {
  private final LocatedTablet tablet;
  private final ScanTokenPB message;
  private final long dataSizeBytes;

  KuduScanToken(LocatedTablet tablet, ScanTokenPB message, long dataSizeBytes) {
    this.tablet = tablet;
    this.message = message;
    this.dataSizeBytes = dataSizeBytes;
  }

  /**
   * The tablet with the locations of its replicas, so that the caller can read the tablet near one
   * of its replicas.
   */
  public LocatedTablet getTablet() {
    return tablet;
  }

  /**
   * The approximate size of the projected columns in the piece; 0 if unknown. It is known only if
   * {@link KuduScanTokenBuilder#setSplitSizeBytes} was called. Not part of the serialized token.
   */
  public long getDataSizeBytes() {
    return dataSizeBytes;
  }

  /**
   * The {@linkplain KuduIndex#isGlobal global} index that is read instead of the table; empty if
   * the table is read. The tablet is then one of the index.
   */
  public Optional<String> getIndex() {
    return message.hasIndex() ? Optional.of(message.getIndex().getName()) : Optional.empty();
  }

  public KuduScanner intoScanner(KuduClient client) throws IOException {
    return TokenScans.builder(message, client.asyncClient()).build();
  }

  /**
   * Reads the piece as Arrow batches.
   *
   * @param allocator borrowed; close it after the scanner and all batches
   */
  public ArrowScanner intoArrowScanner(KuduClient client, BufferAllocator allocator)
      throws IOException {
    return TokenScans.builder(message, client.asyncClient()).arrow(allocator);
  }

  /** A scanner that only chooses how to read the piece, and so the snapshot. */
  AsyncKuduScanner plan(AsyncKuduClient client) throws KuduException {
    try {
      return new AsyncKuduScanner(TokenScans.builder(message, client).planOnly(true));
    } catch (IOException e) {
      throw KuduException.of(e);
    }
  }

  public byte[] serialize() throws IOException {
    return message.toByteArray();
  }

  /** Returns a scanner for a serialized token. */
  public static KuduScanner deserializeIntoScanner(byte[] buf, KuduClient client)
      throws IOException {
    return deserializeIntoScannerBuilder(buf, client).build();
  }

  /**
   * Like {@link #deserializeIntoScanner}, but returns the builder, whose options can be changed.
   */
  public static KuduScanner.KuduScannerBuilder deserializeIntoScannerBuilder(
      byte[] buf, KuduClient client) throws IOException {
    return TokenScans.builder(parse(buf), client.asyncClient());
  }

  /**
   * Returns the aggregation over the tablet of a serialized token that {@link
   * KuduAggregateBuilder#buildTokens} built.
   */
  public static KuduAggregate deserializeIntoAggregate(byte[] buf, KuduClient client)
      throws IOException {
    return TokenScans.aggregate(parse(buf), client.asyncClient());
  }

  private static ScanTokenPB parse(byte[] bytes) throws IOException {
    try {
      return ScanTokenPB.parseFrom(bytes);
    } catch (InvalidProtocolBufferException e) {
      throw new IOException("The bytes are not a scan token: " + e.getMessage(), e);
    }
  }

  /** Describes a serialized token in readable text. */
  public static String stringifySerializedToken(byte[] buf, KuduClient client) throws IOException {
    ScanTokenPB token = parse(buf);
    KuduTable table = TokenScans.table(token, client.asyncClient());
    StringBuilder text = new StringBuilder("ScanToken{table-name=").append(table.getName());
    text.append(", table-id=").append(table.getTableId());
    appendKey("lower-bound-primary-key", token.getLowerBoundPrimaryKey().toByteArray(), text);
    appendKey("upper-bound-primary-key", token.getUpperBoundPrimaryKey().toByteArray(), text);
    KeyInterval partitions =
        new KeyInterval(
            token.getLowerBoundPartitionKey().toByteArray(),
            token.getUpperBoundPartitionKey().toByteArray());
    text.append(", partition-keys=").append(partitions);
    if (token.hasIndex()) {
      text.append(", index=").append(token.getIndex().getName());
    }
    return text.append('}').toString();
  }

  private static void appendKey(String name, byte[] key, StringBuilder text) {
    if (key.length > 0) {
      text.append(", ").append(name).append('=').append(PrintableBytes.of(key));
    }
  }

  /**
   * Orders tokens of one table by partition key, then by primary key.
   *
   * @throws IllegalArgumentException for tokens of different tables
   */
  @Override
  public int compareTo(KuduScanToken other) {
    if (!TokenScans.tableId(message).equals(TokenScans.tableId(other.message))) {
      throw new IllegalArgumentException("Scan tokens from different tables may not be compared");
    }
    int order =
        Arrays.compareUnsigned(
            message.getLowerBoundPartitionKey().toByteArray(),
            other.message.getLowerBoundPartitionKey().toByteArray());
    return order != 0
        ? order
        : Arrays.compareUnsigned(
            message.getLowerBoundPrimaryKey().toByteArray(),
            other.message.getLowerBoundPrimaryKey().toByteArray());
  }

  @Override
  public boolean equals(Object other) {
    return other instanceof KuduScanToken that && message.equals(that.message);
  }

  @Override
  public int hashCode() {
    return message.hashCode();
  }

  /** Builds the tokens of a scan. */
  public static class KuduScanTokenBuilder
      extends AbstractKuduScannerBuilder<KuduScanTokenBuilder, List<KuduScanToken>> {
    private long timeoutMillis;
    private long splitSizeBytes = -1;
    private boolean includeTableMetadata = true;
    private boolean includeTabletMetadata = true;

    KuduScanTokenBuilder(AsyncKuduClient client, KuduTable table) {
      super(client, table);
      this.timeoutMillis = client.getDefaultOperationTimeoutMs();
    }

    /** Sets the timeout for finding and splitting all tablets. */
    public KuduScanTokenBuilder setTimeout(long timeoutMs) {
      this.timeoutMillis = timeoutMs;
      return this;
    }

    /**
     * Returns the first rows in the order of a column, after the columns that were added before, of
     * each token. Needs a {@link #limit}. The reader merges the rows of all tokens.
     *
     * @param nullsFirst whether NULL comes before all values
     */
    public KuduScanTokenBuilder orderBy(String column, boolean ascending, boolean nullsFirst) {
      orderRows(column, ascending, nullsFirst);
      return this;
    }

    /**
     * Splits tablets into pieces of about this many bytes of the projected columns. By default each
     * tablet is one piece.
     */
    public KuduScanTokenBuilder setSplitSizeBytes(long bytes) {
      if (bytes <= 0) {
        throw new IllegalArgumentException("splitSizeBytes must be greater than 0, got " + bytes);
      }
      this.splitSizeBytes = bytes;
      return this;
    }

    /**
     * Whether tokens contain the table's metadata, so that their reader need not open the table.
     * Default true.
     */
    public KuduScanTokenBuilder includeTableMetadata(boolean include) {
      this.includeTableMetadata = include;
      return this;
    }

    /**
     * Whether tokens contain the tablet's locations, so that their reader need not ask the master.
     * Default true.
     */
    public KuduScanTokenBuilder includeTabletMetadata(boolean include) {
      this.includeTabletMetadata = include;
      return this;
    }

    /**
     * Reads all pieces in parallel in this process. A piece is a tablet, or a part of one if a
     * {@linkplain #setSplitSizeBytes split size} is set.
     */
    public ParallelScan<RowResultIterator> parallel() {
      checkUnbounded();
      checkUnordered();
      return ParallelScan.ofRows(describe(), pieceSize());
    }

    /**
     * Like {@link #parallel}, with Arrow batches. The consumer closes each batch.
     *
     * @param allocator borrowed; close it after all batches
     */
    public ParallelScan<VectorSchemaRoot> parallelArrow(BufferAllocator allocator) {
      checkUnbounded();
      checkUnordered();
      return ArrowScanner.parallel(describe().scan(), pieceSize(), allocator);
    }

    private PieceSize pieceSize() {
      return new PieceSize(splitSizeBytes, timeoutMillis);
    }

    private void checkUnordered() {
      if (!rowOrder.isEmpty()) {
        throw new IllegalArgumentException(
            "A parallel scan has no order; use KuduScannerBuilder.orderBy()");
      }
    }

    private void checkUnbounded() {
      if (lowerPartitionKey.length != 0 || upperPartitionKey.length != 0) {
        throw new IllegalArgumentException(
            "Partition key bounds may not be set on KuduScanTokenBuilder");
      }
    }

    /**
     * Builds the tokens, in tablet order. The list is empty if no row can match. A snapshot for a
     * {@link #freshness} is chosen now, for all tokens.
     *
     * <p>If a global index is better, the tokens read its tablets instead of those of the table;
     * see {@link #globalIndexes}. They read a snapshot then, which is chosen now.
     */
    @Override
    public List<KuduScanToken> build() {
      try {
        fixSnapshot();
        PreparedScan scan = described();
        return scan.query().matchesNothing() ? List.of() : pieces(forPieces(scan));
      } catch (KuduException e) {
        throw new RuntimeException(e);
      }
    }

    private PreparedScan described() {
      checkUnbounded();
      return describe().scan();
    }

    /** The tokens of scans of the table, each of which may choose a snapshot. */
    List<KuduScanToken> pieces() throws KuduException {
      PreparedScan scan = described();
      return scan.query().matchesNothing() ? List.of() : pieces(scan);
    }

    private List<KuduScanToken> pieces(PreparedScan scan) throws KuduException {
      ScanTokenWriter writer =
          new ScanTokenWriter(
              table.description(), scan, null, includeTableMetadata, includeTabletMetadata);
      ScanSplitter splitter = scan.splitter(Deadline.after(timeoutMillis));
      return KuduClient.join(splitter.pieces(splitSizeBytes)).stream()
          .map(
              piece ->
                  new KuduScanToken(
                      new LocatedTablet(piece.tablet()), writer.message(piece), piece.bytes()))
          .toList();
    }
  }
}
