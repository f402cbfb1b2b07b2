package dev.kudu4j.tools.fs;

import dev.kudu4j.common.status.KuduException;
import dev.kudu4j.tablet.env.TabletEnvironment;
import dev.kudu4j.tablet.proto.RowSetPB;
import dev.kudu4j.tablet.proto.TombstonePB;
import dev.kudu4j.tablet.superblock.TombstoneFile;
import dev.kudu4j.tools.console.ErrorText;
import dev.kudu4j.tools.console.ListColumn;
import dev.kudu4j.tools.console.ListFormat;
import dev.kudu4j.tools.console.ListPrinter;
import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/** Lists the replicas in a server's directories. */
@Command(
    name = "list",
    description = "Prints the ids of the tablets that have a replica in the server's directories.",
    footer = {
      "  kudu local_replica list --fs_wal_dir=/data/tserver",
      "  kudu local_replica list --fs_wal_dir=/data/tserver --list_detail --format=csv"
    },
    mixinStandardHelpOptions = true)
final class ReplicaListVerb implements Callable<Integer> {
  private static final List<ListColumn> DETAILS =
      List.of(
          ListColumn.text("tablet"),
          ListColumn.text("table"),
          ListColumn.text("partition"),
          ListColumn.text("log position"),
          ListColumn.number("rowsets"),
          ListColumn.number("live rows"),
          ListColumn.text("directory"));

  @Spec private CommandSpec spec;
  @Mixin private ServerDirectories directories;

  @Option(
      names = "--list_detail",
      description =
          "Also prints table, partition, log position, rowsets, rows and directory of"
              + " each replica.")
  private boolean detail;

  @Option(
      names = "--format",
      paramLabel = "FORMAT",
      defaultValue = "pretty",
      description = "Format of --list_detail: ${COMPLETION-CANDIDATES}; default ${DEFAULT-VALUE}.")
  private ListFormat format;

  @Override
  public Integer call() throws IOException {
    PrintWriter out = spec.commandLine().getOut();
    List<Path> tablets = directories.tablets();
    if (!detail) {
      tablets.forEach(tablet -> out.println(tablet.getFileName()));
      out.flush();
      return 0;
    }
    try (OfflineFiles offline = new OfflineFiles();
        ListPrinter list = format.open(DETAILS, out)) {
      for (Path tablet : tablets) {
        list.row(details(offline, tablet));
      }
    }
    return 0;
  }

  private static List<?> details(OfflineFiles offline, Path tablet) throws IOException {
    String id = tablet.getFileName().toString();
    try {
      TabletEnvironment environment = offline.environment(tablet);
      TombstoneFile tombstone = new TombstoneFile(environment.files(), tablet);
      if (tombstone.exists()) {
        TombstonePB left = tombstone.read();
        String position = left.getLastLoggedTerm() + "." + left.getLastLoggedIndex();
        return Arrays.asList(id, left.getTableName(), "tombstone", position, null, null, tablet);
      }
      LocalReplica replica = LocalReplica.read(environment);
      List<RowSetPB> rowSets = replica.superblock().getRowSetsList();
      return Arrays.asList(
          id,
          replica.descriptor().tableName(),
          replica.partition(),
          replica.superblock().getLogTerm() + "." + replica.superblock().getLogIndex(),
          rowSets.size(),
          rowSets.stream().mapToLong(RowSetPB::getLiveRowCount).sum(),
          tablet);
    } catch (KuduException e) {
      return Arrays.asList(id, "broken: " + ErrorText.of(e), "", "", null, null, tablet);
    }
  }
}
