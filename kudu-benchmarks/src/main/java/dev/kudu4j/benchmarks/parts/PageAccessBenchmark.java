package dev.kudu4j.benchmarks.parts;

import dev.kudu4j.common.memory.Memory;
import dev.kudu4j.tablet.cache.FilePages;
import dev.kudu4j.tablet.cache.Page;
import dev.kudu4j.tablet.cache.PageCache;
import dev.kudu4j.tablet.codec.Codecs;
import dev.kudu4j.tablet.memory.Allocators;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.MappedByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.channels.FileChannel.MapMode;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.Random;
import java.util.concurrent.TimeUnit;
import java.util.zip.CRC32C;
import org.apache.arrow.memory.ArrowBuf;
import org.apache.arrow.memory.BufferAllocator;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Level;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Param;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.TearDown;

/**
 * Reading from a random page of a file whose pages are all in memory. Kudu4j's page cache contains
 * them decompressed. The operating system's page cache contains them as stored; they are accessed
 * through a mapping or with a read.
 */
@State(Scope.Benchmark)
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.NANOSECONDS)
public class PageAccessBenchmark {
  private static final int PAGE_BYTES = 64 << 10;
  private static final int PAGES = 1_024;

  /**
   * Distance between successive pages. It is coprime with the number of pages, so that every page
   * is read in turn.
   */
  private static final int STEP = 613;

  /** The part of a page that is read. */
  public enum Wanted {
    ONE_CELL(1),
    ALL_CELLS(PAGE_BYTES / 8);

    private final int cells;

    Wanted(int cells) {
      this.cells = cells;
    }
  }

  @Param({"ONE_CELL", "ALL_CELLS"})
  public Wanted wanted;

  private final BufferAllocator allocator = Allocators.root(1L << 30);
  private final PageCache cache = new PageCache(allocator, 512L << 20);
  private final FilePages cached = cache.register();
  private final int[] checksums = new int[PAGES];
  private final long[] packedOffsets = new long[PAGES + 1];
  private Path directory;
  private FileChannel plainFile;
  private MappedByteBuffer plain;
  private MappedByteBuffer packed;
  private ArrowBuf scratch;
  private int next;

  @Setup(Level.Trial)
  public void open() throws IOException {
    directory = Files.createTempDirectory("page-access");
    scratch = allocator.buffer(2 * PAGE_BYTES);
    Path plainPath = directory.resolve("plain");
    Path packedPath = directory.resolve("packed");
    try (FileChannel plainOut = create(plainPath);
        FileChannel packedOut = create(packedPath)) {
      for (int page = 0; page < PAGES; page++) {
        write(page, plainOut, packedOut);
      }
    }
    plainFile = FileChannel.open(plainPath, StandardOpenOption.READ);
    plain = plainFile.map(MapMode.READ_ONLY, 0, plainFile.size());
    plain.order(ByteOrder.LITTLE_ENDIAN);
    try (FileChannel in = FileChannel.open(packedPath, StandardOpenOption.READ)) {
      packed = in.map(MapMode.READ_ONLY, 0, in.size());
    }
  }

  private static FileChannel create(Path file) throws IOException {
    return FileChannel.open(file, StandardOpenOption.CREATE_NEW, StandardOpenOption.WRITE);
  }

  /**
   * Writes a page, plain and compressed, of numbers that compress about as well as packed integers.
   */
  private void write(int page, FileChannel plainOut, FileChannel packedOut) throws IOException {
    Random random = new Random(page);
    ArrowBuf body = cached.allocator().buffer(PAGE_BYTES);
    for (int i = 0; i < PAGE_BYTES; i += 8) {
      Memory.putLong(body.memoryAddress() + i, random.nextInt(1 << 20));
    }
    plainOut.write(Memory.byteBuffer(body.memoryAddress(), PAGE_BYTES));
    checksums[page] = checksum(Memory.byteBuffer(body.memoryAddress(), PAGE_BYTES));
    int bytes =
        Codecs.LZ4.compress(
            body.memoryAddress(), PAGE_BYTES, scratch.memoryAddress(), 2 * PAGE_BYTES);
    packedOut.write(Memory.byteBuffer(scratch.memoryAddress(), bytes));
    packedOffsets[page + 1] = packedOffsets[page] + bytes;
    cached.add((long) page * PAGE_BYTES, body, body.memoryAddress(), PAGE_BYTES, 0).unpin();
  }

  private static int checksum(ByteBuffer bytes) {
    CRC32C sum = new CRC32C();
    sum.update(bytes);
    return (int) sum.getValue();
  }

  @TearDown(Level.Trial)
  public void close() throws IOException {
    plainFile.close();
    scratch.close();
    cached.close();
    cache.close();
    allocator.close();
    Files.delete(directory.resolve("plain"));
    Files.delete(directory.resolve("packed"));
    Files.delete(directory);
  }

  private int nextPage() {
    next = (next + STEP) % PAGES;
    return next;
  }

  private long sum(long address) {
    long sum = 0;
    for (int i = 0; i < wanted.cells; i++) {
      sum += Memory.getLong(address + 8L * i);
    }
    return sum;
  }

  /**
   * Reads a page in Kudu4j's page cache. The page was verified and decompressed when it was loaded.
   */
  @Benchmark
  public long pageCache() {
    Page page = cached.pin((long) nextPage() * PAGE_BYTES);
    long sum = sum(page.address());
    page.unpin();
    return sum;
  }

  /** The baseline: reads a mapped page that is neither compressed nor verified. */
  @Benchmark
  public long baselineMapped() {
    int from = nextPage() * PAGE_BYTES;
    long sum = 0;
    for (int i = 0; i < wanted.cells; i++) {
      sum += plain.getLong(from + 8 * i);
    }
    return sum;
  }

  /**
   * Verifies the mapped page at each use, because the operating system may have read the page from
   * disk again, which the process cannot detect.
   */
  @Benchmark
  public long mappedAndVerified() {
    int page = nextPage();
    ByteBuffer bytes = plain.slice(page * PAGE_BYTES, PAGE_BYTES);
    if (checksum(bytes) != checksums[page]) {
      throw new IllegalStateException("Page " + page + " is corrupt");
    }
    bytes.rewind().order(ByteOrder.LITTLE_ENDIAN);
    long sum = 0;
    for (int i = 0; i < wanted.cells; i++) {
      sum += bytes.getLong(8 * i);
    }
    return sum;
  }

  /**
   * Decompresses the mapped page at each use, because the mapping contains the compressed bytes of
   * the file.
   */
  @Benchmark
  public long mappedAndInflated() {
    int page = nextPage();
    int bytes = (int) (packedOffsets[page + 1] - packedOffsets[page]);
    Memory.byteBuffer(scratch.memoryAddress() + PAGE_BYTES, bytes)
        .put(packed.slice((int) packedOffsets[page], bytes));
    String error =
        Codecs.LZ4.inflate(
            scratch.memoryAddress() + PAGE_BYTES, bytes, scratch.memoryAddress(), PAGE_BYTES);
    if (error != null) {
      throw new IllegalStateException("Page " + page + ": " + error);
    }
    return sum(scratch.memoryAddress());
  }

  /**
   * Reads the page from the operating system's cache into a buffer and verifies it, as Kudu4j does
   * after a miss in its page cache.
   */
  @Benchmark
  public long readAndVerified() throws IOException {
    int page = nextPage();
    ByteBuffer bytes = Memory.byteBuffer(scratch.memoryAddress(), PAGE_BYTES);
    plainFile.read(bytes, (long) page * PAGE_BYTES);
    if (checksum(bytes.flip()) != checksums[page]) {
      throw new IllegalStateException("Page " + page + " is corrupt");
    }
    return sum(scratch.memoryAddress());
  }
}
