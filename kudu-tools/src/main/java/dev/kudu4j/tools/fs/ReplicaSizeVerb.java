package dev.kudu4j.tools.fs;

import dev.kudu4j.tablet.check.RowSetSizes;
import dev.kudu4j.tablet.check.SizeEntry;
import dev.kudu4j.tablet.proto.RowSetPB;
import dev.kudu4j.tools.console.ListColumn;
import dev.kudu4j.tools.console.ListFormat;
import dev.kudu4j.tools.console.ListPrinter;
import java.io.IOException;
import java.nio.file.Path;
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

/** Says what the bytes of replicas are for. */
@Command(
    name = "data_size",
    description = {
      "Prints what the bytes of replicas are for: by rowset, and there by kind and column.",
      "A * stands for the sum of all."
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

  @Parameters(
      paramLabel = "TABLETS",
      description = "Id of a tablet; * in it stands for any letters.")
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

  /** What is summed over the rowsets of a tablet; in the order of kinds. */
  private record Label(SizeEntry.Kind kind, String column) implements Comparable<Label> {
    @Override
    public int compareTo(Label other) {
      int byKind = kind.compareTo(other.kind);
      return byKind != 0 ? byKind : column.compareTo(other.column);
    }
  }

  private static void print(LocalReplica replica, ListPrinter list) throws IOException {
    String table = replica.descriptor().tableName();
    String tablet = replica.descriptor().tabletId();
    Map<Label, Long> sums = new TreeMap<>();
    for (RowSetPB rowSet : replica.superblock().getRowSetsList()) {
      List<SizeEntry> sizes =
          RowSetSizes.of(replica.environment(), rowSet, replica.descriptor().schema());
      String id = Long.toString(rowSet.getId());
      long all = 0;
      for (SizeEntry size : sizes) {
        list.row(List.of(table, tablet, id, size.kind().toString(), size.column(), size.bytes()));
        sums.merge(new Label(size.kind(), size.column()), size.bytes(), Long::sum);
        all += size.bytes();
      }
      list.row(List.of(table, tablet, id, ALL, "", all));
    }
    sums.forEach(
        (label, bytes) ->
            list.row(List.of(table, tablet, ALL, label.kind().toString(), label.column(), bytes)));
    long all = sums.values().stream().mapToLong(Long::longValue).sum();
    list.row(List.of(table, tablet, ALL, ALL, "", all));
  }
}
