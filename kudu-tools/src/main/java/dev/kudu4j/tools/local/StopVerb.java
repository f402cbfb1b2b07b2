package dev.kudu4j.tools.local;

import dev.kudu4j.common.status.KuduException;
import dev.kudu4j.tools.connection.Pause;
import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Locale;
import java.util.Optional;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/** Stops the process of a cluster, first with a signal, then by killing it. */
@Command(
    name = "stop",
    description = "Stops the cluster that kudu start started. Its data is kept.",
    mixinStandardHelpOptions = true)
public final class StopVerb implements Callable<Integer> {
  private static final Duration AFTER_KILL = Duration.ofSeconds(10);

  @Spec private CommandSpec spec;

  @Option(
      names = "--dir",
      paramLabel = "DIR",
      defaultValue = "kudu-data",
      description = "The directory of the cluster; default ./${DEFAULT-VALUE}.")
  private Path directory;

  @Option(
      names = "--timeout",
      paramLabel = "SECONDS",
      defaultValue = "30",
      description =
          "Maximum time to shut down before the process is killed; default" + " ${DEFAULT-VALUE}.")
  private int timeoutSeconds;

  @Override
  public Integer call() throws IOException {
    PrintWriter out = spec.commandLine().getOut();
    ClusterDirectory cluster = new ClusterDirectory(directory.toAbsolutePath().normalize());
    Optional<ProcessHandle> holder = ClusterLock.holder(cluster.lockFile());
    if (holder.isEmpty()) {
      requireFree(cluster);
      out.printf("No cluster is running in %s.%n", cluster);
      return 0;
    }
    ProcessHandle process = holder.get();
    out.printf("Stopping the cluster in %s (pid %d) ...%n", cluster, process.pid());
    out.flush();
    long began = System.nanoTime();
    process.destroy();
    if (!endsWithin(cluster, process, Duration.ofSeconds(timeoutSeconds))) {
      out.printf("The cluster did not shut down within %d s; killing it.%n", timeoutSeconds);
      out.flush();
      process.destroyForcibly();
      if (!endsWithin(cluster, process, AFTER_KILL)) {
        throw KuduException.timedOut(
            "Process %d does not end; see the log of the operating system", process.pid());
      }
    }
    out.printf(Locale.ROOT, "Stopped after %.1f s.%n", (System.nanoTime() - began) / 1e9);
    return 0;
  }

  private static void requireFree(ClusterDirectory cluster) throws IOException {
    if (ClusterLock.isHeld(cluster.lockFile())) {
      throw KuduException.illegalState(
          "%s is locked by a process whose pid it does not contain, so the process is"
              + " not stopped; find it with: fuser %s",
          cluster.lockFile(), cluster.lockFile());
    }
  }

  private static boolean endsWithin(ClusterDirectory cluster, ProcessHandle process, Duration time)
      throws IOException {
    long deadline = System.nanoTime() + time.toNanos();
    while (process.isAlive() || ClusterLock.isHeld(cluster.lockFile())) {
      if (System.nanoTime() - deadline > 0) {
        return false;
      }
      Pause.millis(50);
    }
    return true;
  }
}
