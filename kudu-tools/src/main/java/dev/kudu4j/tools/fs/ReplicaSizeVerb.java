package dev.kudu4j.tools.fs;

import dev.kudu4j.tablet.check.RowSetSizes;
import dev.kudu4j.tablet.check.SizeEntry;
import dev.kudu4j.tablet.proto.RowSetPB;
import dev.kudu4j.tools.console.ListColumn;
import dev.kudu4j.tools.console.ListFormat;
import dev.kudu4j.tools.console.ListPrinter;
import java.io.IOException;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** Prints the sizes of the parts of replicas. */
@Command(
    name = "data_size",
    description = {
      "Prints the sizes of the parts of replicas: by rowset, and within a rowset by"
          + " kind and column.",
      "A * marks the sum of all."
    },
    footer = {
      "  kudu local_replica data_size TABLET --fs_wal_dir=/data/tserver",
      "  kudu local_replica data_size '*' --fs_wal_dir=/data/tserver --format=csv"
    },
    mixinStandardHelpOptions = true)
final class ReplicaSizeVerb implements Callable<Integer> {
  private static final String ALL = "*";
  private static final List<ListColumn> COLUMNS =
      List.of(
          ListColumn.text("table"),
          ListColumn.text("tablet"),
          ListColumn.number("rowset"),
          ListColumn.text("kind"),
          ListColumn.text("column"),
          ListColumn.number("bytes"));

  @Spec private CommandSpec spec;
  @Mixin private ServerDirectories directories;

  @Parameters(paramLabel = "TABLETS", description = "Id of a tablet; * matches any text.")
  private String tablets;

  @Option(
      names = "--format",
      paramLabel = "FORMAT",
      defaultValue = "pretty",
      description = "${COMPLETION-CANDIDATES}; default ${DEFAULT-VALUE}.")
  private ListFormat format;

  @Override
  public Integer call() throws IOException {
    try (OfflineFiles offline = new OfflineFiles();
        ListPrinter list = format.open(COLUMNS, spec.commandLine().getOut())) {
      for (Path tablet : directories.tablets(tablets)) {
        print(LocalReplica.read(offline.environment(tablet)), list);
      }
    }
    return 0;
  }

  /** The kind of data and the column that a size belongs to; ordered by kind, then by column. */
  private record Label(SizeEntry.Kind kind, String column) implements Comparable<Label> {
    @Override
    public int compareTo(Label other) {
      int byKind = kind.compareTo(other.kind);
      return byKind != 0 ? byKind : column.compareTo(other.column);
    }
  }

  private static void print(LocalReplica replica, ListPrinter list) throws IOException {
    Map<Label, Long> sums = new TreeMap<>();
    for (RowSetPB rowSet : replica.superblock().getRowSetsList()) {
      Map<Label, Long> sizes = new TreeMap<>();
      for (SizeEntry size :
          RowSetSizes.of(replica.environment(), rowSet, replica.descriptor().schema())) {
        Label label = new Label(size.kind(), size.column());
        sizes.put(label, size.bytes());
        sums.merge(label, size.bytes(), Long::sum);
      }
      print(replica, Long.toString(rowSet.getId()), sizes, list);
    }
    print(replica, ALL, sums, list);
  }

  private static void print(
      LocalReplica replica, String rowSet, Map<Label, Long> sizes, ListPrinter list) {
    String table = replica.descriptor().tableName();
    String tablet = replica.descriptor().tabletId();
    sizes.forEach(
        (label, bytes) -> {
          String column = label.column().isEmpty() ? null : label.column();
          list.row(Arrays.asList(table, tablet, rowSet, label.kind().toString(), column, bytes));
        });
    long all = sizes.values().stream().mapToLong(Long::longValue).sum();
    list.row(Arrays.asList(table, tablet, rowSet, ALL, null, all));
  }
}
