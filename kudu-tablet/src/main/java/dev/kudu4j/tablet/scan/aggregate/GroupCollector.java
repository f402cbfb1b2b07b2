package dev.kudu4j.tablet.scan.aggregate;

import dev.kudu4j.tablet.batch.ColumnBatch;
import dev.kudu4j.tablet.cfile.CellSum;
import dev.kudu4j.tablet.scan.block.RowBlock;
import dev.kudu4j.tablet.scan.collect.Collector;
import dev.kudu4j.tablet.scan.source.ColumnSummary;
import java.io.IOException;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * Collects the groups of an aggregation. A group is part of each round in which it has rows, each
 * time with other rows, so the reader merges the parts.
 */
public final class GroupCollector implements Collector {
  private final Supplier<Aggregator> empty;
  private @Nullable Aggregator groups; // null once closed

  /**
   * @param empty creates an aggregator for each round
   */
  public GroupCollector(Supplier<Aggregator> empty) {
    this.empty = empty;
    this.groups = empty.get();
  }

  private Aggregator groups() {
    assert groups != null : "the collector is closed";
    return groups;
  }

  @Override
  public void visit(RowBlock rows) throws IOException {
    groups().visit(rows);
  }

  @Override
  public void count(long rows) {
    groups().count(rows);
  }

  @Override
  public boolean onlyCounts() {
    return groups().onlyCounts();
  }

  @Override
  public int @Nullable [] summarizedColumns() {
    return groups().summarizedColumns();
  }

  @Override
  public void addSummary(ColumnSummary summary) {
    groups().addSummary(summary);
  }

  @Override
  public int summedColumn() {
    return groups().summedColumn();
  }

  @Override
  public void add(CellSum sum) {
    groups().add(sum);
  }

  @Override
  public long bytes() {
    return groups().bytes();
  }

  @Override
  public long heapBytes() {
    return groups().bytes() + groups().chunkBytes();
  }

  @Override
  public void finish() {
    groups().finish();
  }

  @Override
  public int resultCount() {
    return groups().groupCount();
  }

  @Override
  public boolean append(int group, ColumnBatch out) {
    boolean exists = groups().isGroup(group);
    if (exists) {
      groups().append(group, out);
    }
    return exists;
  }

  @Override
  public void restart() {
    groups = empty.get();
  }

  @Override
  public void close() {
    groups = null;
  }
}
