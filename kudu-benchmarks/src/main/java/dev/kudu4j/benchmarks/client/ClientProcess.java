package dev.kudu4j.benchmarks.client;

import dev.kudu4j.benchmarks.worker.WorkerProcess;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;

/**
 * A {@link ClientMain} as a child process with this JVM's class path. The child ends when this
 * object is closed, or with this JVM. Not thread-safe.
 */
final class ClientProcess implements AutoCloseable {
  /** Set by {@code bin/kudu}, which also orders the class path for it. */
  private static final String NETTY_DUPLICATES = "io.netty.native.detectNativeLibraryDuplicates";

  private final WorkerProcess worker;

  private ClientProcess(WorkerProcess worker) {
    this.worker = worker;
  }

  /**
   * Starts the process and returns when the client is ready.
   *
   * @param ours whether to use Kudu4j's client instead of the published one
   * @param javaOptions options of the child's JVM
   * @param log file for its error output; the directory is created if absent
   */
  static ClientProcess start(
      boolean ours, String masters, TrialSettings settings, List<String> javaOptions, Path log)
      throws IOException {
    List<String> options = new ArrayList<>(javaOptions);
    options.add("-D" + NETTY_DUPLICATES + "=" + System.getProperty(NETTY_DUPLICATES, "true"));
    return new ClientProcess(
        WorkerProcess.start(
            "client",
            options,
            System.getProperty("java.class.path"),
            ClientMain.class.getName(),
            List.of(masters, ours ? "ours" : "published", settings.format()),
            log));
  }

  /**
   * @param table name of the table to create, for tasks that create one
   */
  Map<Measure, Double> run(Task task, String table) throws IOException {
    Map<Measure, Double> values = new EnumMap<>(Measure.class);
    worker
        .order(task.loads() ? task + " " + table : task.name())
        .forEach((name, value) -> values.put(Measure.valueOf(name), value));
    return values;
  }

  void drop() throws IOException {
    worker.order(ClientMain.DROP);
  }

  /** Ends the process. */
  @Override
  public void close() {
    worker.close();
  }
}
