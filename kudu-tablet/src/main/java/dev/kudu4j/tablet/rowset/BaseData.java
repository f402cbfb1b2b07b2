package dev.kudu4j.tablet.rowset;

import dev.kudu4j.common.memory.Memory;
import dev.kudu4j.common.schema.DataType;
import dev.kudu4j.tablet.batch.ColumnVector;
import dev.kudu4j.tablet.bloom.BloomChunks;
import dev.kudu4j.tablet.bloom.KeyHash;
import dev.kudu4j.tablet.cache.Page;
import dev.kudu4j.tablet.cfile.ColumnIndex;
import dev.kudu4j.tablet.cfile.ColumnReader;
import dev.kudu4j.tablet.env.TabletEnvironment;
import dev.kudu4j.tablet.file.FileKind;
import dev.kudu4j.tablet.file.StoredFile;
import java.io.IOException;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.HashMap;
import java.util.Map;
import java.util.Objects;

/** The base data of one rowset: its columns, keys, Bloom filter and insert timestamps. */
public final class BaseData extends StoredFile {
  private final BaseDataFooter footer;
  private final Map<Integer, ColumnIndex> columnsById = new HashMap<>();
  private final BloomChunks bloom;
  private final ReaderPool<KeyReader> keyReaders;
  private final ReaderPool<TimestampReader> timestampReaders;

  private BaseData(Opened opened) {
    super(opened);
    this.footer = BaseDataFooter.of(opened.file());
    for (ColumnIndex column : footer.columns()) {
      columnsById.put(column.column().id(), column);
    }
    this.bloom = new BloomChunks(sealedFile(), footer.keys().chunkLocations());
    this.keyReaders =
        new ReaderPool<>(
            () -> new KeyReader(sealedFile(), footer.keys()),
            KeyReader::unpinPages,
            KeyReader::close);
    this.timestampReaders =
        new ReaderPool<>(TimestampReader::new, TimestampReader::unpinPages, TimestampReader::close);
  }

  /**
   * Opens the file, validates header and footer, and loads the indexes. The caller holds the first
   * reference.
   *
   * @throws dev.kudu4j.common.status.KuduException CORRUPTION for a damaged file, NOT_SUPPORTED for
   *     a different format version
   */
  public static BaseData open(TabletEnvironment environment, Path file) throws IOException {
    return open(environment, file, FileKind.BASE_DATA, "base data", BaseData::new);
  }

  public long rowCount() {
    return footer.rowCount();
  }

  /** The smallest key. The file must have rows; the engine writes no other. */
  public byte[] minKey() {
    byte[] key = footer.keys().minKey();
    assert key != null : "the file has no rows";
    return key;
  }

  /** The largest key. The file must have rows; the engine writes no other. */
  public byte[] maxKey() {
    byte[] key = footer.keys().maxKey();
    assert key != null : "the file has no rows";
    return key;
  }

  public long minInsertTimestamp() {
    return footer.minInsertTimestamp();
  }

  public long maxInsertTimestamp() {
    return footer.maxInsertTimestamp();
  }

  /** The whole footer, for checks and dumps. */
  public BaseDataFooter footer() {
    return footer;
  }

  /** Whether the file contains the column. */
  public boolean hasColumn(int columnId) {
    return columnsById.containsKey(columnId);
  }

  /** The size of the column's pages; the file must contain the column. */
  public long columnBytes(int columnId) {
    return Objects.requireNonNull(columnsById.get(columnId), "the file has the column").bytes();
  }

  /** A reader of the column; the caller closes it. */
  public ColumnReader openColumn(int columnId) {
    ColumnIndex column = columnsById.get(columnId);
    if (column == null) {
      throw new IllegalArgumentException(file() + " has no column with id " + columnId);
    }
    return new ColumnReader(sealedFile(), column, allocator());
  }

  /** Reads the insert timestamps of {@code [firstOrdinal, firstOrdinal + count)}. */
  public void readInsertTimestamps(long firstOrdinal, int count, long[] out) throws IOException {
    if (minInsertTimestamp() == maxInsertTimestamp()) {
      Arrays.fill(out, 0, count, minInsertTimestamp());
      return;
    }
    TimestampReader reader = timestampReaders.borrow();
    try {
      reader.read(firstOrdinal, count, out);
    } finally {
      timestampReaders.giveBack(reader);
    }
  }

  /** A column reader with the vector that it decodes into. */
  private final class TimestampReader {
    private final ColumnReader column =
        new ColumnReader(sealedFile(), footer.insertTimestamps(), allocator());
    private final ColumnVector cells = new ColumnVector(allocator(), DataType.INT64, false);

    void read(long firstOrdinal, int count, long[] out) throws IOException {
      cells.clear();
      column.read(firstOrdinal, count, cells);
      if (count > 0) {
        Memory.copy(cells.dataAddress(), out, 0, count);
      }
    }

    void unpinPages() {
      column.unpinPage();
    }

    void close() {
      column.close();
      cells.close();
    }
  }

  /**
   * The ordinal of the key, or -1 if it is absent. Probes the Bloom filter first, then the key
   * index.
   */
  public long find(byte[] key, int offset, int length) throws IOException {
    if (rowCount() == 0 || compare(minKey(), key, offset, length) > 0) {
      return -1;
    }
    if (compare(maxKey(), key, offset, length) < 0) {
      return -1;
    }
    int page = footer.keys().pageOf(key, offset, length);
    if (!bloom.mayContain(footer.keys().chunkOf(page), KeyHash.of(key, offset, length))) {
      return -1;
    }
    KeyReader reader = keyReaders.borrow();
    try {
      long ordinal = reader.lowerBound(page, key, offset, length);
      return reader.isAt(key, offset, length) ? ordinal : -1;
    } finally {
      keyReaders.giveBack(reader);
    }
  }

  /**
   * The Bloom chunk ({@link dev.kudu4j.tablet.bloom.BloomChunk}) that covers the key, which must be
   * between {@link #minKey} and {@link #maxKey}. The caller unpins it.
   */
  public Page pinBloomChunk(byte[] key, int offset, int length) throws IOException {
    return bloom.pin(footer.keys().chunkOf(footer.keys().pageOf(key, offset, length)));
  }

  private static int compare(byte[] bound, byte[] key, int offset, int length) {
    return Arrays.compareUnsigned(bound, 0, bound.length, key, offset, offset + length);
  }

  /**
   * The ordinal of the first key at or above the given one; {@link #rowCount} if all keys are below
   * it.
   */
  public long lowerBound(byte[] key, int offset, int length) throws IOException {
    if (rowCount() == 0 || compare(minKey(), key, offset, length) >= 0) {
      return 0;
    }
    if (compare(maxKey(), key, offset, length) < 0) {
      return rowCount();
    }
    KeyReader reader = keyReaders.borrow();
    try {
      return reader.lowerBound(footer.keys().pageOf(key, offset, length), key, offset, length);
    } finally {
      keyReaders.giveBack(reader);
    }
  }

  /** A cursor before the first encoded key, for ordered scans; the caller closes it. */
  public RowSetKeyCursor openKeys() {
    return new KeyReader(sealedFile(), footer.keys());
  }

  @Override
  protected void closeReaders() {
    keyReaders.close();
    timestampReaders.close();
  }
}
