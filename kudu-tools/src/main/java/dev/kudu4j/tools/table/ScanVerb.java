package dev.kudu4j.tools.table;

import dev.kudu4j.ColumnSchema;
import dev.kudu4j.Schema;
import dev.kudu4j.client.AbstractKuduScannerBuilder;
import dev.kudu4j.client.AsyncKuduScanner.ReadMode;
import dev.kudu4j.client.KuduAggregate;
import dev.kudu4j.client.KuduAggregateBuilder;
import dev.kudu4j.client.KuduClient;
import dev.kudu4j.client.KuduIndexHint;
import dev.kudu4j.client.KuduScanner;
import dev.kudu4j.client.KuduTable;
import dev.kudu4j.client.ReplicaSelection;
import dev.kudu4j.client.RowResult;
import dev.kudu4j.client.RowResultIterator;
import dev.kudu4j.client.ScanReport;
import dev.kudu4j.common.expression.TopN;
import dev.kudu4j.common.status.KuduException;
import dev.kudu4j.tools.cell.CellReader;
import dev.kudu4j.tools.cell.CellWriter;
import dev.kudu4j.tools.cell.PastTime;
import dev.kudu4j.tools.connection.ClusterCalls;
import dev.kudu4j.tools.connection.ClusterVerb;
import dev.kudu4j.tools.connection.Target;
import dev.kudu4j.tools.console.Counter;
import dev.kudu4j.tools.console.ListColumn;
import dev.kudu4j.tools.console.ListFormat;
import dev.kudu4j.tools.console.ListPrinter;
import dev.kudu4j.tools.phrase.AggregatePhrase;
import dev.kudu4j.tools.phrase.Condition;
import dev.kudu4j.tools.phrase.Filter;
import dev.kudu4j.tools.phrase.OrderPhrase;
import dev.kudu4j.tools.phrase.PredicateJson;
import dev.kudu4j.tools.phrase.WhereClause;
import java.io.IOException;
import java.io.PrintWriter;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** Prints rows of a table, or counts them. */
@Command(
    name = "scan",
    description = "Prints rows of a table, or counts them. The count and the time go to stderr.",
    footer = {
      "  kudu table scan flights --limit=10",
      "  kudu table scan flights --where=\"carrier = 'UA' and dep_delay >= 60\""
          + " --columns=flight,origin",
      "  kudu table scan flights --row_count_only --as_of=10m",
      "  kudu table scan flights --row_count_only --freshness=30s",
      "  kudu table scan flights --aggregate=\"count(*) AS flights, avg(dep_delay) AS delay\""
          + " --group_by=carrier --order_by=\"delay DESC\"",
      "  kudu table scan flights --order_by=\"arr_delay DESC, flight\" --limit=10",
      "  kudu table scan flights --where=\"dep_delay >= 600\" --explain",
      "  kudu table scan flights --where=\"dep_delay >= 600\" --plan --index=force",
      "  kudu table scan flights --sample=0.01 --seed=7 --row_count_only",
      "  kudu table scan flights --format=csv > flights.csv      (input for table import)",
      "  kudu table scan 127.0.0.1:7051 flights -predicates='[\"AND\", [\">=\", \"month\", 6]]'"
    })
final class ScanVerb extends ClusterVerb {
  @Parameters(
      paramLabel = "[MASTERS] TABLE",
      arity = "1..2",
      hideParamSyntax = true,
      description = Target.HELP)
  private List<String> arguments;

  @Option(
      names = "--columns",
      split = ",",
      paramLabel = "COLUMN[,COLUMN]",
      description = "Only these columns, in this order; default: all.")
  private List<String> columns;

  @Option(
      names = "--where",
      paramLabel = "CONDITION",
      description = {
        "Only rows that satisfy this condition: comparisons = <> < <= > >= with values and columns,"
            + " IN (...), BETWEEN, LIKE, IS NULL, combined with AND, OR, NOT. Text is in single"
            + " quotes."
      })
  private String where;

  @Option(
      names = "--predicates",
      paramLabel = "JSON",
      description = "A condition in the format of Apache Kudu's tool: [\">=\", \"id\", 5].")
  private String predicates;

  @Option(
      names = "--sample",
      paramLabel = "FRACTION",
      description = {
        "About this fraction of the rows, from 0 to 1, instead of all; aggregates are those of the"
            + " sample. Repeated scans select the same rows."
      })
  private Double sample;

  @Option(
      names = "--seed",
      paramLabel = "N",
      description = "Selects another sample; an integer, default 0.")
  private Long seed;

  @Option(
      names = "--aggregate",
      paramLabel = "AGGREGATES",
      description = {
        "Prints aggregates, which the servers compute, instead of rows: \"count(*), sum(a * (1 - b))"
            + " AS total\"; count, count(distinct a), sum, min, max,"
            + " avg."
      })
  private String aggregates;

  @Option(
      names = "--group_by",
      split = ",",
      paramLabel = "COLUMN[,COLUMN]",
      description = "Aggregates the rows with equal values in these columns.")
  private List<String> groupBy;

  @Option(
      names = "--order_by",
      paramLabel = "ORDER",
      description = {
        "Orders the rows by columns, or the groups by columns of the result: \"total DESC, name\"."
            + " Rows also need --limit."
      })
  private String orderBy;

  @Option(names = "--limit", paramLabel = "N", description = "At most N rows.")
  private Long limit; // null for all rows

  @Option(
      names = "--offset",
      paramLabel = "N",
      description = "Skips the first N rows; needs --order_by.")
  private long offset;

  @Option(
      names = "--row_count_only",
      description =
          "Prints only the number of rows; reads no columns, except those of" + " predicates.")
  private boolean rowCountOnly;

  @Option(
      names = "--explain",
      description = {
        "Runs the scan, and prints what each tablet has read and skipped instead of the rows."
      })
  private boolean explain;

  @Option(
      names = "--plan",
      description = {
        "As --explain, but reads no rows: shows the indexes that the scan would use, and estimates."
      })
  private boolean planOnly;

  @Option(
      names = "--index",
      paramLabel = "HINT",
      description = {
        "Which indexes to use: optimizer (default), force, forbid, force:NAME,... or"
            + " forbid:NAME,... The rows are the same."
      })
  private String indexHint = "optimizer";

  @Option(
      names = "--snapshot",
      description = "Reads a snapshot of the table; default: the newest rows of each tablet.")
  private boolean snapshot;

  @Option(
      names = "--as_of",
      paramLabel = "TIME",
      description = {
        "Reads the table as of this time: 2026-11-21T09:30:00Z, or 10m for ten"
            + " minutes ago (s m h d)."
      })
  private String asOf;

  @Option(
      names = "--freshness",
      paramLabel = "TIME",
      description = {
        "Reads the snapshot that is cheapest to read and at most this old: 30s, 5m (s m h d); 0s is"
            + " a current one. Prints how old it was."
      })
  private String freshness;

  @Option(
      names = "--format",
      paramLabel = "FORMAT",
      defaultValue = "pretty",
      description = "${COMPLETION-CANDIDATES}; default ${DEFAULT-VALUE}.")
  private ListFormat format;

  @Option(
      names = "--fault_tolerant",
      description =
          "Continues on another replica if a server fails; reads the rows of a tablet"
              + " in key order.")
  private boolean faultTolerant;

  @Option(
      names = "--replica_selection",
      paramLabel = "WHICH",
      defaultValue = "CLOSEST",
      description = "CLOSEST, the default, or LEADER.")
  private String replicaSelection;

  @Option(
      names = "--scan_batch_size",
      paramLabel = "BYTES",
      description = "Batch size in bytes; default: the server's default.")
  private int batchBytes = -1;

  private PrintWriter rowsOut;

  @Override
  public Integer call() throws IOException {
    Target target = Target.of(arguments, "TABLE");
    List<Filter> filters = new ArrayList<>();
    if (where != null) {
      filters.add(WhereClause.parse(where));
    }
    if (predicates != null && !predicates.isBlank()) {
      filters.addAll(PredicateJson.parse(predicates));
    }
    AggregatePhrase wanted = aggregates == null ? null : AggregatePhrase.parse(aggregates);
    List<OrderPhrase> order = orderBy == null ? List.of() : OrderPhrase.parse(orderBy);
    checkAggregation(wanted != null);
    checkOrder(wanted != null || groupBy != null);
    checkNames(wanted);
    checkSample();
    try (ClusterCalls calls = cluster().connect(target.masters())) {
      calls.table(target.argument(0));
      try (KuduClient client = cluster().client(target.masters())) {
        KuduTable table = client.openTable(target.argument(0));
        if (wanted == null && groupBy == null) {
          scan(client, table, filters, order);
        } else {
          aggregate(table, filters, wanted, order);
        }
      }
    }
    return DONE;
  }

  private void checkSample() {
    if (seed != null && sample == null) {
      throw KuduException.invalidArgument("--seed needs a sample; add --sample");
    }
    if (sample != null && !(sample >= 0 && sample <= 1)) {
      throw KuduException.invalidArgument(
          "--sample=%s: must be from 0 to 1; 0.01 is 1 %% of the rows", sample);
    }
  }

  private void addRows(
      AbstractKuduScannerBuilder<?, ?> builder, Schema schema, List<Filter> filters) {
    filters.forEach(filter -> filter.addTo(builder, schema));
    if (sample != null) {
      builder.sample(sample, seed == null ? 0 : seed);
    }
  }

  private void checkAggregation(boolean aggregating) {
    boolean grouping = aggregating || groupBy != null;
    if (grouping && (rowCountOnly || columns != null || faultTolerant || offset != 0)) {
      throw KuduException.invalidArgument(
          "--aggregate and --group_by cannot be combined with --columns, --row_count_only,"
              + " --fault_tolerant and --offset");
    }
  }

  private void checkOrder(boolean grouping) {
    if (limit != null && limit < 0) {
      throw KuduException.invalidArgument("--limit=%d: must be 0 or more", limit);
    }
    if (offset < 0) {
      throw KuduException.invalidArgument("--offset=%d: must be 0 or more", offset);
    }
    if (offset != 0 && orderBy == null) {
      throw KuduException.invalidArgument("--offset needs an order; add --order_by");
    }
    if (orderBy == null || grouping) {
      return;
    }
    if (limit == null) {
      throw KuduException.invalidArgument("--order_by of rows needs a number of rows; add --limit");
    }
    if (limit > TopN.MAX_COUNT - offset) {
      throw KuduException.invalidArgument(
          "--order_by of rows orders at most %d rows, with those that --offset skips; lower --limit,"
              + " or print all rows without --order_by and sort them",
          TopN.MAX_COUNT);
    }
    if (rowCountOnly || faultTolerant) {
      throw KuduException.invalidArgument(
          "--order_by of rows cannot be combined with --row_count_only and --fault_tolerant");
    }
  }

  /** Checks the names of the columns of the result of an aggregation. */
  private void checkNames(AggregatePhrase wanted) {
    List<String> names = new ArrayList<>(wanted == null ? List.of() : wanted.names());
    if (groupBy != null) {
      groupBy.forEach(name -> names.add(name.strip()));
    }
    for (int i = 0; i < names.size(); i++) {
      if (names.indexOf(names.get(i)) < i) {
        throw KuduException.invalidArgument(
            "Two columns of the result are called %s; name an aggregate with AS, and group by a"
                + " column once",
            names.get(i));
      }
    }
  }

  private void aggregate(
      KuduTable table, List<Filter> filters, AggregatePhrase wanted, List<OrderPhrase> order)
      throws IOException {
    Schema schema = table.getSchema();
    KuduAggregateBuilder builder = table.aggregate();
    addRows(builder, schema, filters);
    if (groupBy != null) {
      builder.groupBy(
          groupBy.stream()
              .map(name -> Condition.column(schema, name.strip()).getName())
              .toArray(String[]::new));
    }
    if (wanted != null) {
      wanted.addTo(builder, schema);
    }
    order.forEach(by -> builder.orderBy(by.column(), by.ascending()));
    limit(builder);
    readMode(builder);
    builder.replicaSelection(replicas());
    explanation(builder);
    long start = System.nanoTime();
    KuduAggregate aggregate = build(builder::build);
    List<ColumnSchema> results = aggregate.getSchema().getColumns();
    RowResultIterator rows = isEmpty() ? RowResultIterator.empty() : aggregate.execute();
    if (explain) {
      explain(table, aggregate.getScanReport());
    } else {
      try (ListPrinter list = format.openWithNulls(titles(results), out())) {
        for (RowResult row : rows) {
          list.row(cells(row, results));
        }
      }
    }
    sayTime(rows.getNumRows(), "group", start);
  }

  private void explanation(AbstractKuduScannerBuilder<?, ?> builder) {
    explain |= planOnly;
    builder.report(explain);
    builder.planOnly(planOnly);
    builder.indexHint(build(() -> KuduIndexHint.parse(indexHint)));
  }

  private void explain(KuduTable table, ScanReport report) throws IOException {
    int tablets = table.getTabletsLocations(TimeUnit.MINUTES.toMillis(1)).size();
    ScanExplanation.print(report, tablets, format, out(), err());
  }

  private static <T> T build(Supplier<T> scan) {
    try {
      return scan.get();
    } catch (IllegalArgumentException e) {
      throw KuduException.invalidArgument("%s", e.getMessage());
    }
  }

  private void sayAge(Duration staleness) {
    double seconds = staleness.toNanos() / (double) TimeUnit.SECONDS.toNanos(1);
    err().println(String.format(Locale.ROOT, "The rows are %.1f s old", seconds));
  }

  private void sayTime(long count, String what, long startNanos) {
    double seconds = (System.nanoTime() - startNanos) / (double) TimeUnit.SECONDS.toNanos(1);
    err()
        .println(
            String.format(
                Locale.ROOT, "%,d %s%s in %.2f s", count, what, count == 1 ? "" : "s", seconds));
    err().flush();
  }

  private void scan(
      KuduClient client, KuduTable table, List<Filter> filters, List<OrderPhrase> order)
      throws IOException {
    KuduScanner.KuduScannerBuilder builder = client.newScannerBuilder(table);
    Schema schema = table.getSchema();
    addRows(builder, schema, filters);
    List<ColumnSchema> projection = projection(schema);
    builder.setProjectedColumnNames(projection.stream().map(ColumnSchema::getName).toList());
    limit(builder);
    readMode(builder);
    for (OrderPhrase by : order) {
      builder.orderBy(Condition.column(schema, by.column()).getName(), by.ascending());
    }
    builder.offset(offset).setFaultTolerant(faultTolerant).replicaSelection(replicas());
    explanation(builder);
    if (batchBytes > 0) {
      builder.batchSizeBytes(batchBytes);
    }
    long start = System.nanoTime();
    KuduScanner scanner = isEmpty() ? null : build(builder::build);
    long rows = print(scanner, projection);
    if (freshness != null && scanner != null) {
      scanner.getStaleness().ifPresent(this::sayAge);
    }
    if (explain) {
      explain(
          table, scanner == null ? build(builder::build).getScanReport() : scanner.getScanReport());
    } else if (rowCountOnly) {
      say(Long.toString(rows));
    }
    sayTime(rows, "row", start);
  }

  private List<ColumnSchema> projection(Schema schema) {
    if (rowCountOnly) {
      if (columns != null) {
        throw KuduException.invalidArgument("--row_count_only cannot be combined with --columns");
      }
      return List.of();
    }
    return columns == null
        ? schema.getColumns()
        : columns.stream().map(name -> Condition.column(schema, name.strip())).toList();
  }

  /** Whether no rows are wanted, only the titles. */
  private boolean isEmpty() {
    return limit != null && limit == 0;
  }

  private void limit(AbstractKuduScannerBuilder<?, ?> builder) {
    if (limit != null && limit > 0) {
      builder.limit(limit);
    }
  }

  private void readMode(AbstractKuduScannerBuilder<?, ?> builder) {
    if (freshness != null && (asOf != null || snapshot)) {
      throw KuduException.invalidArgument(
          "--freshness cannot be combined with --as_of and --snapshot");
    }
    if (freshness != null) {
      builder.freshness(freshness());
    } else if (asOf != null) {
      builder.readMode(ReadMode.READ_AT_SNAPSHOT);
      builder.snapshotTimestampMicros(PastTime.micros("--as_of", asOf));
    } else if (snapshot) {
      builder.readMode(ReadMode.READ_AT_SNAPSHOT);
    }
  }

  private Duration freshness() {
    return PastTime.duration(freshness.strip())
        .orElseThrow(
            () ->
                KuduException.invalidArgument(
                    "--freshness=%s: must be a duration such as 30s (s m h d)", freshness));
  }

  private ReplicaSelection replicas() {
    return switch (replicaSelection.toUpperCase(Locale.ROOT)) {
      case "CLOSEST", "CLOSEST_REPLICA" -> ReplicaSelection.CLOSEST_REPLICA;
      case "LEADER", "LEADER_ONLY" -> ReplicaSelection.LEADER_ONLY;
      default ->
          throw KuduException.invalidArgument(
              "--replica_selection=%s: must be CLOSEST or LEADER", replicaSelection);
    };
  }

  private static List<ListColumn> titles(List<ColumnSchema> columns) {
    return columns.stream()
        .map(column -> new ListColumn(column.getName(), CellReader.isNumber(column.getType())))
        .toList();
  }

  /** Prints the rows of the scanner; if it is null, only the titles. */
  private long print(KuduScanner scanner, List<ColumnSchema> projection) throws IOException {
    rowsOut = new PrintWriter(out(), false); // does not flush each line, unlike out()
    try (Counter counter = Counter.rows("scan");
        ListPrinter list =
            rowCountOnly || explain ? null : format.openWithNulls(titles(projection), rowsOut)) {
      return scanner == null ? 0 : print(scanner, projection, list, counter);
    }
  }

  private long print(
      KuduScanner scanner, List<ColumnSchema> projection, ListPrinter list, Counter counter)
      throws IOException {
    long rows = 0;
    try {
      while (scanner.hasMoreRows()) {
        RowResultIterator batch = scanner.nextRows();
        rows += batch.getNumRows();
        counter.at(rows);
        while (list != null && batch.hasNext()) {
          list.row(cells(batch.next(), projection));
        }
        if (rowsOut.checkError() || System.out.checkError()) {
          break; // the reader closed the pipe
        }
      }
    } finally {
      scanner.close();
    }
    return rows;
  }

  private static List<Object> cells(RowResult row, List<ColumnSchema> projection) {
    List<Object> cells = new ArrayList<>(projection.size());
    for (int i = 0; i < projection.size(); i++) {
      cells.add(CellWriter.of(row, i, projection.get(i)));
    }
    return cells;
  }
}
