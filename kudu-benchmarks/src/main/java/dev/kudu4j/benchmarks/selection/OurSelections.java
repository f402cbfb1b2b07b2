package dev.kudu4j.benchmarks.selection;

import com.google.protobuf.ByteString;
import dev.kudu4j.Schema;
import dev.kudu4j.benchmarks.cluster.Poll;
import dev.kudu4j.benchmarks.selection.ours.TableSelections;
import dev.kudu4j.benchmarks.workload.ours.BackgroundWrites;
import dev.kudu4j.client.AbstractKuduScannerBuilder;
import dev.kudu4j.client.AlterTableOptions;
import dev.kudu4j.client.CreateTableOptions;
import dev.kudu4j.client.KuduAggregate;
import dev.kudu4j.client.KuduAggregateBuilder;
import dev.kudu4j.client.KuduCondition;
import dev.kudu4j.client.KuduException;
import dev.kudu4j.client.KuduIndex;
import dev.kudu4j.client.KuduIndexHint;
import dev.kudu4j.client.KuduScanner;
import dev.kudu4j.client.KuduScanner.KuduScannerBuilder;
import dev.kudu4j.client.ScanCounter;
import dev.kudu4j.client.ScanReport;
import dev.kudu4j.client.Update;
import java.util.Iterator;
import java.util.List;
import java.util.Optional;
import java.util.function.Function;

/**
 * A table of Kudu4j, read with what only its client has: hints about indexes, conditions with OR,
 * counts by the servers.
 */
public final class OurSelections extends TableSelections {
  private static final long LOCATE_TIMEOUT_MILLIS = 30_000;
  private static final long BUILD_TIMEOUT_MILLIS = 1_800_000;
  private static final long BUILD_POLL_MILLIS = 20;

  /** An answer, and how the servers found it. */
  public record Explained(Answer answer, ScanReport.Tablet report) {}

  /** Creates the table. */
  public OurSelections(String masters, GeneratedTable rows, int tablets) throws KuduException {
    this(masters, rows, tablets, List.of());
  }

  /** Creates the table with indexes. */
  public OurSelections(String masters, GeneratedTable rows, int tablets, List<KuduIndex> indexes)
      throws KuduException {
    super(masters, rows, options(rows, tablets, indexes));
  }

  private static CreateTableOptions options(
      GeneratedTable rows, int tablets, List<KuduIndex> indexes) {
    CreateTableOptions options = partitioning(rows, tablets);
    indexes.forEach(options::addIndex);
    return options;
  }

  @Override
  public Answer answer(Selection selection) throws KuduException {
    return answer(selection, KuduIndexHint.optimizer());
  }

  /** Reads the selected rows with the given indexes. */
  public Answer answer(Selection selection, KuduIndexHint hint) throws KuduException {
    if (selection.counts()) {
      KuduAggregate aggregate = counting(selection, hint).build();
      Optional<String> index = aggregate.getIndex();
      Answer answer = count(aggregate);
      checkRead(index, aggregate.getIndex());
      return answer;
    }
    KuduScanner scanner = reading(selection, hint).build();
    Optional<String> index = scanner.getIndex();
    Answer answer = read(scanner);
    checkRead(index, scanner.getIndex());
    return answer;
  }

  /** The figure of a plan would be wrong if the client had read the table after all. */
  private void checkRead(Optional<String> chosen, Optional<String> read) {
    if (!read.equals(chosen)) {
      throw new IllegalStateException(
          "%s was read, since its index %s could not be"
              .formatted(table().getName(), chosen.orElseThrow()));
    }
  }

  /** Like {@link #answer(Selection, KuduIndexHint)}, with the counters of the servers. */
  public Explained explain(Selection selection, KuduIndexHint hint) throws KuduException {
    if (selection.counts()) {
      KuduAggregate aggregate = counting(selection, hint).report(true).build();
      Answer answer = count(aggregate);
      return new Explained(answer, aggregate.getScanReport().getTotal());
    }
    KuduScanner scanner = reading(selection, hint).report(true).build();
    Answer answer = read(scanner);
    return new Explained(answer, scanner.getScanReport().getTotal());
  }

  /**
   * The number of rows of a range that the servers expect by one of the column's indexes. Rows in
   * memory count if they are indexed.
   *
   * @param hint that allows local indexes only
   */
  public long estimate(Range range, KuduIndexHint hint) throws KuduException {
    Selection selection = Selection.and(List.of(range.column()), range);
    KuduScanner scanner = reading(selection, hint).planOnly(true).build();
    read(scanner);
    return scanner.getScanReport().getTotal().getIndexes().stream()
        .filter(index -> index.getName().equals(TwinIndexes.plainName(range.column())))
        .mapToLong(ScanReport.Index::getEstimatedRows)
        .sum();
  }

  private KuduScannerBuilder reading(Selection selection, KuduIndexHint hint) {
    KuduScannerBuilder builder =
        client().newScannerBuilder(table()).setProjectedColumnNames(selection.columns());
    filter(builder, selection, hint);
    return builder;
  }

  private KuduAggregateBuilder counting(Selection selection, KuduIndexHint hint) {
    KuduAggregateBuilder builder = table().aggregate().count("rows").scanners(1);
    filter(builder, selection, hint);
    return builder;
  }

  private static Answer count(KuduAggregate aggregate) throws KuduException {
    return new Answer(aggregate.execute().next().getLong(0), 0);
  }

  private void filter(
      AbstractKuduScannerBuilder<?, ?> builder, Selection selection, KuduIndexHint hint) {
    if (selection.isOr()) {
      builder.addCondition(
          KuduCondition.or(
              selection.ranges().stream().map(this::condition).toArray(KuduCondition[]::new)));
    } else {
      selection.ranges().forEach(range -> predicates(range).forEach(builder::addPredicate));
    }
    builder.indexHint(hint);
  }

  private KuduCondition condition(Range range) {
    return KuduCondition.and(
        predicates(range).stream()
            .map(predicate -> predicate.asCondition())
            .toArray(KuduCondition[]::new));
  }

  public Schema schema() {
    return table().getSchema();
  }

  /** The id of the table's first tablet, as requests have it. */
  public ByteString firstTabletId() throws Exception {
    byte[] id = table().getTabletsLocations(LOCATE_TIMEOUT_MILLIS).get(0).getTabletId();
    return ByteString.copyFrom(id);
  }

  /**
   * Updates a column in every n-th row, and returns when the last update is acknowledged.
   *
   * @param cell the new cell of a row
   */
  public void update(String column, int n, Function<Object[], Object> cell) throws KuduException {
    Iterator<Object[]> all = rows().rows(1, 1);
    Iterator<Update> updates =
        new Iterator<>() {
          @Override
          public boolean hasNext() {
            return all.hasNext();
          }

          @Override
          public Update next() {
            Object[] row = all.next();
            Update update = table().newUpdate();
            update.getRow().addObject(0, row[0]);
            update.getRow().addObject(column, cell.apply(row));
            for (int i = 1; i < n && all.hasNext(); i++) {
              all.next();
            }
            return update;
          }
        };
    BackgroundWrites.apply(client(), updates);
  }

  /** Creates indexes; the servers build them in the background. */
  public void addIndexes(List<KuduIndex> indexes) throws KuduException {
    AlterTableOptions options = new AlterTableOptions();
    indexes.forEach(options::addIndex);
    client().alterTable(table().getName(), options);
  }

  /** Waits until the global indexes are built, and opens the table again to read them. */
  public void awaitGlobalIndexes() throws KuduException {
    GlobalIndexes.awaitReady(client(), table().getName());
    reopen();
  }

  /**
   * Waits until all rowsets have a local index.
   *
   * @param any a range of the indexed column
   */
  public void awaitIndex(KuduIndex index, Range any) {
    Selection probe = Selection.and(List.of(any.column()), any);
    Poll.until(
        "all rowsets of " + table().getName() + " have the index " + index.getName(),
        BUILD_TIMEOUT_MILLIS,
        BUILD_POLL_MILLIS,
        () -> isBuilt(index, probe));
  }

  private boolean isBuilt(KuduIndex index, Selection probe) {
    try {
      ScanReport.Tablet report = explain(probe, KuduIndexHint.force(index.getName())).report();
      return report.get(ScanCounter.ROWSETS_INDEXED)
          >= report.get(ScanCounter.ROWSETS) - report.get(ScanCounter.ROWSETS_OUTSIDE);
    } catch (KuduException e) {
      throw new IllegalStateException("Cannot read " + table().getName(), e);
    }
  }
}
