package dev.kudu4j.tserver.copy;

import com.google.protobuf.ByteString;
import com.google.protobuf.UnsafeByteOperations;
import dev.kudu4j.common.memory.Memory;
import dev.kudu4j.common.proto.copy.CopiedFilePB;
import dev.kudu4j.common.proto.copy.DataChunkPB;
import dev.kudu4j.common.status.KuduException;
import dev.kudu4j.server.raft.LogAnchor;
import dev.kudu4j.tablet.checkpoint.PinnedCheckpoint;
import dev.kudu4j.tablet.env.FileStore;
import dev.kudu4j.tablet.env.ReadableFile;
import dev.kudu4j.tablet.file.StoredFile;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicLong;
import java.util.zip.CRC32C;
import org.apache.arrow.memory.ArrowBuf;
import org.apache.arrow.memory.BufferAllocator;

/**
 * A pinned checkpoint of a tablet that another server copies. While the session exists, no file of
 * the checkpoint is removed, and the log above it is retained. Thread-safe.
 */
final class SourceSession implements AutoCloseable {
  private final String id;
  private final String tabletId;
  private final String requestorUuid;
  private final PinnedCheckpoint checkpoint;
  private final LogAnchor log;
  private final long startedNanos;
  private volatile long lastUsedNanos;
  private final AtomicLong sentBytes = new AtomicLong();

  /**
   * @param checkpoint the pinned checkpoint. The session takes ownership of it and of the log
   *     anchor, and releases both when it ends
   */
  SourceSession(
      String id,
      String tabletId,
      String requestorUuid,
      PinnedCheckpoint checkpoint,
      LogAnchor log,
      long nowNanos) {
    this.id = id;
    this.tabletId = tabletId;
    this.requestorUuid = requestorUuid;
    this.checkpoint = checkpoint;
    this.log = log;
    this.startedNanos = nowNanos;
    this.lastUsedNanos = nowNanos;
  }

  String id() {
    return id;
  }

  String tabletId() {
    return tabletId;
  }

  /** The server that copies. */
  String requestorUuid() {
    return requestorUuid;
  }

  PinnedCheckpoint checkpoint() {
    return checkpoint;
  }

  long startedNanos() {
    return startedNanos;
  }

  long lastUsedNanos() {
    return lastUsedNanos;
  }

  void touch(long nowNanos) {
    lastUsedNanos = nowNanos;
  }

  long sentBytes() {
    return sentBytes.get();
  }

  long totalBytes() {
    return checkpoint.files().values().stream().mapToLong(StoredFile::fileBytes).sum();
  }

  /** The files to fetch. */
  List<CopiedFilePB> files() {
    List<CopiedFilePB> files = new ArrayList<>();
    checkpoint
        .files()
        .forEach(
            (name, file) ->
                files.add(
                    CopiedFilePB.newBuilder().setName(name).setBytes(file.fileBytes()).build()));
    return files;
  }

  /**
   * The number of bytes that a request for a part of a file returns.
   *
   * @throws KuduException INVALID_ARGUMENT for an unknown file or a part outside it
   */
  int lengthAt(String name, long offset, long max) {
    long total = checkpoint.file(name).fileBytes();
    if (offset < 0 || offset > total || max <= 0) {
      throw KuduException.invalidArgument(
          "The file %s has %d bytes; %d bytes at %d were requested", name, total, max, offset);
    }
    return (int) Math.min(max, total - offset);
  }

  /** Reads a part of a file; the length is a result of {@link #lengthAt}. */
  DataChunkPB read(FileStore files, BufferAllocator allocator, String name, long offset, int length)
      throws IOException {
    StoredFile file = checkpoint.file(name);
    byte[] bytes = new byte[length];
    try (ReadableFile readable = files.open(file.file());
        ArrowBuf buffer = allocator.buffer(Math.max(1, length))) {
      readable.readFully(offset, buffer.memoryAddress(), length);
      Memory.copy(buffer.memoryAddress(), bytes, 0, length);
    }
    sentBytes.addAndGet(length);
    return DataChunkPB.newBuilder()
        .setOffset(offset)
        .setData(wrap(bytes))
        .setCrc32(checksum(bytes))
        .setTotalDataLength(file.fileBytes())
        .build();
  }

  private static ByteString wrap(byte[] bytes) {
    return UnsafeByteOperations.unsafeWrap(bytes);
  }

  /** The CRC32C of a chunk. */
  static int checksum(byte[] bytes) {
    CRC32C crc = new CRC32C();
    crc.update(bytes, 0, bytes.length);
    return (int) crc.getValue();
  }

  @Override
  public void close() {
    checkpoint.close();
    log.close();
  }
}
