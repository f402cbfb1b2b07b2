package dev.kudu4j.tablet.transaction;

import dev.kudu4j.common.memory.Memory;
import dev.kudu4j.common.schema.Schema;
import dev.kudu4j.tablet.file.BlockBuffer;
import dev.kudu4j.tablet.file.BlockKind;
import dev.kudu4j.tablet.file.BlockLocation;
import dev.kudu4j.tablet.log.LogEntry;
import dev.kudu4j.tablet.log.WriteRequest;
import java.io.IOException;
import java.util.BitSet;
import java.util.List;
import org.apache.arrow.memory.ArrowBuf;
import org.apache.arrow.memory.BufferAllocator;
import org.jspecify.annotations.Nullable;

/**
 * The rows of one request of a transaction, as they came. They are in memory until a checkpoint has
 * written them to a file. Writer only, but the content never changes.
 */
public final class StagedRows {
  private final long transaction;
  private final int rowCount;
  private final BitSet effective;
  private final Schema schema;
  private @Nullable ArrowBuf content; // null once the rows are in a file
  private @Nullable StagedFile file;
  private @Nullable BlockLocation location;

  private StagedRows(long transaction, int rowCount, BitSet effective, Schema schema) {
    this.transaction = transaction;
    this.rowCount = rowCount;
    this.effective = effective;
    this.schema = schema;
  }

  /**
   * Rows in memory, which the caller releases.
   *
   * @param effective the rows that have succeeded and change something
   * @param schema of the tablet now
   */
  static StagedRows copyOf(
      WriteRequest request,
      int rowCount,
      BitSet effective,
      Schema schema,
      BufferAllocator allocator) {
    StagedRows rows = new StagedRows(request.transaction(), rowCount, effective, schema);
    byte[] entry = LogEntry.encodeWrite(List.of(request));
    ArrowBuf buffer = allocator.buffer(entry.length);
    Memory.copy(entry, 0, buffer.memoryAddress(), entry.length);
    buffer.writerIndex(entry.length);
    rows.content = buffer;
    return rows;
  }

  /** Rows in a file, which is open as long as its rows are used. */
  static StagedRows inFile(
      long transaction,
      int rowCount,
      BitSet effective,
      Schema schema,
      StagedFile file,
      BlockLocation location) {
    StagedRows rows = new StagedRows(transaction, rowCount, effective, schema);
    rows.file = file;
    rows.location = location;
    return rows;
  }

  public long transaction() {
    return transaction;
  }

  /** The number of rows of the request. */
  public int rowCount() {
    return rowCount;
  }

  /** The rows that have succeeded and change something, by number in the request. */
  public BitSet effective() {
    return effective;
  }

  /** The tablet's schema when the rows were staged, whose defaults they have. */
  public Schema schema() {
    return schema;
  }

  /** Bytes of the request, in memory or not. */
  long contentBytes() {
    if (content != null) {
      return content.writerIndex();
    }
    return location == null ? 0 : location.bytes();
  }

  /** The file that has the rows; null if they are in memory. */
  @Nullable StagedFile file() {
    return file;
  }

  /** Bytes in memory. */
  long memoryBytes() {
    return content == null ? 0 : content.capacity();
  }

  /** Bytes in a file. */
  long fileBytes() {
    return content == null && location != null ? location.bytes() : 0;
  }

  /** The buffer of rows in memory, with a reference that the caller releases; else null. */
  @Nullable ArrowBuf retainContent() {
    if (content != null) {
      content.getReferenceManager().retain();
    }
    return content;
  }

  /** From now on the rows are read from the file. */
  void moveTo(StagedFile written, BlockLocation at) {
    release();
    file = written;
    location = at;
  }

  /** The request. */
  public WriteRequest read(BufferAllocator allocator) throws IOException {
    byte[] entry = content == null ? readFile(allocator) : copy(content);
    return LogEntry.decode(entry, 0, entry.length).requests().get(0);
  }

  private static byte[] copy(ArrowBuf content) {
    byte[] entry = new byte[(int) content.writerIndex()];
    Memory.copy(content.memoryAddress(), entry, 0, entry.length);
    return entry;
  }

  private byte[] readFile(BufferAllocator allocator) throws IOException {
    assert file != null && location != null : "the rows were released";
    try (BlockBuffer block = new BlockBuffer(allocator)) {
      file.sealedFile().read(BlockKind.STAGED_ROWS, location.offset(), location.bytes(), block);
      byte[] entry = new byte[block.bytes()];
      Memory.copy(block.address(), entry, 0, entry.length);
      return entry;
    }
  }

  /** Releases the memory. */
  void release() {
    if (content != null) {
      content.close();
      content = null;
    }
  }
}
