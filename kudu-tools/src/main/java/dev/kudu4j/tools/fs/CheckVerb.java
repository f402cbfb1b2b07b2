package dev.kudu4j.tools.fs;

import com.google.errorprone.annotations.FormatMethod;
import com.google.errorprone.annotations.FormatString;
import dev.kudu4j.common.status.KuduException;
import dev.kudu4j.tablet.check.BaseDataChecker;
import dev.kudu4j.tablet.check.DeltaFileChecker;
import dev.kudu4j.tablet.check.TabletChecker;
import dev.kudu4j.tablet.env.TabletEnvironment;
import dev.kudu4j.tools.console.ErrorText;
import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Spec;

/** Reads every byte of every tablet and says what is wrong. */
@Command(
    name = "check",
    description = {
      "Reads every byte of every tablet, or of one file, and prints what is wrong.",
      "Exits with 1 when there is a problem. The server must not be running."
    },
    mixinStandardHelpOptions = true)
final class CheckVerb implements Callable<Integer> {
  @Spec private CommandSpec spec;
  @Mixin private ServerDirectories directories;

  @Override
  public Integer call() throws IOException {
    List<DirectoryLock> locks = new ArrayList<>();
    try (OfflineFiles offline = new OfflineFiles()) {
      for (Path directory : directories.lockable()) {
        locks.add(DirectoryLock.take(directory));
      }
      return check(offline);
    } finally {
      for (DirectoryLock lock : locks) {
        lock.close();
      }
    }
  }

  private int check(OfflineFiles offline) throws IOException {
    int problems = 0;
    if (directories.singleFile().isPresent()) {
      problems += checkFile(offline, directories.singleFile().get());
    } else {
      List<Path> tablets = directories.tablets();
      problems += checkIdentity();
      for (Path tablet : tablets) {
        problems += checkTablet(offline.environment(tablet));
      }
      print("%d tablets checked, %d problems", tablets.size(), problems);
    }
    return problems == 0 ? 0 : 1;
  }

  private int checkIdentity() throws IOException {
    try {
      directories.instance();
      return 0;
    } catch (KuduException e) {
      return report("server", List.of(ErrorText.of(e)));
    }
  }

  private int checkTablet(TabletEnvironment environment) {
    List<String> problems;
    try {
      problems = TabletChecker.check(environment);
    } catch (IOException | RuntimeException e) {
      problems = List.of(ErrorText.of(e));
    }
    return report("tablet " + environment.directory().getFileName(), problems);
  }

  private int checkFile(OfflineFiles offline, Path file) throws IOException {
    TabletEnvironment environment = offline.environment(file.toAbsolutePath().getParent());
    List<String> problems =
        switch (FileContent.of(file)) {
          case BASE_DATA -> BaseDataChecker.check(environment, file);
          case DELTA -> DeltaFileChecker.check(environment, file);
          case SUPERBLOCK, INSTANCE, OTHER ->
              throw KuduException.invalidArgument(
                  "%s is no data file; check the directory of its tablet or server", file);
        };
    return report(file.toString(), problems);
  }

  private int report(String what, List<String> problems) {
    print("%s: %s", what, problems.isEmpty() ? "sound" : problems.size() + " problems");
    problems.forEach(problem -> print("  %s", problem));
    return problems.size();
  }

  @FormatMethod
  private void print(@FormatString String format, Object... arguments) {
    PrintWriter out = spec.commandLine().getOut();
    out.println(String.format(format, arguments));
    out.flush();
  }
}
