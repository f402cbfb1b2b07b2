package dev.kudu4j.tserver.scan;

import com.google.protobuf.ByteString;
import dev.kudu4j.common.proto.tserver.ScanResponsePB;
import dev.kudu4j.tablet.batch.ColumnBatch;
import io.netty.buffer.ByteBuf;
import java.io.IOException;
import java.util.List;
import org.apache.arrow.memory.BufferAllocator;

/**
 * The next rows of a scan in their wire format. Its owner sends the sidecars or releases the batch.
 *
 * @param reply the response so far: the description of the rows, and the last key
 * @param more whether the scan may have more rows
 * @param nanos time that the server spent on the batch
 * @param bytesRead bytes of files that were read for it
 */
record ScanBatch(
    ScanResponsePB.Builder reply,
    List<ByteBuf> sidecars,
    int rows,
    boolean more,
    long nanos,
    long bytesRead) {

  /**
   * Reads the next batch of a scanner that no other thread uses.
   *
   * @param delay runs before the batch is read; injected by tests
   */
  static ScanBatch read(
      OpenScanner scanner, BufferAllocator allocator, long softLimit, Runnable delay)
      throws IOException {
    ScanResponsePB.Builder reply = ScanResponsePB.newBuilder();
    long start = System.nanoTime();
    delay.run();
    long bytesBefore = scanner.scanner().bytesRead();
    try (ColumnBatch batch = new ColumnBatch(allocator, scanner.projection())) {
      boolean more = scanner.scanner().next(batch, softLimit);
      byte[] lastKey = batch.rowCount() > 0 ? scanner.scanner().lastKey() : null;
      if (lastKey != null) {
        reply.setLastPrimaryKey(ByteString.copyFrom(lastKey));
      }
      // This is the last step, because a later failure would leak the sidecars.
      List<ByteBuf> sidecars = ReplyBlock.add(reply, batch, allocator, scanner.rowFormatFlags());
      return new ScanBatch(
          reply,
          sidecars,
          batch.rowCount(),
          more,
          System.nanoTime() - start,
          scanner.scanner().bytesRead() - bytesBefore);
    }
  }

  /** A batch without rows: the scan has not begun. */
  static ScanBatch empty(OpenScanner scanner, BufferAllocator allocator, boolean more) {
    ScanResponsePB.Builder reply = ScanResponsePB.newBuilder();
    try (ColumnBatch batch = new ColumnBatch(allocator, scanner.projection())) {
      List<ByteBuf> sidecars = ReplyBlock.add(reply, batch, allocator, scanner.rowFormatFlags());
      return new ScanBatch(reply, sidecars, 0, more, 0, 0);
    }
  }

  /** Size of the rows. */
  long bytes() {
    long bytes = 0;
    for (ByteBuf sidecar : sidecars) {
      bytes += sidecar.readableBytes();
    }
    return bytes;
  }

  void release() {
    sidecars.forEach(ByteBuf::release);
  }
}
