package dev.kudu4j.tablet.delta;

import dev.kudu4j.common.memory.Memory;
import dev.kudu4j.tablet.cache.Page;
import dev.kudu4j.tablet.env.TabletEnvironment;
import dev.kudu4j.tablet.file.BlockKind;
import dev.kudu4j.tablet.file.BlockReads;
import dev.kudu4j.tablet.file.FileKind;
import dev.kudu4j.tablet.file.SealedFile;
import dev.kudu4j.tablet.file.StoredFile;
import java.io.IOException;
import java.nio.file.Path;
import org.jspecify.annotations.Nullable;

/**
 * Changes of a rowset's rows on disk, sorted by ordinal; the changes of one row are in the order of
 * the file's {@link DeltaFileWriter.Kind}.
 */
public final class DeltaFile extends StoredFile {
  private final DeltaFileFooter footer;

  private DeltaFile(Opened opened) {
    super(opened);
    this.footer = DeltaFileFooter.of(opened.file());
  }

  /**
   * Opens the file and validates header and footer. The caller holds the first reference.
   *
   * @throws dev.kudu4j.common.status.KuduException CORRUPTION for a damaged file, NOT_SUPPORTED for
   *     a different format version
   */
  public static DeltaFile open(TabletEnvironment environment, Path file) throws IOException {
    return open(environment, file, FileKind.DELTA, "delta files", DeltaFile::new);
  }

  public DeltaFileWriter.Kind kind() {
    return footer.kind();
  }

  public long count() {
    return footer.count();
  }

  /** The number of deletes and reinserts. If 0, this file does not change which rows are live. */
  public long livenessChangeCount() {
    return footer.livenessChangeCount();
  }

  /** Long.MAX_VALUE if the file is empty. */
  public long minTimestamp() {
    return footer.minTimestamp();
  }

  public long maxTimestamp() {
    return footer.maxTimestamp();
  }

  /**
   * Whether a change of the file sets the column. If not, readers of the column can skip the file.
   */
  public boolean touchesColumn(int columnId) {
    return changesOf(columnId) > 0;
  }

  /** The number of changes that set the column. */
  public long changesOf(int columnId) {
    return footer.changesOf(columnId);
  }

  /** The whole footer, for checks and dumps. */
  public DeltaFileFooter footer() {
    return footer;
  }

  /**
   * Validates the bytes of a {@link RowChange}: returns null, or a description of the corruption.
   */
  public static @Nullable String validateChange(long changeAddress, int changeLength) {
    return ChangeBytes.check(changeAddress, changeLength);
  }

  /** A cursor before the first change; the caller closes it. */
  public Cursor openCursor() {
    return openCursor(null);
  }

  /**
   * Like {@link #openCursor()}.
   *
   * @param reads counts the blocks; null to count nothing
   */
  public Cursor openCursor(@Nullable BlockReads reads) {
    return new BlockCursor(sealedFile(), footer, reads);
  }

  /** Walks changes in file order. Not thread-safe. */
  public interface Cursor extends AutoCloseable {
    /** Moves before the first change of the first row at or above the ordinal. */
    void seek(long ordinal) throws IOException;

    boolean next() throws IOException;

    /** Whether another change of the current row follows. */
    boolean hasMoreOfRow();

    /**
     * Like {@link #next}, but may skip changes of the current row that set none of {@code columns}
     * (a bit set as in {@link RowChange#columnMask}) or whose timestamp is outside {@code [from,
     * to)}. Whole blocks of a frequently changed row can be skipped without reading them.
     */
    boolean nextRelevant(long columns, long from, long to) throws IOException;

    /** Moves to the first change of the next changed row; false at the end. */
    boolean nextRow() throws IOException;

    /** The current change, readable by {@link Mutation}; valid until the cursor moves. */
    long entry();

    long ordinal();

    long timestamp();

    int sequence();

    /** The address of the {@link RowChange} bytes; valid until the cursor moves. */
    long changeAddress();

    int changeLength();

    @Override
    void close();
  }

  /** Keeps one block pinned. {@code entry} is the address of the current entry, or 0. */
  private static final class BlockCursor implements Cursor {
    private static final int UNKNOWN = -1;

    private final SealedFile file;
    private final DeltaFileFooter footer;
    private final @Nullable BlockReads reads;
    private @Nullable Page buffer; // null before the first block
    private int loaded = -1; // the block in the buffer, or -1
    private int block; // the block of the next entry
    private int index; // the index of the next entry in its block
    private int loadedCount; // the entry count of the loaded block
    private long next; // the address of the next entry if its block is loaded
    private long entry;
    private long ordinal; // of the current entry
    private long nextOrdinal; // of the next entry, if known
    private int nextLength = UNKNOWN; // the validated length of the next entry's change

    BlockCursor(SealedFile file, DeltaFileFooter footer, @Nullable BlockReads reads) {
      this.file = file;
      this.footer = footer;
      this.reads = reads;
    }

    @Override
    public void seek(long ordinal) throws IOException {
      int target = footer.blockOf(ordinal);
      boolean ahead = target == block && target == loaded && index > 0 && this.ordinal < ordinal;
      if (!ahead) {
        block = target;
        index = 0;
      }
      if (block >= footer.blocks().size()) {
        return;
      }
      load();
      while (index < count() && nextOrdinal() < ordinal) {
        skip();
      }
    }

    @Override
    public boolean hasMoreOfRow() {
      if (index < count()) {
        return nextOrdinal() == ordinal();
      }
      return block + 1 < footer.blocks().size()
          && footer.blocks().get(block + 1).firstOrdinal() == ordinal();
    }

    @Override
    public boolean nextRelevant(long columns, long from, long to) throws IOException {
      long row = ordinal();
      if (index >= count()) {
        while (block + 1 < footer.blocks().size()
            && isIrrelevant(footer.blocks().get(block + 1), row, columns, from, to)) {
          block++;
          index = count();
        }
      }
      if (!next()) {
        return false;
      }
      int last = count();
      while (index < last && isIrrelevant(columns, from, to) && isNextOf(row)) {
        skip();
      }
      return true;
    }

    private static boolean isIrrelevant(
        DeltaFileFooter.Block block, long row, long columns, long from, long to) {
      return block.firstOrdinal() == row
          && block.lastOrdinal() == row
          && (block.minTimestamp() >= to
              || block.maxTimestamp() < from
              || (block.columns() & columns) == 0);
    }

    /** Whether {@link #nextRelevant} may skip the current change. */
    private boolean isIrrelevant(long columns, long from, long to) {
      long timestamp = Mutation.timestamp(entry);
      return timestamp >= to
          || timestamp < from
          || (RowChange.columnMask(Mutation.changeAddress(entry)) & columns) == 0;
    }

    private boolean isNextOf(long row) {
      return ordinal() == row && nextOrdinal() == row;
    }

    @Override
    public boolean nextRow() throws IOException {
      long row = ordinal();
      if (index < count() && nextOrdinal() != row) {
        skip();
        return true;
      }
      if (footer.blocks().get(block).lastOrdinal() == row) {
        block = footer.blockOf(row + 1);
        index = 0;
      }
      boolean more = next();
      while (more && ordinal() == row) {
        skip();
      }
      return more;
    }

    private long nextOrdinal() {
      readNextHeader();
      return nextOrdinal;
    }

    private int count() {
      return block == loaded ? loadedCount : footer.blocks().get(block).count();
    }

    @Override
    public boolean next() throws IOException {
      if (block < footer.blocks().size() && index >= count()) {
        block++;
        index = 0;
      }
      if (block >= footer.blocks().size()) {
        return false;
      }
      load();
      skip();
      return true;
    }

    /** Makes the next entry the current one. */
    private void skip() {
      readNextHeader();
      entry = next;
      ordinal = nextOrdinal;
      next += DeltaBlockFormat.ENTRY_HEADER_BYTES + nextLength;
      nextLength = UNKNOWN;
      index++;
    }

    /**
     * Reads the ordinal and the length of the next entry, once per entry, and checks that the
     * entry's change is within the block.
     */
    private void readNextHeader() {
      if (nextLength != UNKNOWN) {
        return;
      }
      assert buffer != null : "the block of the next entry is loaded";
      long left = buffer.address() + buffer.bytes() - next;
      int length = left < DeltaBlockFormat.ENTRY_HEADER_BYTES ? -1 : Memory.getInt(next + 20);
      if (length < 0 || length > left - DeltaBlockFormat.ENTRY_HEADER_BYTES) {
        throw broken("a change within %d bytes, found a length of %d", left, length);
      }
      nextOrdinal = Memory.getLong(next);
      nextLength = length;
    }

    private RuntimeException broken(String expected, long limit, long found) {
      return file.broken(
          footer.blocks().get(block).location().offset(),
          "delta block: expected %s",
          expected.formatted(limit, found));
    }

    private void load() throws IOException {
      if (loaded == block) {
        if (index == 0) {
          moveToFirst();
        }
        return;
      }
      release();
      DeltaFileFooter.Block wanted = footer.blocks().get(block);
      Page pinned =
          file.pin(
              BlockKind.DELTA_BLOCK, wanted.location().offset(), wanted.location().bytes(), reads);
      buffer = pinned;
      int found =
          pinned.bytes() < DeltaBlockFormat.HEADER_BYTES ? -1 : Memory.getInt(pinned.address());
      if (found != wanted.count()) {
        throw broken("%d changes, found %d", wanted.count(), found);
      }
      loaded = block;
      loadedCount = wanted.count();
      moveToFirst();
    }

    private void moveToFirst() {
      assert buffer != null : "the block is loaded";
      next = buffer.address() + DeltaBlockFormat.HEADER_BYTES;
      nextLength = UNKNOWN;
    }

    @Override
    public long entry() {
      return entry;
    }

    @Override
    public long ordinal() {
      return ordinal;
    }

    @Override
    public long timestamp() {
      return Mutation.timestamp(entry);
    }

    @Override
    public int sequence() {
      return Mutation.sequence(entry);
    }

    @Override
    public long changeAddress() {
      return Mutation.changeAddress(entry);
    }

    @Override
    public int changeLength() {
      return Mutation.changeLength(entry);
    }

    private void release() {
      loaded = -1;
      if (buffer != null) {
        buffer.unpin();
        buffer = null;
      }
    }

    @Override
    public void close() {
      release();
    }
  }
}
