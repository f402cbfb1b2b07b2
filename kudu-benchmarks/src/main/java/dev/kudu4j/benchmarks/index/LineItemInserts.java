package dev.kudu4j.benchmarks.index;

import dev.kudu4j.benchmarks.selection.GlobalIndexes;
import dev.kudu4j.benchmarks.workload.LineItemPool;
import dev.kudu4j.benchmarks.workload.ours.TableTrial;
import dev.kudu4j.client.AlterTableOptions;
import dev.kudu4j.client.KuduException;
import org.HdrHistogram.Histogram;

/**
 * The load of TPC-H's {@code lineitem}, with background flush, from two threads. Rows are generated
 * before. Indexes are on a number and on a date as text.
 */
final class LineItemInserts extends TableTrial implements InsertWork {
  private static final int THREADS = 2;

  private final LineItemPool rows;

  LineItemInserts(String masters, LineItemPool rows) {
    super(masters);
    this.rows = rows;
  }

  @Override
  public String title() {
    return "lineitem";
  }

  @Override
  public void create(String name, Indexing indexing) throws KuduException {
    create(name, 1);
    if (indexing != Indexing.NONE) {
      AlterTableOptions options = new AlterTableOptions();
      indexing.on("l_partkey", "l_shipdate").forEach(options::addIndex);
      client().alterTable(name, options);
      GlobalIndexes.awaitReady(client(), name);
    }
  }

  @Override
  public boolean isSingle() {
    return false;
  }

  @Override
  public long rows() {
    return rows.rows();
  }

  @Override
  public Histogram insert(double maxPerSecond) throws Exception {
    load(rows, THREADS);
    return new Histogram(3);
  }

  @Override
  public void awaitIndexes() throws KuduException {
    GlobalIndexes.awaitRows(client(), table().getName(), rows());
  }
}
