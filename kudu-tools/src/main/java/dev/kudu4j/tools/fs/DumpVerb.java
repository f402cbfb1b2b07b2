package dev.kudu4j.tools.fs;

import dev.kudu4j.common.status.KuduException;
import dev.kudu4j.server.fs.Instance;
import dev.kudu4j.tablet.check.BaseDataDump;
import dev.kudu4j.tablet.check.ColumnFileDump;
import dev.kudu4j.tablet.check.DeltaFileDump;
import dev.kudu4j.tablet.check.IndexFileDump;
import dev.kudu4j.tablet.check.StagedFileDump;
import dev.kudu4j.tablet.check.SuperblockDump;
import dev.kudu4j.tablet.env.TabletEnvironment;
import dev.kudu4j.tablet.superblock.SuperblockFile;
import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** Prints one file. */
@Command(
    name = "dump",
    description =
        "Prints a file of base data, rewritten columns or deltas, a superblock or an"
            + " instance file; detects which one it is.",
    mixinStandardHelpOptions = true)
final class DumpVerb implements Callable<Integer> {
  @Spec private CommandSpec spec;

  @Parameters(
      paramLabel = "FILE",
      description = "The file, or the directory of a tablet for its superblock.")
  private Path path;

  @Option(
      names = "--rows",
      paramLabel = "N",
      defaultValue = "0",
      description =
          "Number of rows or changes to print, from the first; default" + " ${DEFAULT-VALUE}.")
  private long rows;

  @Override
  public Integer call() throws IOException {
    if (rows < 0) {
      throw KuduException.invalidArgument("--rows is %d; it cannot be negative", rows);
    }
    Path file = Files.isDirectory(path) ? path.resolve(SuperblockFile.NAME) : path;
    if (!Files.isRegularFile(file)) {
      throw KuduException.notFound(
          "There is no file %s; kudu fs list lists the files of a server", file);
    }
    PrintWriter out = spec.commandLine().getOut();
    try (OfflineFiles offline = new OfflineFiles()) {
      dump(offline.environment(file.toAbsolutePath().getParent()), file, out);
    } finally {
      out.flush(); // also prints the part before a corruption
    }
    return 0;
  }

  private void dump(TabletEnvironment environment, Path file, PrintWriter out) throws IOException {
    switch (FileContent.of(file)) {
      case BASE_DATA -> BaseDataDump.print(environment, file, rows, out);
      case COLUMNS -> ColumnFileDump.print(environment, file, rows, out);
      case DELTA -> DeltaFileDump.print(environment, file, rows, out);
      case INDEX -> IndexFileDump.print(environment, file, rows, out);
      case STAGED_ROWS -> StagedFileDump.print(environment, file, out);
      case SUPERBLOCK -> dumpSuperblock(environment, file, out);
      case INSTANCE -> {
        Instance instance = Instance.read(file);
        out.printf(
            "uuid %s%ndaemon %s%nRaft port %d%n",
            instance.uuid(), instance.daemon(), instance.raftPort());
      }
      case OTHER ->
          throw KuduException.invalidArgument(
              "%s is not a data file, superblock or instance file of Kudu4j, or its first"
                  + " bytes are corrupt; kudu fs list lists the files of a server",
              file);
    }
  }

  private static void dumpSuperblock(TabletEnvironment environment, Path file, PrintWriter out)
      throws IOException {
    if (!file.getFileName().toString().equals(SuperblockFile.NAME)) {
      throw KuduException.invalidArgument(
          "%s is a superblock, but its file is not named '%s'; copy it under that name into a"
              + " separate directory and dump the copy",
          file, SuperblockFile.NAME);
    }
    SuperblockDump.print(environment, out);
  }
}
