package dev.kudu4j.tablet.transaction;

import com.google.protobuf.InvalidProtocolBufferException;
import dev.kudu4j.common.proto.common.SchemaPB;
import dev.kudu4j.common.row.RowOperationsReader;
import dev.kudu4j.common.schema.Schema;
import dev.kudu4j.common.status.KuduException;
import dev.kudu4j.common.wire.SchemaWire;
import dev.kudu4j.tablet.env.TabletEnvironment;
import dev.kudu4j.tablet.file.BlockKind;
import dev.kudu4j.tablet.file.BlockLocation;
import dev.kudu4j.tablet.file.FileKind;
import dev.kudu4j.tablet.file.FooterReader;
import dev.kudu4j.tablet.file.FooterWriter;
import dev.kudu4j.tablet.file.SealedFileWriter;
import dev.kudu4j.tablet.file.StoredFile;
import dev.kudu4j.tablet.log.WriteRequest;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.List;
import java.util.Locale;
import org.apache.arrow.memory.BufferAllocator;

/**
 * Rows that open transactions had staged when a checkpoint began and that were in no file yet.
 *
 * <pre>
 *   block    the rows of one request: a WRITE entry with this request alone
 *   footer   schema count i32 | each: SchemaPB with ids, with its length i32
 *            | request count i32 | each: transaction i64 | offset i64 | bytes i32 | row count i32
 *            | schema by number i32 | effective rows, a bit each, the lowest first, with their
 *            length i32
 * </pre>
 */
public final class StagedFile extends StoredFile {
  private static final int MIN_REQUEST_BYTES = 8 + 8 + 4 + 4 + 4 + 4;

  /** Staged rows are written once and read once: little is worth compressing. */
  private static final int MIN_SAVING_PERCENT = 25;

  private final List<Request> requests = new ArrayList<>();

  /** One request in the file. */
  record Request(
      long transaction, BlockLocation location, int rowCount, Schema schema, BitSet effective) {}

  private StagedFile(Opened opened) {
    super(opened);
    FooterReader footer = opened.file().footer();
    List<Schema> schemas = readSchemas(footer);
    int count = footer.getCount(MIN_REQUEST_BYTES);
    for (int i = 0; i < count; i++) {
      long transaction = footer.getLong();
      BlockLocation location = new BlockLocation(footer.getLong(), footer.getInt());
      int rows = footer.getInt();
      int schema = footer.getInt();
      byte[] bits = footer.getBytes();
      if (rows < 0
          || bits == null
          || bits.length > (rows + 7) / 8
          || schema < 0
          || schema >= schemas.size()) {
        throw footer.broken("expected %d rows of transaction %d", rows, transaction);
      }
      requests.add(
          new Request(transaction, location, rows, schemas.get(schema), BitSet.valueOf(bits)));
    }
    footer.end();
  }

  private static List<Schema> readSchemas(FooterReader footer) {
    int count = footer.getCount(Integer.BYTES);
    List<Schema> schemas = new ArrayList<>();
    for (int i = 0; i < count; i++) {
      byte[] message = footer.getBytes();
      try {
        schemas.add(
            SchemaWire.fromWire(SchemaPB.parseFrom(message == null ? new byte[0] : message)));
      } catch (InvalidProtocolBufferException | KuduException e) {
        throw footer.broken("schema %d cannot be read: %s", i, String.valueOf(e.getMessage()));
      }
    }
    return schemas;
  }

  /**
   * Opens the file and validates header and footer. The caller holds the first reference.
   *
   * @throws dev.kudu4j.common.status.KuduException CORRUPTION for a damaged file, NOT_SUPPORTED for
   *     a different format version
   */
  public static StagedFile open(TabletEnvironment environment, Path file) throws IOException {
    return open(environment, file, FileKind.STAGED_ROWS, "staged rows", StagedFile::new);
  }

  /**
   * Writes a file; durable when this returns, but for its directory entry.
   *
   * @param beforeSync runs when all but the footer is written
   */
  public static void write(
      TabletEnvironment environment, Path path, List<FrozenRows> rows, Runnable beforeSync)
      throws IOException {
    List<Schema> schemas = rows.stream().map(each -> each.rows().schema()).distinct().toList();
    FooterWriter footer = new FooterWriter();
    footer.putInt(schemas.size());
    schemas.forEach(schema -> footer.putBytes(SchemaWire.toWire(schema, true).toByteArray()));
    footer.putInt(rows.size());
    try (SealedFileWriter out =
        new SealedFileWriter(environment, environment.allocator(), path, FileKind.STAGED_ROWS)) {
      for (FrozenRows each : rows) {
        BlockLocation at =
            out.append(
                BlockKind.STAGED_ROWS,
                each.content().memoryAddress(),
                (int) each.content().writerIndex(),
                MIN_SAVING_PERCENT);
        StagedRows staged = each.rows();
        footer.putLong(staged.transaction()).putLong(at.offset()).putInt(at.bytes());
        footer.putInt(staged.rowCount()).putInt(schemas.indexOf(staged.schema()));
        footer.putBytes(staged.effective().toByteArray());
      }
      beforeSync.run();
      out.finish(footer.toByteArray());
    }
  }

  /** The requests in the order in which they were staged. */
  List<Request> requests() {
    return List.copyOf(requests);
  }

  /** The number of rows of all requests. */
  public long rowCount() {
    return requests.stream().mapToLong(Request::rowCount).sum();
  }

  /**
   * Reads all rows.
   *
   * @throws dev.kudu4j.common.status.KuduException CORRUPTION if a block is damaged, or has other
   *     rows than the footer says
   */
  public void readAll(BufferAllocator allocator) throws IOException {
    for (Request request : requests) {
      StagedRows rows =
          StagedRows.inFile(
              request.transaction,
              request.rowCount,
              request.effective,
              request.schema,
              this,
              request.location);
      WriteRequest read = rows.read(allocator);
      RowOperationsReader reader = read.rows().reader();
      int count = 0;
      while (reader.next()) {
        count++;
      }
      if (count != request.rowCount || read.transaction() != request.transaction) {
        throw sealedFile()
            .broken(
                request.location.offset(),
                "expected %d rows of transaction %d, found %d of %d",
                request.rowCount,
                request.transaction,
                count,
                read.transaction());
      }
    }
  }

  /** Prints one line for each request. */
  public void print(Appendable out) throws IOException {
    for (Request request : requests) {
      out.append(
          String.format(
              Locale.ROOT,
              "transaction %d: rows %d, staged %d, bytes %d%n",
              request.transaction,
              request.rowCount,
              request.effective.cardinality(),
              request.location.bytes()));
    }
  }

  /** The locations of the blocks, for checks. */
  public List<BlockLocation> blocks() {
    return requests.stream().map(Request::location).toList();
  }
}
