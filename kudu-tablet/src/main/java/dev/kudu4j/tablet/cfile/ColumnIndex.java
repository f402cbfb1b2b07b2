package dev.kudu4j.tablet.cfile;

import dev.kudu4j.common.array.ArrayCells;
import dev.kudu4j.common.schema.ColumnSchema;
import dev.kudu4j.common.schema.Compression;
import dev.kudu4j.common.schema.DataType;
import dev.kudu4j.common.schema.Encoding;
import dev.kudu4j.tablet.file.BlockLocation;
import dev.kudu4j.tablet.file.FooterReader;
import dev.kudu4j.tablet.file.FooterWriter;
import java.util.Arrays;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The location and the statistics of each page of one column. Immutable. A file's footer contains
 * one index per column.
 *
 * <pre>
 *   column id i32 | name | type u8 | flags u8 (1 key, 2 nullable) | encoding u8
 *   compression i32 | block size i32
 *   precision i32 | scale i32 | length i32 | page count i32
 *   per page: offset i64 | bytes i32 | row count i32 | null count i32 | minimum | maximum
 *   name, minimum and maximum: length i32 (-1 unknown), bytes
 * </pre>
 */
public final class ColumnIndex {
  private static final int KEY = 1;
  private static final int NULLABLE = 2;
  private static final int MIN_PAGE_BYTES = 28;

  private final ColumnSchema column;
  private final long[] offsets;
  private final int[] bytes;
  private final long[] firstOrdinals; // the last element is the row count
  private final int[] nullCounts;
  private final byte[] @Nullable [] minimums;
  private final byte[] @Nullable [] maximums;

  ColumnIndex(ColumnSchema column, List<Page> pages) {
    this.column = column;
    int count = pages.size();
    offsets = new long[count];
    bytes = new int[count];
    firstOrdinals = new long[count + 1];
    nullCounts = new int[count];
    minimums = new byte[count][];
    maximums = new byte[count][];
    for (int i = 0; i < count; i++) {
      Page page = pages.get(i);
      offsets[i] = page.location.offset();
      bytes[i] = page.location.bytes();
      firstOrdinals[i + 1] = firstOrdinals[i] + page.rowCount;
      nullCounts[i] = page.nullCount;
      minimums[i] = page.minimum;
      maximums[i] = page.maximum;
    }
  }

  /** One page while the index is built. */
  static final class Page {
    final BlockLocation location;
    final int rowCount;
    final int nullCount;
    final byte @Nullable [] minimum;
    final byte @Nullable [] maximum;

    Page(
        BlockLocation location,
        int rowCount,
        int nullCount,
        byte @Nullable [] minimum,
        byte @Nullable [] maximum) {
      this.location = location;
      this.rowCount = rowCount;
      this.nullCount = nullCount;
      this.minimum = minimum;
      this.maximum = maximum;
    }
  }

  /** The column at the time of writing: id, type, nullability. The name may be outdated. */
  public ColumnSchema column() {
    return column;
  }

  public long rowCount() {
    return firstOrdinals[offsets.length];
  }

  public int pageCount() {
    return offsets.length;
  }

  /** The size of all pages. */
  public long bytes() {
    long sum = 0;
    for (int page : bytes) {
      sum += page;
    }
    return sum;
  }

  /** The location of the page's block. */
  public BlockLocation location(int page) {
    return new BlockLocation(offsets[page], bytes[page]);
  }

  long offset(int page) {
    return offsets[page];
  }

  int blockBytes(int page) {
    return bytes[page];
  }

  public long firstOrdinal(int page) {
    return firstOrdinals[page];
  }

  public int rowCount(int page) {
    return (int) (firstOrdinals[page + 1] - firstOrdinals[page]);
  }

  public int nullCount(int page) {
    return nullCounts[page];
  }

  /** See {@link ColumnReader#minimum}. */
  public byte @Nullable [] minimum(int page) {
    return minimums[page];
  }

  /** See {@link ColumnReader#maximum}. */
  public byte @Nullable [] maximum(int page) {
    return maximums[page];
  }

  /** The page that contains the ordinal. */
  public int pageOf(long ordinal) {
    if (ordinal < 0 || ordinal >= rowCount()) {
      throw new IndexOutOfBoundsException(
          "Ordinal " + ordinal + " is outside column " + column + " of " + rowCount() + " rows");
    }
    int found = Arrays.binarySearch(firstOrdinals, ordinal);
    return found >= 0 ? found : -found - 2;
  }

  public void writeTo(FooterWriter footer) {
    footer.putInt(column.id()).putText(column.name()).putByte(column.type().wireNumber());
    if (column.isArray()) {
      footer.putByte(column.scalarType().wireNumber());
    }
    footer
        .putByte((column.isKey() ? KEY : 0) | (column.isNullable() ? NULLABLE : 0))
        .putByte(column.encoding().wireNumber())
        .putInt(column.compression().wireNumber())
        .putInt(column.blockSizeBytes())
        .putInt(column.precision())
        .putInt(column.scale())
        .putInt(column.length())
        .putInt(pageCount());
    for (int page = 0; page < pageCount(); page++) {
      footer
          .putLong(offsets[page])
          .putInt(bytes[page])
          .putInt(rowCount(page))
          .putInt(nullCounts[page])
          .putBytes(minimums[page])
          .putBytes(maximums[page]);
    }
  }

  public static ColumnIndex readFrom(FooterReader footer) {
    ColumnSchema column = readColumn(footer);
    Page[] pages = new Page[footer.getCount(MIN_PAGE_BYTES)];
    for (int i = 0; i < pages.length; i++) {
      BlockLocation location = new BlockLocation(footer.getLong(), footer.getInt());
      int rows = footer.getInt();
      int nulls = footer.getInt();
      if (rows <= 0 || nulls < 0 || nulls > rows) {
        throw footer.broken("expected a page with rows, found %d rows and %d NULLs", rows, nulls);
      }
      pages[i] =
          new Page(location, rows, nulls, readBound(footer, column), readBound(footer, column));
    }
    return new ColumnIndex(column, List.of(pages));
  }

  private static byte @Nullable [] readBound(FooterReader footer, ColumnSchema column) {
    byte[] bound = footer.getBytes();
    int width = column.type().width();
    if (bound != null && width > 0 && bound.length != width) {
      throw footer.broken("expected a cell of %d bytes, found %d", width, bound.length);
    }
    return bound;
  }

  private static ColumnSchema readColumn(FooterReader footer) {
    int id = footer.getInt();
    String name = footer.getText();
    ColumnSchema.Builder column = readType(name, footer);
    int flags = footer.getByte();
    return column
        .id(id)
        .key((flags & KEY) != 0)
        .nullable((flags & NULLABLE) != 0)
        .encoding(readEncoding(footer))
        .compression(readCompression(footer))
        .blockSizeBytes(footer.getInt())
        .decimal(footer.getInt(), footer.getInt())
        .length(footer.getInt())
        .build();
  }

  private static ColumnSchema.Builder readType(String name, FooterReader footer) {
    DataType type = readType(footer);
    if (type != DataType.NESTED) {
      return ColumnSchema.builder(name, type);
    }
    DataType elements = readType(footer);
    if (!ArrayCells.supports(elements)) {
      throw footer.broken("expected a type of array elements, found %s", elements);
    }
    return ColumnSchema.arrayBuilder(name, elements);
  }

  private static DataType readType(FooterReader footer) {
    int number = footer.getByte();
    for (DataType type : DataType.values()) {
      if (type.wireNumber() == number) {
        return type;
      }
    }
    throw footer.broken("expected a column type, found %d", number);
  }

  private static Encoding readEncoding(FooterReader footer) {
    int number = footer.getByte();
    for (Encoding encoding : Encoding.values()) {
      if (encoding.wireNumber() == number) {
        return encoding;
      }
    }
    throw footer.broken("expected an encoding, found %d", number);
  }

  private static Compression readCompression(FooterReader footer) {
    int number = footer.getInt();
    for (Compression compression : Compression.values()) {
      if (compression.wireNumber() == number) {
        return compression;
      }
    }
    throw footer.broken("expected a compression, found %d", number);
  }
}
