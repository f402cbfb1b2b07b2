package dev.kudu4j.tools.demo;

import dev.kudu4j.embedded.EmbeddedCluster;
import dev.kudu4j.server.process.ClosingOnSignal;
import dev.kudu4j.tablet.env.LocalFileStore;
import dev.kudu4j.tools.local.LocalMemory;
import dev.kudu4j.tools.logging.RecentLines;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.concurrent.Callable;
import java.util.concurrent.atomic.AtomicReference;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** Demonstrates a cluster in two minutes. */
@Command(
    name = "demo",
    description = {
      "Starts a cluster in this process, with a master and three tablet servers,"
          + " and demonstrates it:",
      "load, queries, updates, time travel, and the failure of a server. Every"
          + " result is compared",
      "with the generated data; the exit code is 0 if all were correct."
    },
    mixinStandardHelpOptions = true)
public final class DemoVerb implements Callable<Integer> {
  private static final int TABLET_SERVERS = 3;
  private static final double MIN_SCALE = 0.001;
  private static final double MAX_SCALE = 10;

  /**
   * System property with the number of columns of the terminal. {@code bin/kudu} sets it only if
   * the output is a terminal.
   */
  private static final String TERMINAL = "kudu4j.terminal";

  private final AtomicReference<Thread> ending = new AtomicReference<>();

  @Spec private CommandSpec spec;

  @Option(
      names = "--scale",
      paramLabel = "FACTOR",
      defaultValue = "0.1",
      description =
          "TPC-H's scale factor; default ${DEFAULT-VALUE}: 150,000 orders, 600,572 lines.")
  private double scale;

  @Option(
      names = "--keep",
      description = "Keep the cluster running in the foreground, until Ctrl-C or kill.")
  private boolean keep;

  @Option(
      names = {"--memory_limit_hard_bytes", "--memory-limit-hard-bytes"},
      paramLabel = "BYTES",
      defaultValue = "0",
      description = "Memory of the process; default 1.5 GB.")
  private long memoryBytes;

  @Override
  public Integer call() throws Exception {
    if (!(scale >= MIN_SCALE && scale <= MAX_SCALE)) {
      throw new ParameterException(
          spec.commandLine(),
          "--scale must be from " + MIN_SCALE + " to " + MAX_SCALE + ", not " + scale);
    }
    PrintStream out = System.out;
    Screen screen = new Screen(out, Integer.getInteger(TERMINAL, 0));
    Path directory = Files.createTempDirectory("kudu-demo-");
    DemoLog.writeTo(directory.resolve("demo.log"));
    int exitCode = 1;
    long began = System.nanoTime();
    out.printf(
        "Kudu4j demo: a cluster in one process, TPC-H at scale factor %s%n", Texts.plain(scale));
    try (EmbeddedCluster cluster = start(directory, screen)) {
      ClosingOnSignal.register(() -> endOnSignal(cluster, directory));
      Checks checks = new Demo(cluster, scale, screen).play();
      exitCode = conclude(checks, screen, System.nanoTime() - began);
      if (keep && exitCode == 0) {
        Farewell.keeping(cluster, screen);
        Thread.currentThread().join();
      }
      awaitExitIfSignalled();
      Farewell.leaving(screen);
    } catch (Exception e) {
      awaitExitIfSignalled();
      screen.say("The demo failed; its log is %s", directory.resolve("demo.log"));
      throw e;
    } finally {
      if (exitCode == 0) {
        new LocalFileStore().deleteTree(directory);
      }
    }
    return exitCode;
  }

  private EmbeddedCluster start(Path directory, Screen screen) {
    screen.act("Start: 1 master, 3 tablet servers, replication factor 3");
    long began = System.nanoTime();
    EmbeddedCluster cluster =
        EmbeddedCluster.builder()
            .directory(directory)
            .tabletServers(TABLET_SERVERS)
            .memoryPerServerBytes(LocalMemory.perTabletServer(memoryBytes, 1, TABLET_SERVERS))
            .webPages(keep)
            .recentLog(RecentLines.attach())
            .start();
    screen.say(
        "Up after %s; master %s, files in %s",
        Texts.time(System.nanoTime() - began), cluster.masterAddresses(), directory);
    return cluster;
  }

  private static int conclude(Checks checks, Screen screen, long nanos) {
    if (checks.wrong().isEmpty()) {
      screen.act(
          "All "
              + checks.count()
              + " results are correct. The demo took "
              + Texts.time(nanos)
              + ".");
      return 0;
    }
    screen.act("WRONG RESULTS; this is a bug, please report it:");
    checks.wrong().forEach(line -> screen.say("%s", line));
    return 1;
  }

  /**
   * Called before the demo ends or reports a failure. If a signal is already ending the process,
   * this method waits for the end of the process, so that failures caused by the signal are not
   * reported.
   */
  private void awaitExitIfSignalled() throws InterruptedException {
    Thread self = Thread.currentThread();
    if (!ending.compareAndSet(null, self) && ending.get() != self) {
      self.join(); // until the signal has ended the process
    }
  }

  private void endOnSignal(EmbeddedCluster cluster, Path directory) throws IOException {
    if (!ending.compareAndSet(null, Thread.currentThread())) {
      return; // a normal exit, which may keep the log
    }
    try {
      cluster.close();
    } finally {
      new LocalFileStore().deleteTree(directory);
    }
  }
}
