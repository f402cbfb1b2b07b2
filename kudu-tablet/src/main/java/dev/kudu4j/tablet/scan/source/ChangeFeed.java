package dev.kudu4j.tablet.scan.source;

import dev.kudu4j.tablet.delta.DeltaFile;
import dev.kudu4j.tablet.delta.DeltaMemStore;
import java.io.IOException;

/**
 * The changes of one store of a DiskRowSet, handed out block by block in ascending ordinals. Always
 * one change ahead, so a block without changes costs one comparison.
 */
abstract class ChangeFeed implements AutoCloseable {
  private boolean started;
  private boolean pending;

  static ChangeFeed of(DeltaMemStore store) {
    return new OfStore(store);
  }

  /** The file's user count belongs to whoever pinned it. */
  static ChangeFeed of(DeltaFile file) {
    return new OfFile(file);
  }

  abstract void seek(long ordinal) throws IOException;

  abstract boolean next() throws IOException;

  abstract long ordinal();

  abstract void addTo(ChangeOverlay changes, int row);

  abstract void endBlock(ChangeOverlay changes);

  /** Adds the changes of the rows {@code [first, first + count)}, which lie behind all before. */
  final void addTo(ChangeOverlay changes, long first, int count) throws IOException {
    if (!started) {
      started = true;
      seek(first);
      pending = next();
    }
    if (!pending || ordinal() >= first + count) {
      return;
    }
    while (pending && ordinal() < first + count) {
      addTo(changes, (int) (ordinal() - first));
      pending = next();
    }
    endBlock(changes);
  }

  @Override
  public void close() {}

  private static final class OfStore extends ChangeFeed {
    private final DeltaMemStore.Cursor cursor;

    OfStore(DeltaMemStore store) {
      this.cursor = store.cursor();
    }

    @Override
    void seek(long ordinal) {
      cursor.seek(ordinal);
    }

    @Override
    boolean next() {
      return cursor.next();
    }

    @Override
    long ordinal() {
      return cursor.ordinal();
    }

    @Override
    void addTo(ChangeOverlay changes, int row) {
      changes.addChain(row, cursor.newest());
    }

    @Override
    void endBlock(ChangeOverlay changes) {}
  }

  private static final class OfFile extends ChangeFeed {
    private final DeltaFile file;
    private DeltaFile.Cursor cursor;

    OfFile(DeltaFile file) {
      this.file = file;
    }

    @Override
    void seek(long ordinal) throws IOException {
      cursor = file.openCursor();
      cursor.seek(ordinal);
    }

    @Override
    boolean next() throws IOException {
      return cursor.next();
    }

    @Override
    long ordinal() {
      return cursor.ordinal();
    }

    @Override
    void addTo(ChangeOverlay changes, int row) {
      changes.addFromFile(row, cursor.timestamp(), cursor.changeAddress());
    }

    @Override
    void endBlock(ChangeOverlay changes) {
      changes.endFile();
    }

    @Override
    public void close() {
      if (cursor != null) {
        cursor.close();
        cursor = null;
      }
    }
  }
}
