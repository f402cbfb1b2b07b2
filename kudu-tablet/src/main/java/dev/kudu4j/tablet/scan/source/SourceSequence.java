package dev.kudu4j.tablet.scan.source;

import dev.kudu4j.common.key.KeyBuffer;
import dev.kudu4j.tablet.batch.ColumnBatch;
import java.io.IOException;
import java.util.ArrayDeque;
import java.util.List;
import java.util.Queue;
import org.jspecify.annotations.Nullable;

/**
 * Reads one source after the other and closes each source at its end. The rows are not in key
 * order.
 */
public final class SourceSequence implements RowSource {
  private static final byte[] NO_KEY = new byte[0];

  private final Queue<RowSource> sources;
  private final KeyBuffer lastKey = new KeyBuffer();
  private final @Nullable BlockMemory shared;
  private final boolean wantsLastKey;
  private boolean appended;
  private long rowsOfDone;
  private long bytesOfDone;

  /** Takes ownership of the sources and of the memory that they share. */
  SourceSequence(List<? extends RowSource> sources, BlockMemory shared, boolean wantsLastKey) {
    this.sources = new ArrayDeque<>(sources);
    this.shared = shared;
    this.wantsLastKey = wantsLastKey;
  }

  @Override
  public void readBlock(ColumnBatch out, int maxRows, @Nullable BatchKeys keys) throws IOException {
    if (isExhausted()) {
      return;
    }
    int before = out.rowCount();
    sources.peek().readBlock(out, maxRows, keys);
    appended |= out.rowCount() > before;
  }

  @Override
  public void visitBlock(BlockVisitor visitor) throws IOException {
    if (!isExhausted()) {
      sources.peek().visitBlock(visitor);
    }
  }

  @Override
  public void prepare() throws IOException {
    for (RowSource source : sources) {
      source.prepare();
    }
  }

  @Override
  public boolean isExhausted() throws IOException {
    while (!sources.isEmpty() && sources.peek().isExhausted()) {
      rememberLastKey();
      closeFirst();
    }
    return sources.isEmpty();
  }

  private void rememberLastKey() throws IOException {
    if (wantsLastKey && appended) {
      sources.peek().lastKey(lastKey);
      appended = false;
    }
  }

  private void closeFirst() {
    try (RowSource done = sources.remove()) {
      rowsOfDone += done.rowsScanned();
      bytesOfDone += done.bytesRead();
    }
  }

  @Override
  public byte[] lowestKey() {
    return NO_KEY;
  }

  @Override
  public void lastKey(KeyBuffer out) throws IOException {
    if (!sources.isEmpty()) {
      rememberLastKey();
    }
    out.clear();
    out.append(lastKey.array(), 0, lastKey.length());
  }

  @Override
  public long rowsScanned() {
    return rowsOfDone + (sources.isEmpty() ? 0 : sources.peek().rowsScanned());
  }

  @Override
  public long bytesRead() {
    return bytesOfDone + (sources.isEmpty() ? 0 : sources.peek().bytesRead());
  }

  @Override
  public void close() {
    sources.forEach(RowSource::close);
    sources.clear();
    if (shared != null) {
      shared.close();
    }
  }
}
