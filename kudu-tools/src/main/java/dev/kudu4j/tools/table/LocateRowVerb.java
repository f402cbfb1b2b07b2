package dev.kudu4j.tools.table;

import com.fasterxml.jackson.core.io.JsonStringEncoder;
import dev.kudu4j.ColumnSchema;
import dev.kudu4j.client.KuduClient;
import dev.kudu4j.client.KuduPredicate;
import dev.kudu4j.client.KuduPredicate.ComparisonOp;
import dev.kudu4j.client.KuduScanToken;
import dev.kudu4j.client.KuduScanner;
import dev.kudu4j.client.KuduTable;
import dev.kudu4j.client.RowResult;
import dev.kudu4j.client.RowResultIterator;
import dev.kudu4j.common.status.KuduException;
import dev.kudu4j.tools.cell.CellWriter;
import dev.kudu4j.tools.cell.TypeText;
import dev.kudu4j.tools.connection.ClusterCalls;
import dev.kudu4j.tools.connection.ClusterVerb;
import dev.kudu4j.tools.connection.Target;
import dev.kudu4j.tools.phrase.JsonValues;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** Prints the tablet that contains, or would contain, the row with a primary key. */
@Command(
    name = "locate_row",
    description = {
      "Prints the id of the tablet that contains the row with a primary key, or"
          + " would contain it.",
      "KEY is a JSON array with a value for each column of the key."
    },
    footer = {
      "  kudu table locate_row people '[1]'",
      "  kudu table locate_row flights '[\"2013-01-01T10:00Z\", \"UA\", 1545, \"EWR\"]'"
          + " --check_row_existence",
      "  kudu tablet info $(kudu table locate_row people '[1]')"
    })
final class LocateRowVerb extends ClusterVerb {
  @Parameters(
      paramLabel = "[MASTERS] TABLE KEY",
      arity = "2..3",
      hideParamSyntax = true,
      description = Target.HELP)
  private List<String> arguments;

  @Option(
      names = "--check_row_existence",
      description = "Also prints the row. The exit code is 1 if there is none.")
  private boolean checkRowExistence;

  @Override
  public Integer call() throws IOException {
    Target target = Target.of(arguments, "TABLE", "KEY");
    String name = target.argument(0);
    try (ClusterCalls calls = cluster().connect(target.masters())) {
      calls.table(name);
      try (KuduClient client = cluster().client(target.masters())) {
        locate(client, client.openTable(name), target.argument(1));
      }
    }
    return DONE;
  }

  private void locate(KuduClient client, KuduTable table, String key) throws IOException {
    List<ColumnSchema> columns = table.getSchema().getPrimaryKeyColumns();
    List<Object> values = JsonValues.read("KEY", key, columns);
    KuduScanToken.KuduScanTokenBuilder tokens =
        client.newScanTokenBuilder(table).globalIndexes(false);
    KuduScanner.KuduScannerBuilder scanner = client.newScannerBuilder(table);
    for (int i = 0; i < values.size(); i++) {
      KuduPredicate isValue =
          KuduPredicate.newComparisonPredicate(columns.get(i), ComparisonOp.EQUAL, values.get(i));
      tokens.addPredicate(isValue);
      scanner.addPredicate(isValue);
    }
    say(tablet(tokens.build(), table.getName(), key));
    if (checkRowExistence) {
      say(row(scanner.build(), table.getName(), key));
    }
  }

  private static String tablet(List<KuduScanToken> tokens, String table, String key) {
    if (tokens.isEmpty()) {
      throw KuduException.notFound(
          "No tablet of table %s contains key %s: no range partition covers it; kudu"
              + " table add_range_partition adds one",
          table, key);
    }
    return new String(tokens.get(0).getTablet().getTabletId(), StandardCharsets.UTF_8);
  }

  private static String row(KuduScanner scanner, String table, String key) throws IOException {
    try {
      while (scanner.hasMoreRows()) {
        RowResultIterator batch = scanner.nextRows();
        if (batch.hasNext()) {
          return text(batch.next());
        }
      }
    } finally {
      scanner.close();
    }
    throw KuduException.notFound("Table %s has no row with key %s", table, key);
  }

  /** A row in the format of Apache Kudu's tool, such as {@code (int32 id=1, string name="Ada")}. */
  private static String text(RowResult row) {
    List<String> cells = new ArrayList<>();
    List<ColumnSchema> columns = row.getSchema().getColumns();
    for (int i = 0; i < columns.size(); i++) {
      ColumnSchema column = columns.get(i);
      Object value = CellWriter.of(row, i, column);
      boolean quoted =
          value != null
              && switch (column.getType()) {
                case STRING, VARCHAR, BINARY -> true;
                default -> false;
              };
      cells.add(
          TypeText.of(column).toLowerCase(Locale.ROOT)
              + " "
              + column.getName()
              + "="
              + (value == null ? "NULL" : quoted ? quoted(value.toString()) : value));
    }
    return "(" + String.join(", ", cells) + ")";
  }

  /** Quotes the value, and escapes line breaks and other control characters. */
  private static String quoted(String value) {
    return "\"" + new String(JsonStringEncoder.getInstance().quoteAsString(value)) + "\"";
  }
}
