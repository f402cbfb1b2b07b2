package dev.kudu4j.tools.cluster;

import dev.kudu4j.ColumnSchema;
import dev.kudu4j.client.RowResult;
import dev.kudu4j.client.RowResultIterator;
import dev.kudu4j.tools.cell.CellReader;
import dev.kudu4j.tools.cell.CellWriter;
import dev.kudu4j.tools.connection.ClusterCalls;
import dev.kudu4j.tools.console.Counter;
import dev.kudu4j.tools.console.ListColumn;
import dev.kudu4j.tools.console.ListFormat;
import dev.kudu4j.tools.console.ListPrinter;
import java.io.PrintWriter;
import java.util.ArrayList;
import java.util.List;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/** Prints the rows of one replica, as its server reads them. */
@Command(
    name = "dump",
    description = {
      "Prints the rows of one replica, leader or follower, even if its tablet has no leader.",
      "A follower may lag behind the leader. The rows are in no particular order.",
      "The row count is printed to stderr."
    },
    footer = {
      "  kudu remote_replica dump 127.0.0.1:7050 TABLET",
      "  diff <(kudu remote_replica dump 127.0.0.1:7050 TABLET --format=csv | sort) \\",
      "       <(kudu remote_replica dump 127.0.0.1:7060 TABLET --format=csv | sort)"
    })
final class RemoteReplicaDumpVerb extends RemoteReplicaVerbs.OfReplica {
  @Option(
      names = "--format",
      paramLabel = "FORMAT",
      defaultValue = "pretty",
      description = "${COMPLETION-CANDIDATES}; default ${DEFAULT-VALUE}.")
  private ListFormat format;

  @Override
  public Integer call() {
    try (ClusterCalls calls = cluster().withoutMasters()) {
      ReplicaScan scan =
          new ReplicaScan(
              calls, address(), RemoteReplicaVerbs.demandRunning(calls, address(), tablet()));
      long rows = print(scan);
      err().println(rows + (rows == 1 ? " row" : " rows"));
      err().flush();
    }
    return DONE;
  }

  private long print(ReplicaScan scan) {
    List<ColumnSchema> columns = scan.schema().getColumns();
    List<ListColumn> titles =
        columns.stream()
            .map(column -> new ListColumn(column.getName(), CellReader.isNumber(column.getType())))
            .toList();
    PrintWriter rowsOut = new PrintWriter(out(), false); // does not flush each line, unlike out()
    long rows = 0;
    try (scan;
        Counter counter = Counter.rows("dump");
        ListPrinter list = format.openWithNulls(titles, rowsOut)) {
      while (scan.hasMore() && !rowsOut.checkError() && !System.out.checkError()) {
        RowResultIterator batch = scan.next();
        rows += batch.getNumRows();
        counter.at(rows);
        batch.forEachRemaining(row -> list.row(cells(row, columns)));
      }
    }
    return rows;
  }

  private static List<Object> cells(RowResult row, List<ColumnSchema> columns) {
    List<Object> cells = new ArrayList<>(columns.size());
    for (int i = 0; i < columns.size(); i++) {
      cells.add(CellWriter.of(row, i, columns.get(i)));
    }
    return cells;
  }
}
