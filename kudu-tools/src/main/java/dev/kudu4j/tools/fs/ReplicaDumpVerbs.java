package dev.kudu4j.tools.fs;

import dev.kudu4j.common.status.KuduException;
import dev.kudu4j.tablet.check.RowSetDump;
import dev.kudu4j.tablet.check.SuperblockDump;
import dev.kudu4j.tablet.proto.RowSetPB;
import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** Prints the contents of one replica. */
@Command(
    name = "dump",
    description = "Prints the location of a replica, its superblock, or its rows.",
    mixinStandardHelpOptions = true,
    synopsisSubcommandLabel = "WHAT",
    subcommands = {
      ReplicaDumpVerbs.DataDirectories.class,
      ReplicaDumpVerbs.Meta.class,
      ReplicaDumpVerbs.RowSets.class
    })
final class ReplicaDumpVerbs {

  /** Base class of verbs for one replica. */
  private abstract static class OfReplica implements Callable<Integer> {
    @Spec private CommandSpec spec;
    @Mixin private ServerDirectories directories;

    @Parameters(paramLabel = "TABLET", description = "The tablet's id.")
    private String tablet;

    @Override
    public final Integer call() throws IOException {
      PrintWriter out = spec.commandLine().getOut();
      Path directory = directories.tablets(tablet).get(0);
      try (OfflineFiles offline = new OfflineFiles()) {
        dump(LocalReplica.read(offline.environment(directory)), out);
      } finally {
        out.flush(); // also prints the part before a corruption
      }
      return 0;
    }

    abstract void dump(LocalReplica replica, PrintWriter out) throws IOException;
  }

  /** Prints the replica's directory. */
  @Command(
      name = "data_dirs",
      description = "Prints the directory of the replica's files.",
      mixinStandardHelpOptions = true)
  static final class DataDirectories extends OfReplica {
    @Override
    void dump(LocalReplica replica, PrintWriter out) {
      out.println(replica.environment().directory());
    }
  }

  /** Prints the replica's partition and superblock. */
  @Command(
      name = "meta",
      description = "Prints the replica's partition, schema and superblock.",
      mixinStandardHelpOptions = true)
  static final class Meta extends OfReplica {
    @Override
    void dump(LocalReplica replica, PrintWriter out) throws IOException {
      out.println("Partition: " + replica.partition());
      out.println("Table name: " + replica.descriptor().tableName());
      out.println("Schema: " + replica.descriptor().schema());
      out.println("Superblock:");
      SuperblockDump.print(replica.environment(), out);
    }
  }

  /** Prints rows with their histories. */
  @Command(
      name = "rowset",
      description = {
        "Prints rowsets: their files, and each row with its base data or rewritten columns,",
        "its earlier values (UNDO) and the changes since then (REDO)."
      },
      footer = {
        "  kudu local_replica dump rowset TABLET --fs_wal_dir=/data/tserver --nrows=10",
        "  kudu local_replica dump rowset TABLET --fs_wal_dir=/data/tserver --rowset_index=0"
            + " --nodump_all_columns"
      },
      mixinStandardHelpOptions = true)
  static final class RowSets extends OfReplica {
    @Option(
        names = "--rowset_index",
        paramLabel = "N",
        defaultValue = "-1",
        description = "Index of the rowset, from 0; default: all.")
    private int index;

    @Option(
        names = "--nrows",
        paramLabel = "N",
        defaultValue = "-1",
        description = "Number of rows of each rowset, from the first; default: all.")
    private long rows;

    @Option(names = "--nodump_all_columns", description = "Only keys, no other columns.")
    private boolean keysOnly;

    @Option(names = "--nodump_metadata", description = "Only rows, not the list of files.")
    private boolean rowsOnly;

    @Override
    void dump(LocalReplica replica, PrintWriter out) throws IOException {
      List<RowSetPB> rowSets = replica.superblock().getRowSetsList();
      if (index >= rowSets.size()) {
        throw KuduException.notFound(
            "Tablet %s has %d rowsets, counted from 0; there is no rowset %d",
            replica.descriptor().tabletId(), rowSets.size(), index);
      }
      RowSetDump.Wanted wanted =
          new RowSetDump.Wanted(rows < 0 ? Long.MAX_VALUE : rows, !rowsOnly, !keysOnly);
      for (RowSetPB rowSet : index < 0 ? rowSets : List.of(rowSets.get(index))) {
        RowSetDump.print(replica.environment(), rowSet, replica.descriptor().schema(), wanted, out);
      }
    }
  }
}
