package dev.kudu4j.tools.fs;

import dev.kudu4j.common.status.KuduException;
import dev.kudu4j.tablet.check.BaseDataChecker;
import dev.kudu4j.tablet.check.CheckListener;
import dev.kudu4j.tablet.check.ColumnFileChecker;
import dev.kudu4j.tablet.check.DeltaFileChecker;
import dev.kudu4j.tablet.check.IndexFileChecker;
import dev.kudu4j.tablet.check.StagedFileChecker;
import dev.kudu4j.tablet.check.TabletChecker;
import dev.kudu4j.tablet.check.TabletReport;
import dev.kudu4j.tablet.env.TabletEnvironment;
import dev.kudu4j.tablet.superblock.TombstoneFile;
import dev.kudu4j.tools.console.Counter;
import dev.kudu4j.tools.console.ErrorText;
import dev.kudu4j.tools.console.ListFormat;
import dev.kudu4j.tools.console.ListPrinter;
import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/** Reads every byte of every tablet and reports errors. */
@Command(
    name = "check",
    description = {
      "Reads every byte of every tablet, or of one file, and prints all errors: file, offset,",
      "expected and actual value. The server must not be running."
    },
    footer = {
      "  kudu fs check --fs_wal_dir=/data/tserver",
      "  kudu fs check /data/tserver/data/0123456789abcdef0123456789abcdef",
      "",
      "Exit code: 0 no errors; 1 there are errors."
    },
    mixinStandardHelpOptions = true)
final class CheckVerb implements Callable<Integer> {
  @Spec private CommandSpec spec;
  @Mixin private ServerOrPath directories;

  @Option(
      names = "--format",
      paramLabel = "FORMAT",
      defaultValue = "pretty",
      description =
          "${COMPLETION-CANDIDATES}; default ${DEFAULT-VALUE}. With all formats except"
              + " pretty, errors go to standard error.")
  private ListFormat format;

  private final List<String> problems = new ArrayList<>();
  private long filesRead;
  private long bytesRead;

  @Override
  public Integer call() throws IOException {
    List<DirectoryLock> locks = new ArrayList<>();
    try (OfflineFiles offline = new OfflineFiles()) {
      for (Path directory : directories.lockable()) {
        locks.add(DirectoryLock.take(directory));
      }
      if (directories.singleFile().isPresent()) {
        checkFile(offline, directories.singleFile().get());
      } else {
        checkAll(offline);
      }
      return problems.isEmpty() ? 0 : 1;
    } finally {
      for (DirectoryLock lock : locks) {
        lock.close();
      }
    }
  }

  private void checkAll(OfflineFiles offline) throws IOException {
    List<Path> tablets = directories.tablets();
    checkIdentity();
    try (Counter counter = Counter.filesOf("check", bytes(tablets));
        ListPrinter list = format.open(CheckTable.COLUMNS, out())) {
      CheckTable table = new CheckTable(list);
      CheckListener watcher =
          (file, bytes) -> {
            filesRead++;
            bytesRead += bytes;
            counter.at(filesRead, bytesRead);
          };
      for (Path tablet : tablets) {
        if (directories.isRemainder(tablet)) {
          table.addRemainder(tablet.getFileName().toString());
          continue;
        }
        if (directories.isTombstone(tablet)) {
          checkTombstone(offline.environment(tablet), table);
          continue;
        }
        TabletReport report = check(offline.environment(tablet), watcher);
        problems.addAll(report.allProblems());
        table.add(tablet.getFileName().toString(), report);
      }
    }
    tellProblems();
    if (format == ListFormat.pretty) {
      out()
          .printf(
              "%d tablets, %d files, %d bytes read: %s%n",
              tablets.size(), filesRead, bytesRead, verdict());
    }
    out().flush();
  }

  private void checkTombstone(TabletEnvironment environment, CheckTable table) throws IOException {
    String id = environment.directory().getFileName().toString();
    try {
      TombstoneFile file = new TombstoneFile(environment.files(), environment.directory());
      table.addTombstone(id, file.read().getTableName());
    } catch (KuduException e) {
      problems.add(ErrorText.of(e));
      table.addTombstone(id, "");
    }
  }

  private static long bytes(List<Path> tablets) throws IOException {
    long bytes = 0;
    for (Path tablet : tablets) {
      for (Path file : ServerDirectories.children(tablet)) {
        bytes += Files.size(file);
      }
    }
    return bytes;
  }

  private void checkIdentity() throws IOException {
    try {
      directories.instance();
    } catch (KuduException e) {
      problems.add(ErrorText.of(e));
    }
  }

  private static TabletReport check(TabletEnvironment environment, CheckListener watcher) {
    try {
      return TabletChecker.report(environment, watcher);
    } catch (IOException | RuntimeException e) {
      return new TabletReport("", List.of(), List.of(ErrorText.of(e)));
    }
  }

  private void checkFile(OfflineFiles offline, Path file) throws IOException {
    TabletEnvironment environment = offline.environment(file.toAbsolutePath().getParent());
    problems.addAll(
        switch (FileContent.of(file)) {
          case BASE_DATA -> BaseDataChecker.check(environment, file);
          case COLUMNS -> ColumnFileChecker.check(environment, file);
          case DELTA -> DeltaFileChecker.check(environment, file);
          case INDEX -> IndexFileChecker.check(environment, file);
          case STAGED_ROWS -> StagedFileChecker.check(environment, file);
          case SUPERBLOCK, INSTANCE, OTHER ->
              throw KuduException.invalidArgument(
                  "%s is not a data file, or its first bytes are corrupt; check the directory"
                      + " of its tablet or server",
                  file);
        });
    tellProblems();
    out().printf("%s: %s%n", file, verdict());
    out().flush();
  }

  private void tellProblems() {
    PrintWriter to = format == ListFormat.pretty ? out() : spec.commandLine().getErr();
    problems.forEach(to::println);
    to.flush();
  }

  private String verdict() {
    return switch (problems.size()) {
      case 0 -> "sound";
      case 1 -> "1 problem";
      default -> problems.size() + " problems";
    };
  }

  private PrintWriter out() {
    return spec.commandLine().getOut();
  }
}
