package dev.kudu4j.server.replica;

import dev.kudu4j.tablet.Tablet;
import dev.kudu4j.tablet.TabletDescriptor;
import dev.kudu4j.tablet.apply.RowFootprint;
import dev.kudu4j.tablet.log.FedRows;
import dev.kudu4j.tablet.log.FeedMark;
import dev.kudu4j.tablet.log.LogEntry;
import dev.kudu4j.tablet.log.LogPosition;
import dev.kudu4j.tablet.log.RequestId;
import dev.kudu4j.tablet.log.RequestResult;
import dev.kudu4j.tablet.transaction.OpenTransaction;
import java.io.IOException;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Adapts a tablet to a replicated state. */
record ReplicatedTablet(Tablet tablet) implements ReplicaState {
  @Override
  public LogPosition checkpoint() {
    return tablet.checkpoint();
  }

  @Override
  public long maxTimestamp() {
    return tablet.maxTimestamp();
  }

  @Override
  public @Nullable FeedMark feedMark() {
    TabletDescriptor descriptor = tablet.descriptor();
    return descriptor.isDerived() ? descriptor.feedMark() : null;
  }

  @Override
  public long memoryBytes(FedRows rows) {
    RowFootprint footprint = new RowFootprint(tablet.schema());
    return rows.groups().stream().mapToLong(group -> footprint.bytesOf(group.rows().rows())).sum();
  }

  @Override
  public List<RequestResult> apply(LogPosition position, LogEntry entry) {
    return tablet.apply(position, entry);
  }

  @Override
  public void applyNothing(LogPosition position) {
    tablet.skipEntry(position);
  }

  @Override
  public @Nullable RequestResult remembered(RequestId id) {
    return tablet.cachedResult(id);
  }

  @Override
  public List<OpenTransaction> openTransactions() {
    return tablet.openTransactions();
  }

  @Override
  public byte @Nullable [] attribute(String name) {
    return tablet.descriptor().attributes().get(name);
  }

  @Override
  public LogPosition flush() throws IOException {
    return tablet.flush();
  }

  @Override
  public LogPosition flushEpoch() throws IOException {
    return tablet.flushEpoch();
  }

  @Override
  public void close() {
    tablet.close();
  }
}
