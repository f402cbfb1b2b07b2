package dev.kudu4j.client;

import com.google.protobuf.InvalidProtocolBufferException;
import dev.kudu4j.client.cluster.Deadline;
import dev.kudu4j.client.parallel.PieceSize;
import dev.kudu4j.client.scan.KeyInterval;
import dev.kudu4j.client.scan.ScanQuery;
import dev.kudu4j.client.scan.ScanSplitter;
import dev.kudu4j.client.stream.PreparedScan;
import dev.kudu4j.client.token.ScanTokenWriter;
import dev.kudu4j.common.proto.client.ScanTokenPB;
import java.io.IOException;
import java.util.Arrays;
import java.util.List;
import org.apache.arrow.memory.BufferAllocator;
import org.apache.arrow.vector.VectorSchemaRoot;

/**
 * A piece of a scan, one tablet or a part of one, to be read by whoever has it: in another thread,
 * process or machine.
 *
 * <p>Its bytes are understood by every client of the cluster, of whatever make. A token is best
 * used soon: it says where the tablet is and how the table looks at the time.
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

  /** The tablet and where its replicas are, best to read it near one of them. */
  public LocatedTablet getTablet() {
    return tablet;
  }

  /**
   * About how many bytes the columns read have in the piece; 0 when that is not known, as without
   * {@link KuduScanTokenBuilder#setSplitSizeBytes}. It is not part of the serialized token.
   */
  public long getDataSizeBytes() {
    return dataSizeBytes;
  }

  public KuduScanner intoScanner(KuduClient client) throws IOException {
    return TokenScans.builder(message, client.asyncClient()).build();
  }

  /**
   * Reads the piece as Arrow batches.
   *
   * @param allocator borrowed: to be closed after the scanner and all batches
   */
  public ArrowScanner intoArrowScanner(KuduClient client, BufferAllocator allocator)
      throws IOException {
    return TokenScans.builder(message, client.asyncClient()).arrow(allocator);
  }

  public byte[] serialize() throws IOException {
    return message.toByteArray();
  }

  /** A scanner of the piece that the bytes describe. */
  public static KuduScanner deserializeIntoScanner(byte[] buf, KuduClient client)
      throws IOException {
    return deserializeIntoScannerBuilder(buf, client).build();
  }

  /** As {@link #deserializeIntoScanner}, to be changed before it is built. */
  public static KuduScanner.KuduScannerBuilder deserializeIntoScannerBuilder(
      byte[] buf, KuduClient client) throws IOException {
    return TokenScans.builder(parse(buf), client.asyncClient());
  }

  private static ScanTokenPB parse(byte[] bytes) throws IOException {
    try {
      return ScanTokenPB.parseFrom(bytes);
    } catch (InvalidProtocolBufferException e) {
      throw new IOException("These bytes are no scan token: " + e.getMessage(), e);
    }
  }

  /** What a token describes, for people. */
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
    return text.append(", partition-keys=").append(partitions).append('}').toString();
  }

  private static void appendKey(String name, byte[] key, StringBuilder text) {
    if (key.length > 0) {
      text.append(", ").append(name).append('=').append(PrintableBytes.of(key));
    }
  }

  /**
   * Orders tokens of one table as their rows lie: by tablet, then by primary key.
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

  /** Makes the tokens of a scan. */
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

    /** Time for finding and splitting all tablets. */
    public KuduScanTokenBuilder setTimeout(long timeoutMs) {
      this.timeoutMillis = timeoutMs;
      return this;
    }

    /**
     * Cuts tablets into several pieces of about that many bytes of the columns read; one piece a
     * tablet if not said.
     */
    public KuduScanTokenBuilder setSplitSizeBytes(long bytes) {
      if (bytes <= 0) {
        throw new IllegalArgumentException("splitSizeBytes must be greater than 0, got " + bytes);
      }
      this.splitSizeBytes = bytes;
      return this;
    }

    /**
     * Whether tokens describe the table, which spares their reader to open it. True if not said.
     */
    public KuduScanTokenBuilder includeTableMetadata(boolean include) {
      this.includeTableMetadata = include;
      return this;
    }

    /** Whether tokens tell where the tablet is, which spares their reader to ask. */
    public KuduScanTokenBuilder includeTabletMetadata(boolean include) {
      this.includeTabletMetadata = include;
      return this;
    }

    /**
     * Reads all pieces in this process, side by side. Pieces are tablets, or parts of tablets of
     * {@linkplain #setSplitSizeBytes some size}.
     */
    public ParallelScan<RowResultIterator> parallel() {
      checkUnbounded();
      return ParallelScan.ofRows(describe(), pieceSize());
    }

    /**
     * As {@link #parallel}, for Arrow batches. Each is the consumer's to close.
     *
     * @param allocator borrowed: to be closed after all batches
     */
    public ParallelScan<VectorSchemaRoot> parallelArrow(BufferAllocator allocator) {
      checkUnbounded();
      return ArrowScanner.parallel(describe().scan(), pieceSize(), allocator);
    }

    private PieceSize pieceSize() {
      return new PieceSize(splitSizeBytes, timeoutMillis);
    }

    private void checkUnbounded() {
      if (lowerPartitionKey.length != 0 || upperPartitionKey.length != 0) {
        throw new IllegalArgumentException(
            "Partition key bounds may not be set on KuduScanTokenBuilder");
      }
    }

    /** The tokens, in the order of the tablets; none when no row can match. */
    @Override
    public List<KuduScanToken> build() {
      checkUnbounded();
      PreparedScan scan = describe().scan();
      ScanQuery query = scan.query();
      if (query.matchesNothing()) {
        return List.of();
      }
      ScanTokenWriter writer =
          new ScanTokenWriter(
              table.description(), scan, includeTableMetadata, includeTabletMetadata);
      ScanSplitter splitter = scan.splitter(Deadline.after(timeoutMillis));
      try {
        return KuduClient.join(splitter.pieces(splitSizeBytes)).stream()
            .map(
                piece ->
                    new KuduScanToken(
                        new LocatedTablet(piece.tablet()), writer.message(piece), piece.bytes()))
            .toList();
      } catch (KuduException e) {
        throw new RuntimeException(e);
      }
    }
  }
}
