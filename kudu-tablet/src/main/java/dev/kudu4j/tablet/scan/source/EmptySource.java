package dev.kudu4j.tablet.scan.source;

import dev.kudu4j.common.key.KeyBuffer;
import dev.kudu4j.tablet.batch.ColumnBatch;
import org.jspecify.annotations.Nullable;

/** A source without rows, for contradicting predicates or bounds. */
final class EmptySource implements RowSource {
  @Override
  public void readBlock(ColumnBatch out, int maxRows, @Nullable BatchKeys keys) {}

  @Override
  public void visitBlock(BlockVisitor visitor) {}

  @Override
  public boolean isExhausted() {
    return true;
  }

  @Override
  public byte[] lowestKey() {
    return new byte[0];
  }

  @Override
  public void lastKey(KeyBuffer out) {
    out.clear();
  }

  @Override
  public long rowsScanned() {
    return 0;
  }

  @Override
  public long bytesRead() {
    return 0;
  }

  @Override
  public void close() {}
}
