package dev.kudu4j.tablet.file;

import dev.kudu4j.common.memory.Memory;
import dev.kudu4j.tablet.codec.Codec;
import dev.kudu4j.tablet.codec.Codecs;
import dev.kudu4j.tablet.env.TabletEnvironment;
import dev.kudu4j.tablet.env.WritableFile;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.file.Path;
import org.apache.arrow.memory.BufferAllocator;
import org.jspecify.annotations.Nullable;

/**
 * Writes a sealed file. The constructor writes the header, {@link #append} writes blocks, and
 * {@link #finish} writes the footer and the trailer. {@link FileFormat} defines the layout. Not
 * thread-safe.
 *
 * <p>Until {@link #finish} returns, the file is incomplete and unusable. The caller syncs the
 * directory before it references the file.
 */
public final class SealedFileWriter implements AutoCloseable {
  /** A saving in percent that no block reaches, so blocks are never compressed. */
  public static final int NEVER = 101;

  private static final int MIN_COMPRESSED_BYTES = 64;

  private final FileKind kind;
  private final WritableFile file;
  private final PageBuffer frame;
  private boolean closed;

  /**
   * @param allocator allocates the memory; closed by the caller
   */
  public SealedFileWriter(
      TabletEnvironment environment, BufferAllocator allocator, Path path, FileKind kind)
      throws IOException {
    this.kind = kind;
    this.frame = new PageBuffer(allocator);
    this.file = environment.files().create(path);
    try {
      byte[] header = header(kind);
      file.append(header, 0, header.length);
    } catch (Throwable e) {
      closeQuietly(file, e);
      throw e;
    }
  }

  private static byte[] header(FileKind kind) {
    ByteBuffer header =
        ByteBuffer.allocate(FileFormat.HEADER_BYTES)
            .order(ByteOrder.LITTLE_ENDIAN)
            .putLong(FileFormat.HEADER_MAGIC)
            .putShort((short) kind.number())
            .putShort((short) kind.currentVersion());
    return header.putInt(Checksum.of(header.array(), 0, header.position())).array();
  }

  private static void closeQuietly(WritableFile file, Throwable cause) {
    try {
      file.close();
    } catch (IOException e) {
      cause.addSuppressed(e);
    }
  }

  /** The number of bytes written so far. */
  public long position() {
    return file.position();
  }

  /**
   * Writes one block.
   *
   * @param address address of the body, borrowed
   * @param minSavingPercent compresses with LZ4 if that saves at least this percentage of the body;
   *     {@link #NEVER} disables compression
   */
  public BlockLocation append(BlockKind blockKind, long address, int bytes, int minSavingPercent)
      throws IOException {
    return append(blockKind, address, bytes, Codecs.LZ4, minSavingPercent);
  }

  /**
   * Writes one block.
   *
   * @param address address of the body, borrowed
   * @param codec compresses the body if that saves at least {@code minSavingPercent} percent; null
   *     disables compression
   */
  public BlockLocation append(
      BlockKind blockKind, long address, int bytes, @Nullable Codec codec, int minSavingPercent)
      throws IOException {
    long offset = file.position();
    int method = FileFormat.STORED;
    int stored = -1;
    if (codec != null) {
      stored = compress(address, bytes, codec, minSavingPercent);
      method = stored < 0 ? FileFormat.STORED : codec.number();
    }
    if (stored < 0) {
      long to = frame.reserve((long) bytes + FileFormat.BLOCK_FRAME_BYTES);
      Memory.copy(address, to + FileFormat.BLOCK_HEADER_BYTES, bytes);
      stored = bytes;
    }
    long block = frame.address();
    Memory.putByte(block, (byte) method);
    Memory.putByte(block + 1, (byte) blockKind.number());
    Memory.putShort(block + 2, (short) 0);
    Memory.putInt(block + 4, bytes);
    int summed = FileFormat.BLOCK_HEADER_BYTES + stored;
    Memory.putInt(block + summed, Checksum.of(block, summed) ^ (int) offset);
    int length = summed + FileFormat.BLOCK_CHECKSUM_BYTES;
    file.append(block, length);
    return new BlockLocation(offset, length);
  }

  /**
   * Compresses the body into {@link #frame}; returns the compressed length, or -1 if compression
   * saves too little.
   */
  private int compress(long address, int bytes, Codec codec, int minSavingPercent) {
    if (minSavingPercent >= NEVER
        || bytes < MIN_COMPRESSED_BYTES
        || bytes > FileFormat.MAX_COMPRESSED_BODY_BYTES) {
      return -1;
    }
    int bound = codec.bound(bytes);
    long to = frame.reserve((long) bound + FileFormat.BLOCK_FRAME_BYTES);
    int length = codec.compress(address, bytes, to + FileFormat.BLOCK_HEADER_BYTES, bound);
    return length < bytes && (long) length * 100 <= (long) bytes * (100 - minSavingPercent)
        ? length
        : -1;
  }

  /** Writes the footer and the trailer, then syncs and closes the file. */
  public void finish(byte[] footer) throws IOException {
    ByteBuffer trailer =
        ByteBuffer.allocate(FileFormat.TRAILER_BYTES)
            .order(ByteOrder.LITTLE_ENDIAN)
            .putInt(footer.length)
            .putInt(Checksum.of(footer, 0, footer.length))
            .putLong(file.position() + footer.length + FileFormat.TRAILER_BYTES)
            .putShort((short) kind.number())
            .putShort((short) kind.currentVersion());
    trailer.putInt(Checksum.of(trailer.array(), 0, trailer.position()));
    trailer.putLong(FileFormat.TRAILER_MAGIC);
    file.append(footer, 0, footer.length);
    file.append(trailer.array(), 0, FileFormat.TRAILER_BYTES);
    file.sync();
    close();
  }

  @Override
  public void close() throws IOException {
    if (closed) {
      return;
    }
    closed = true;
    frame.close();
    file.close();
  }
}
