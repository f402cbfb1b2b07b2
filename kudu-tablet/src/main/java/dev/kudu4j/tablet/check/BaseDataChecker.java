package dev.kudu4j.tablet.check;

import dev.kudu4j.common.memory.Memory;
import dev.kudu4j.tablet.batch.ColumnVector;
import dev.kudu4j.tablet.bloom.BloomChunk;
import dev.kudu4j.tablet.bloom.KeyHash;
import dev.kudu4j.tablet.cfile.ColumnIndex;
import dev.kudu4j.tablet.cfile.ColumnReader;
import dev.kudu4j.tablet.env.TabletEnvironment;
import dev.kudu4j.tablet.file.BlockBuffer;
import dev.kudu4j.tablet.file.BlockKind;
import dev.kudu4j.tablet.file.BlockLocation;
import dev.kudu4j.tablet.file.SealedFile;
import dev.kudu4j.tablet.rowset.BaseData;
import dev.kudu4j.tablet.rowset.BaseDataFooter;
import dev.kudu4j.tablet.rowset.KeyIndex;
import dev.kudu4j.tablet.rowset.RowSetKeyCursor;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.apache.arrow.memory.BufferAllocator;
import org.jspecify.annotations.Nullable;

/**
 * Checks a base data file: all checksums are right; blocks fill the file; row counts agree; page
 * statistics match the cells; keys ascend, match the key cells of their rows and lie between the
 * separators of the key pages; the Bloom filter contains each key; look-ups find the first key of
 * each page.
 */
public final class BaseDataChecker {
  private final BaseData data;
  private final BaseDataFooter footer;
  private final SealedFile file;
  private final BufferAllocator allocator;
  private final Problems problems;

  private BaseDataChecker(BaseData data, BufferAllocator allocator, Problems problems) {
    this.data = data;
    this.footer = data.footer();
    this.file = data.sealedFile();
    this.allocator = allocator;
    this.problems = problems;
  }

  /**
   * Reads the whole file and returns its problems; empty if there are none.
   *
   * @throws IOException if the file cannot be read
   */
  public static List<String> check(TabletEnvironment environment, Path path) throws IOException {
    Problems problems = new Problems(path.toString());
    problems.collect(
        () -> {
          BaseData data = BaseData.open(environment.uncached(), path);
          try {
            new BaseDataChecker(data, environment.allocator(), problems).checkAll();
          } finally {
            data.release();
          }
        });
    return problems.list();
  }

  /**
   * Reads the whole file and throws if there is a problem.
   *
   * @throws dev.kudu4j.common.status.KuduException CORRUPTION with all problems
   */
  public static void verify(TabletEnvironment environment, Path path) throws IOException {
    Problems.throwIfAny(check(environment, path));
  }

  private void checkAll() throws IOException {
    problems.checkTiling(file, blocks());
    ColumnCheck columns = new ColumnCheck(file, allocator, problems);
    for (ColumnIndex column : footer.columns()) {
      columns.check(column);
    }
    columns.check(footer.insertTimestamps());
    problems.collect(this::checkTimestampBounds);
    problems.collect(this::checkKeys);
    problems.collect(this::checkKeyCells);
  }

  private void checkKeyCells() throws IOException {
    try (KeyCellCheck check = new KeyCellCheck(data, allocator, problems)) {
      check.check();
    }
  }

  private List<BlockLocation> blocks() {
    List<BlockLocation> blocks = new ArrayList<>();
    for (ColumnIndex column : footer.columns()) {
      ColumnCheck.addPages(column, blocks);
    }
    ColumnCheck.addPages(footer.insertTimestamps(), blocks);
    KeyIndex keys = footer.keys();
    for (int page = 0; page < keys.pageCount(); page++) {
      blocks.add(keys.location(page));
    }
    for (int chunk = 0; chunk < keys.chunkCount(); chunk++) {
      blocks.add(keys.chunkLocation(chunk));
    }
    return blocks;
  }

  private void checkTimestampBounds() throws IOException {
    ColumnIndex timestamps = footer.insertTimestamps();
    long smallest = Long.MAX_VALUE;
    long largest = Long.MIN_VALUE;
    try (ColumnReader reader = new ColumnReader(file, timestamps, allocator);
        ColumnVector cells = new ColumnVector(allocator, timestamps.column().type(), false)) {
      for (int page = 0; page < timestamps.pageCount(); page++) {
        cells.clear();
        reader.read(timestamps.firstOrdinal(page), timestamps.rowCount(page), cells);
        for (int row = 0; row < cells.rowCount(); row++) {
          long timestamp = Memory.getLong(cells.cellAddress(row));
          smallest = Math.min(smallest, timestamp);
          largest = Math.max(largest, timestamp);
        }
      }
    }
    if (footer.rowCount() > 0
        && (smallest != footer.minInsertTimestamp() || largest != footer.maxInsertTimestamp())) {
      problems.add(
          file.footerOffset(),
          "insert timestamps: expected %d to %d, found %d to %d",
          footer.minInsertTimestamp(),
          footer.maxInsertTimestamp(),
          smallest,
          largest);
    }
  }

  private void checkKeys() throws IOException {
    KeyIndex keys = footer.keys();
    try (RowSetKeyCursor cursor = data.openKeys();
        BlockBuffer bloom = new BlockBuffer(allocator)) {
      byte @Nullable [] previous = null;
      int chunk = -1;
      for (int page = 0; page < keys.pageCount(); page++) {
        if (keys.chunkOf(page) != chunk) {
          chunk = keys.chunkOf(page);
          BlockLocation location = keys.chunkLocation(chunk);
          file.read(BlockKind.BLOOM_CHUNK, location.offset(), location.bytes(), bloom);
        }
        previous = checkKeyPage(cursor, page, previous, bloom);
      }
      if (cursor.next()) {
        problems.add(
            file.footerOffset(), "expected no further key, found ordinal %d", cursor.ordinal());
      }
      if (!Arrays.equals(previous, keys.maxKey())) {
        problems.add(
            file.footerOffset(),
            "largest key: expected %s, found %s",
            Hex.of(keys.maxKey()),
            Hex.of(previous));
      }
    }
  }

  /** Checks the keys of a page; returns its last key. */
  private byte @Nullable [] checkKeyPage(
      RowSetKeyCursor cursor, int page, byte @Nullable [] before, BlockBuffer bloom)
      throws IOException {
    KeyIndex keys = footer.keys();
    long offset = keys.location(page).offset();
    byte @Nullable [] previous = before;
    for (int row = 0; row < keys.rowCount(page); row++) {
      long ordinal = keys.firstOrdinal(page) + row;
      if (!cursor.next() || cursor.ordinal() != ordinal) {
        problems.add(offset, "expected the key of ordinal %d, found %d", ordinal, cursor.ordinal());
        return previous;
      }
      byte[] key = Arrays.copyOf(cursor.keyArray(), cursor.keyLength());
      if (row == 0) {
        checkFirstKey(page, previous, key);
      }
      if (previous != null && Arrays.compareUnsigned(previous, key) >= 0) {
        problems.add(
            offset,
            "key of ordinal %d: expected a key above %s, found %s",
            ordinal,
            Hex.of(previous),
            Hex.of(key));
      }
      if (!BloomChunk.mayContain(bloom.address(), bloom.bytes(), KeyHash.of(key, 0, key.length))) {
        problems.add(
            keys.chunkLocation(keys.chunkOf(page)).offset(),
            "Bloom chunk: expected to contain the key of ordinal %d, did not find %s",
            ordinal,
            Hex.of(key));
      }
      previous = key;
    }
    return previous;
  }

  private void checkFirstKey(int page, byte @Nullable [] previous, byte[] key) throws IOException {
    KeyIndex keys = footer.keys();
    long offset = keys.location(page).offset();
    byte[] separator = keys.separator(page);
    boolean separates =
        Arrays.compareUnsigned(separator, key) <= 0
            && (previous == null || Arrays.compareUnsigned(previous, separator) < 0);
    if (!separates) {
      problems.add(
          offset, "separator: expected at most %s, found %s", Hex.of(key), Hex.of(separator));
    }
    if (page == 0 && !Arrays.equals(key, keys.minKey())) {
      problems.add(
          file.footerOffset(),
          "smallest key: expected %s, found %s",
          Hex.of(keys.minKey()),
          Hex.of(key));
    }
    long found = data.find(key, 0, key.length);
    if (found != keys.firstOrdinal(page)) {
      problems.add(
          offset,
          "lookup of %s: expected ordinal %d, found %d",
          Hex.of(key),
          keys.firstOrdinal(page),
          found);
    }
  }
}
