package dev.kudu4j.tools.local;

import dev.kudu4j.common.status.KuduException;
import dev.kudu4j.common.status.StatusCode;
import dev.kudu4j.tools.connection.Pause;
import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.Files;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/** Starts a cluster in the background and waits until it is healthy. */
@Command(
    name = "start",
    description = {
      "Starts a cluster in the background: masters and tablet servers in one process.",
      "Data of an earlier start in the directory is opened again."
    },
    mixinStandardHelpOptions = true)
public final class StartVerb implements Callable<Integer> {
  private static final int LOG_LINES = 15;

  @Spec private CommandSpec spec;
  @Mixin private LocalClusterOptions options;

  @Option(
      names = "--timeout",
      paramLabel = "SECONDS",
      defaultValue = "120",
      description = "Maximum time to wait until the cluster is healthy; default ${DEFAULT-VALUE}.")
  private int timeoutSeconds;

  @Override
  public Integer call() throws IOException {
    PrintWriter out = spec.commandLine().getOut();
    ClusterDirectory directory = options.directory();
    Optional<ProcessHandle> running = ClusterLock.holder(directory.lockFile());
    if (running.isPresent()) {
      ClusterShape shape = ClusterShape.read(directory.shapeFile()).orElseThrow();
      out.printf(
          "The cluster in %s is already running (pid %d).%n", directory, running.get().pid());
      new NextSteps(directory, shape).print(out);
      return 0;
    }
    ClusterShape shape = options.shape();
    PortCheck.check(shape);
    boolean again = Files.exists(directory.shapeFile());
    directory.prepare();
    out.printf(
        "Starting %d %s and %d tablet servers on %s%s ...%n",
        shape.masters(),
        shape.masters() == 1 ? "master" : "masters",
        shape.tabletServers(),
        directory,
        again ? ", with the existing data" : "");
    out.flush();
    Process process = Launcher.ofThisCommand().launch(directory, shape);
    awaitHealthy(directory, shape, process, out);
    new NextSteps(directory, shape).print(out);
    return 0;
  }

  private void awaitHealthy(
      ClusterDirectory directory, ClusterShape shape, Process process, PrintWriter out)
      throws IOException {
    long began = System.nanoTime();
    long deadline = began + Duration.ofSeconds(timeoutSeconds).toNanos();
    StartProgress progress = new StartProgress(out);
    try (ServerCalls calls = new ServerCalls()) {
      while (true) {
        ClusterReport report = ClusterReport.of(shape, calls);
        progress.show(report);
        if (report.isHealthy() && ClusterLock.isHeld(directory.lockFile())) {
          progress.healthy(Duration.ofNanos(System.nanoTime() - began));
          return;
        }
        if (!process.isAlive()) {
          throw failed(directory, "The cluster did not start");
        }
        if (System.nanoTime() - deadline > 0) {
          throw KuduException.timedOut(
              "The cluster is not healthy after %d s, but is still starting; kudu status"
                  + " shows its state, see also %s",
              timeoutSeconds, directory.logFile());
        }
        Pause.millis(100);
      }
    }
  }

  private static KuduException failed(ClusterDirectory directory, String what) throws IOException {
    List<String> log = Files.readAllLines(directory.logFile());
    List<String> last = log.subList(Math.max(0, log.size() - LOG_LINES), log.size());
    String reason =
        last.stream()
            .filter(line -> line.startsWith("kudu: "))
            .reduce((first, second) -> second)
            .map(line -> line.substring("kudu: ".length()))
            .orElseGet(() -> last.isEmpty() ? "it printed no message" : last.get(last.size() - 1));
    return new KuduException(
        StatusCode.RUNTIME_ERROR, what + ": " + reason + " (log: " + directory.logFile() + ")");
  }
}
