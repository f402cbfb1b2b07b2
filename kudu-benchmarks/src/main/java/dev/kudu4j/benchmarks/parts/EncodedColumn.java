package dev.kudu4j.benchmarks.parts;

import dev.kudu4j.common.memory.Memory;
import dev.kudu4j.common.schema.ColumnSchema;
import dev.kudu4j.common.schema.Compression;
import dev.kudu4j.common.schema.DataType;
import dev.kudu4j.common.schema.Encoding;
import dev.kudu4j.tablet.batch.ColumnVector;
import dev.kudu4j.tablet.cache.PageCache;
import dev.kudu4j.tablet.cfile.ColumnIndex;
import dev.kudu4j.tablet.cfile.ColumnReader;
import dev.kudu4j.tablet.cfile.ColumnWriter;
import dev.kudu4j.tablet.env.CrashPoints;
import dev.kudu4j.tablet.env.LocalFileStore;
import dev.kudu4j.tablet.env.TabletEnvironment;
import dev.kudu4j.tablet.env.TabletOptions;
import dev.kudu4j.tablet.file.FileKind;
import dev.kudu4j.tablet.file.SealedFile;
import dev.kudu4j.tablet.file.SealedFileWriter;
import dev.kudu4j.tablet.memory.Allocators;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.LocalDate;
import java.util.Random;
import org.apache.arrow.memory.BufferAllocator;

/**
 * A column whose data suit one encoding, as cells in a vector and as encoded pages in the page
 * cache.
 */
public final class EncodedColumn {
  static final int ROWS = 1 << 20;
  static final int STEP = 4096;

  /** Kinds of data, each with the requested encoding and the encoding of its pages. */
  public enum Data {
    PLAIN(DataType.INT64, Encoding.PLAIN, "plain"),
    RUN_LENGTH(DataType.INT64, Encoding.AUTO, "run length"),
    DELTA(DataType.INT64, Encoding.AUTO, "delta"),
    FRAME_OF_REFERENCE(DataType.INT64, Encoding.AUTO, "frame of reference"),
    BIT_SHUFFLE(DataType.INT64, Encoding.BIT_SHUFFLE, "bit shuffle"),
    DICTIONARY(DataType.STRING, Encoding.AUTO, "dictionary"),
    DICTIONARY_OF_FLAGS(DataType.STRING, Encoding.AUTO, "dictionary"),
    DICTIONARY_OF_DATES(DataType.STRING, Encoding.AUTO, "dictionary"),
    DICTIONARY_OF_MODES(DataType.STRING, Encoding.AUTO, "dictionary"),
    PREFIX(DataType.STRING, Encoding.PREFIX, "prefix"),
    SYMBOL_TABLE(DataType.STRING, Encoding.AUTO, "symbol table"),
    PLAIN_TEXT(DataType.STRING, Encoding.PLAIN, "plain");

    private final DataType type;
    private final Encoding requestedEncoding;
    private final String encoding;

    Data(DataType type, Encoding requestedEncoding, String encoding) {
      this.type = type;
      this.requestedEncoding = requestedEncoding;
      this.encoding = encoding;
    }
  }

  private static final String[] WORDS = {
    "carefully", "final", "deposits", "sleep", "furiously", "regular", "accounts", "among", "the",
    "express", "packages", "haggle", "quickly", "ironic", "requests", "above", "pending",
        "theodolites"
  };

  private static final String[] FLAGS = {"A", "N", "R"};
  private static final String[] MODES = {"AIR", "FOB", "MAIL", "RAIL", "REG AIR", "SHIP", "TRUCK"};

  private final Data data;
  private final BufferAllocator allocator = Allocators.root(Long.MAX_VALUE);
  private final PageCache cache = new PageCache(allocator, 1L << 30);
  private final Path directory;
  private final TabletEnvironment environment;
  private final ColumnVector cells;
  private final ColumnVector out;
  private SealedFile file;
  private ColumnReader reader;

  EncodedColumn(Data data) throws IOException {
    this.data = data;
    directory = Files.createTempDirectory("kudu-bench-column");
    environment =
        new TabletEnvironment(
            new LocalFileStore(),
            directory,
            allocator,
            cache,
            CrashPoints.NONE,
            new Random(1),
            System::nanoTime,
            TabletOptions.DEFAULT);
    cells = new ColumnVector(allocator, data.type, false);
    out = new ColumnVector(allocator, data.type, false);
    fill();
  }

  private void fill() {
    Random random = new Random(2);
    byte[] cell = new byte[8];
    long value = 0;
    for (int row = 0; row < ROWS; row++) {
      if (data.type.isVariableLength()) {
        byte[] text = text(random, row).getBytes(StandardCharsets.UTF_8);
        cells.append(text, 0, text.length);
        continue;
      }
      value =
          switch (data) {
            case RUN_LENGTH -> random.nextInt(50) == 0 ? random.nextInt() : value;
            case DELTA -> value + random.nextInt(8);
            default -> random.nextInt(1 << 20);
          };
      for (int i = 0; i < 8; i++) {
        cell[i] = (byte) (value >>> (8 * i));
      }
      cells.append(cell, 0, 8);
    }
  }

  private String text(Random random, int row) {
    return switch (data) {
      case DICTIONARY -> WORDS[random.nextInt(WORDS.length)] + WORDS[random.nextInt(WORDS.length)];
      case DICTIONARY_OF_FLAGS -> FLAGS[random.nextInt(FLAGS.length)];
      case DICTIONARY_OF_DATES -> LocalDate.EPOCH.plusDays(random.nextInt(2_526)).toString();
      case DICTIONARY_OF_MODES -> MODES[random.nextInt(MODES.length)];
      case PREFIX -> "customers/europe/%09d/orders".formatted(row);
      default -> word(random) + " " + word(random) + " " + word(random) + random.nextInt(1000);
    };
  }

  private static String word(Random random) {
    return WORDS[random.nextInt(WORDS.length)];
  }

  private Path write(Encoding encoding, String name, boolean keep) throws IOException {
    ColumnSchema column =
        ColumnSchema.builder("c", data.type)
            .id(1)
            .encoding(encoding)
            .compression(Compression.NONE)
            .build();
    Path path = directory.resolve(name);
    Files.deleteIfExists(path);
    try (SealedFileWriter writer =
            new SealedFileWriter(environment, allocator, path, FileKind.COLUMNS);
        ColumnWriter pages =
            new ColumnWriter(column, writer, allocator, environment.options().pageBytes())) {
      pages.append(cells, 0, ROWS);
      ColumnIndex index = pages.finish();
      if (keep) {
        writer.finish(new byte[0]);
        file = SealedFile.open(environment, allocator, path, FileKind.COLUMNS);
        reader = new ColumnReader(file, index, allocator);
      }
    }
    return path;
  }

  /** Writes the pages that {@link #decode} reads. */
  void prepare() throws IOException {
    write(data.requestedEncoding, "kept", true);
    String found = reader.encodingName(1);
    if (!found.equals(data.encoding)) {
      throw new IllegalStateException(data + " is encoded as " + found);
    }
  }

  /**
   * Chooses an encoding, encodes and writes all rows to a file that is not synced; returns its
   * length.
   */
  long encode() throws IOException {
    return Files.size(write(data.requestedEncoding, "written", false));
  }

  /** Writes all rows unencoded to a file that is not synced; returns its length. */
  long writePlain() throws IOException {
    return Files.size(write(Encoding.PLAIN, "written", false));
  }

  /** Decodes all rows from the page cache. */
  long decode() throws IOException {
    long sum = 0;
    for (int row = 0; row < ROWS; row += STEP) {
      out.clear();
      reader.read(row, STEP, out);
      sum += Memory.getByte(out.cellAddress(STEP - 1));
    }
    return sum;
  }

  /** Copies all rows from a vector. */
  long copy() {
    long sum = 0;
    for (int row = 0; row < ROWS; row += STEP) {
      out.clear();
      out.appendRange(cells, row, STEP);
      sum += Memory.getByte(out.cellAddress(STEP - 1));
    }
    return sum;
  }

  void close() throws IOException {
    if (reader != null) {
      reader.close();
      file.close();
    }
    out.close();
    cells.close();
    cache.close();
    allocator.close();
    for (String name : new String[] {"kept", "written"}) {
      Files.deleteIfExists(directory.resolve(name));
    }
    Files.delete(directory);
  }
}
