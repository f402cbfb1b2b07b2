package dev.kudu4j.tablet.file;

import com.google.errorprone.annotations.FormatMethod;
import com.google.errorprone.annotations.FormatString;
import dev.kudu4j.common.memory.Memory;
import dev.kudu4j.common.schema.LittleEndian;
import dev.kudu4j.common.status.KuduException;
import dev.kudu4j.common.status.StatusCode;
import dev.kudu4j.tablet.cache.FilePages;
import dev.kudu4j.tablet.cache.Page;
import dev.kudu4j.tablet.codec.Codec;
import dev.kudu4j.tablet.codec.Codecs;
import dev.kudu4j.tablet.env.ReadableFile;
import dev.kudu4j.tablet.env.TabletEnvironment;
import java.io.IOException;
import java.nio.file.Path;
import java.util.Locale;
import org.apache.arrow.memory.ArrowBuf;
import org.apache.arrow.memory.BufferAllocator;
import org.jspecify.annotations.Nullable;

/**
 * A sealed file, open for reading. The header, trailer and footer are verified when the file is
 * opened. Each block is verified when it is read from disk. Any number of threads may read; readers
 * {@link #pin} pages of the page cache.
 *
 * <p>Three reasons to reject a file are distinguished: corrupt bytes (CORRUPTION), a version older
 * than this code reads, and a version newer than this code reads (both NOT_SUPPORTED). A damaged
 * version number fails the checksum of the header or trailer and counts as corruption.
 */
public final class SealedFile implements AutoCloseable {
  private final ReadableFile file;
  private final FilePages pages;
  private final long fileBytes;
  private final int version;
  private final long footerOffset;
  private final byte[] footer;

  private SealedFile(
      ReadableFile file,
      FilePages pages,
      long fileBytes,
      int version,
      long footerOffset,
      byte[] footer) {
    this.file = file;
    this.pages = pages;
    this.fileBytes = fileBytes;
    this.version = version;
    this.footerOffset = footerOffset;
    this.footer = footer;
  }

  /**
   * The kind of a file, read from its first bytes; null if the kind is unknown or the file is not a
   * sealed file.
   */
  public static @Nullable FileKind kindOf(byte[] beginning) {
    boolean sealed =
        beginning.length >= FileFormat.HEADER_BYTES
            && LittleEndian.getLong(beginning, 0) == FileFormat.HEADER_MAGIC;
    return sealed ? FileKind.ofNumber(LittleEndian.getShort(beginning, 8) & 0xffff) : null;
  }

  /**
   * Opens the file and verifies its header, trailer and footer.
   *
   * @param allocator used only during this call; nothing stays allocated
   */
  public static SealedFile open(
      TabletEnvironment environment, BufferAllocator allocator, Path path, FileKind kind)
      throws IOException {
    ReadableFile file = environment.files().open(path);
    try {
      return open(file, environment.pages().register(), allocator, kind);
    } catch (Throwable e) {
      try {
        file.close();
      } catch (IOException closing) {
        e.addSuppressed(closing);
      }
      throw e;
    }
  }

  private static SealedFile open(
      ReadableFile file, FilePages pages, BufferAllocator allocator, FileKind kind)
      throws IOException {
    long size = file.size();
    int min = FileFormat.HEADER_BYTES + FileFormat.TRAILER_BYTES;
    if (size < min) {
      throw corrupt(file, 0, "expected at least %d bytes, found %d; file truncated", min, size);
    }
    int version;
    int footerBytes;
    int footerChecksum;
    try (ArrowBuf buffer = allocator.buffer(min)) {
      long header = buffer.memoryAddress();
      long trailer = header + FileFormat.HEADER_BYTES;
      file.readFully(0, header, FileFormat.HEADER_BYTES);
      version = checkHeader(file, header, kind);
      file.readFully(size - FileFormat.TRAILER_BYTES, trailer, FileFormat.TRAILER_BYTES);
      checkTrailer(file, trailer, size, kind, version);
      footerBytes = Memory.getInt(trailer);
      footerChecksum = Memory.getInt(trailer + 4);
    }
    long footerOffset = size - FileFormat.TRAILER_BYTES - footerBytes;
    byte[] footer = readFooter(file, allocator, footerOffset, footerBytes, footerChecksum);
    return new SealedFile(file, pages, size, version, footerOffset, footer);
  }

  private static int checkHeader(ReadableFile file, long header, FileKind kind) {
    expect(file, 0, "file magic", FileFormat.HEADER_MAGIC, Memory.getLong(header));
    expect(file, 12, "header checksum", Checksum.of(header, 12), Memory.getInt(header + 12));
    int foundKind = Memory.getShort(header + 8) & 0xffff;
    if (foundKind != kind.number()) {
      throw corrupt(file, 8, "expected a %s file, found kind %s", kind, FileKind.textOf(foundKind));
    }
    int version = Memory.getShort(header + 10) & 0xffff;
    if (version > kind.currentVersion()) {
      throw unsupported(
          file, kind, version, "too new; start a server at least as new as its writer");
    }
    if (version < kind.oldestVersion()) {
      throw unsupported(file, kind, version, "too old; rewrite it with an earlier release first");
    }
    return version;
  }

  private static void checkTrailer(
      ReadableFile file, long trailer, long size, FileKind kind, int version) {
    long offset = size - FileFormat.TRAILER_BYTES;
    expect(
        file, offset + 24, "trailer magic", FileFormat.TRAILER_MAGIC, Memory.getLong(trailer + 24));
    expect(
        file,
        offset + 20,
        "trailer checksum",
        Checksum.of(trailer, 20),
        Memory.getInt(trailer + 20));
    expect(file, offset + 8, "file length", size, Memory.getLong(trailer + 8));
    expect(file, offset + 16, "kind", kind.number(), Memory.getShort(trailer + 16));
    expect(file, offset + 18, "version", version, Memory.getShort(trailer + 18));
    int footerBytes = Memory.getInt(trailer);
    if (footerBytes < 0 || footerBytes > offset - FileFormat.HEADER_BYTES) {
      throw corrupt(
          file,
          offset,
          "expected a footer of at most %d bytes, found %d",
          offset - FileFormat.HEADER_BYTES,
          footerBytes);
    }
  }

  private static byte[] readFooter(
      ReadableFile file, BufferAllocator allocator, long offset, int bytes, int checksum)
      throws IOException {
    byte[] footer = new byte[bytes];
    if (bytes > 0) {
      try (ArrowBuf buffer = allocator.buffer(bytes)) {
        file.readFully(offset, buffer.memoryAddress(), bytes);
        Memory.copy(buffer.memoryAddress(), footer, 0, bytes);
      }
    }
    expect(file, offset, "footer checksum", checksum, Checksum.of(footer, 0, bytes));
    return footer;
  }

  private static void expect(
      ReadableFile file, long offset, String what, long expected, long found) {
    if (expected != found) {
      throw corrupt(file, offset, "%s: expected %x, found %x", what, expected, found);
    }
  }

  private static KuduException unsupported(
      ReadableFile file, FileKind kind, int version, String advice) {
    return KuduException.of(
        StatusCode.NOT_SUPPORTED,
        "%s: %s format version %d, but this release reads versions %d to %d: %s",
        file.name(),
        kind,
        version,
        kind.oldestVersion(),
        kind.currentVersion(),
        advice);
  }

  @FormatMethod
  private static KuduException corrupt(
      ReadableFile file, long offset, @FormatString String format, Object... args) {
    return KuduException.corruption(
        "%s: corrupt at offset %d: %s",
        file.name(), offset, String.format(Locale.ROOT, format, args));
  }

  /**
   * An exception with status CORRUPTION for this file; the message states what was expected and
   * what was found.
   */
  @FormatMethod
  public KuduException broken(long offset, @FormatString String format, Object... args) {
    return corrupt(file, offset, format, args);
  }

  public String name() {
    return file.name();
  }

  public long fileBytes() {
    return fileBytes;
  }

  /** The format version of the file. */
  public int version() {
    return version;
  }

  /** The offset of the first block. */
  public long blocksOffset() {
    return FileFormat.HEADER_BYTES;
  }

  /** The offset of the footer, which is the end of the blocks. */
  public long footerOffset() {
    return footerOffset;
  }

  public FooterReader footer() {
    return new FooterReader(file.name(), footerOffset, footer);
  }

  /**
   * The body of a block, from the page cache or from disk, verified, decompressed and pinned. The
   * caller releases it with {@link Page#unpin}.
   */
  public Page pin(BlockKind kind, long offset, int bytes) throws IOException {
    return pin(kind, offset, bytes, null);
  }

  /**
   * Like {@link #pin(BlockKind, long, int)}.
   *
   * @param reads counts the block; null to count nothing
   */
  public Page pin(BlockKind kind, long offset, int bytes, @Nullable BlockReads reads)
      throws IOException {
    Page cached = pages.pin(offset);
    if (reads != null) {
      reads.add(bytes, cached != null);
    }
    if (cached == null) {
      return load(kind, offset, bytes);
    }
    if (cached.kind() != kind.number()) {
      cached.unpin();
      throw brokenKind(offset, kind, cached.kind());
    }
    return cached;
  }

  private Page load(BlockKind kind, long offset, int bytes) throws IOException {
    try (BlockBuffer block = new BlockBuffer(pages.allocator())) {
      read(kind, offset, bytes, block);
      return pages.add(offset, block.take(), block.address(), block.bytes(), kind.number());
    }
  }

  private KuduException brokenKind(long offset, BlockKind expected, int found) {
    return broken(offset, "block kind: expected %d, found %d", expected.number(), found);
  }

  /** Reads, verifies and decompresses one block into the buffer, bypassing the page cache. */
  public void read(BlockKind kind, long offset, int bytes, BlockBuffer into) throws IOException {
    if (bytes < FileFormat.BLOCK_FRAME_BYTES
        || offset < FileFormat.HEADER_BYTES
        || offset + bytes > footerOffset) {
      throw broken(
          offset, "expected a block before offset %d, found a %d-byte block", footerOffset, bytes);
    }
    into.bodyBytes = 0;
    long block = into.stored.reserve(bytes);
    file.readFully(offset, block, bytes);
    int summed = bytes - FileFormat.BLOCK_CHECKSUM_BYTES;
    int found = Checksum.of(block, summed) ^ (int) offset;
    int expected = Memory.getInt(block + summed);
    if (expected != found) {
      throw broken(
          offset,
          "checksum of a block of %d bytes: expected %08x, found %08x",
          bytes,
          expected,
          found);
    }
    int foundKind = Memory.getByte(block + 1);
    if (foundKind != kind.number()) {
      throw brokenKind(offset, kind, foundKind);
    }
    open(block, offset, bytes - FileFormat.BLOCK_FRAME_BYTES, into);
  }

  private void open(long block, long offset, int storedBytes, BlockBuffer into) {
    int compression = Memory.getByte(block);
    int bodyBytes = Memory.getInt(block + 4);
    long stored = block + FileFormat.BLOCK_HEADER_BYTES;
    if (compression == FileFormat.STORED) {
      if (bodyBytes != storedBytes) {
        throw broken(offset, "body length: expected %d, found %d", storedBytes, bodyBytes);
      }
      into.bodyAddress = stored;
    } else {
      into.bodyAddress = inflate(compression, stored, offset, storedBytes, bodyBytes, into);
    }
    into.bodyBytes = bodyBytes;
  }

  private long inflate(
      int compression, long stored, long offset, int storedBytes, int bodyBytes, BlockBuffer into) {
    Codec codec = Codecs.of(compression);
    if (codec == null) {
      throw broken(
          offset, "compression: expected 0 to %d, found %d", Codecs.ALL.size(), compression);
    }
    if (bodyBytes < 0 || bodyBytes > FileFormat.MAX_COMPRESSED_BODY_BYTES) {
      throw broken(
          offset,
          "length of a compressed body: expected 0 to %d, found %d",
          FileFormat.MAX_COMPRESSED_BODY_BYTES,
          bodyBytes);
    }
    long body = into.inflated.reserve(bodyBytes);
    String error = codec.inflate(stored, storedBytes, body, bodyBytes);
    if (error != null) {
      throw broken(offset, "%s: %s", codec, error);
    }
    return body;
  }

  @Override
  public void close() throws IOException {
    pages.close();
    file.close();
  }
}
