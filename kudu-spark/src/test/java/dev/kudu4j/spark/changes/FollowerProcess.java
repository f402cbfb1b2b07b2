package dev.kudu4j.spark.changes;

import dev.kudu4j.spark.KuduCatalog;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.PrintStream;
import java.io.UncheckedIOException;
import java.io.Writer;
import java.lang.management.ManagementFactory;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import org.apache.spark.sql.SparkSession;
import org.apache.spark.sql.streaming.Trigger;

/** A {@link TableFollower} with a Spark of its own, in a process that is killed at last. */
final class FollowerProcess implements AutoCloseable {
  /** The event after the last one. */
  static final String END = "has ended";

  /** Precedes the events in the output, which also has Spark's log. */
  private static final String EVENT = "follower ";

  private final Path output;
  private final Process process;
  private final BlockingQueue<String> events = new LinkedBlockingQueue<>();

  /**
   * @param catalog the name of the catalog in the namespace
   * @param namespace of the tables, with the catalog
   * @param directory of the checkpoints and the output
   * @param maxChanges of a batch
   */
  FollowerProcess(
      String masters, String catalog, String namespace, Path directory, int maxChanges) {
    output = directory.resolve("follower.log");
    List<String> command = new ArrayList<>();
    command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
    command.add("-Xmx600m");
    command.addAll(List.of(System.getProperty("test.jit", "-XX:TieredStopAtLevel=1").split(" ")));
    ManagementFactory.getRuntimeMXBean().getInputArguments().stream()
        .filter(argument -> argument.startsWith("--add-opens"))
        .forEach(command::add);
    command.addAll(List.of("-cp", System.getProperty("java.class.path")));
    command.add(FollowerProcess.class.getName());
    command.addAll(List.of(masters, catalog, namespace, directory.toString()));
    command.add(Integer.toString(maxChanges));
    try {
      process = new ProcessBuilder(command).redirectErrorStream(true).start();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    startDaemon("output of the follower", this::read);
  }

  private static void startDaemon(String name, Runnable task) {
    Thread thread = new Thread(task, name);
    thread.setDaemon(true);
    thread.start();
  }

  /** Entry point of the child process, which exits when its parent exits. */
  public static void main(String[] arguments) throws Exception {
    startDaemon("parent", FollowerProcess::exitWithParent);
    String catalog = "spark.sql.catalog." + arguments[1];
    Path directory = Path.of(arguments[3]);
    PrintStream out = System.out;
    SparkSession spark =
        SparkSession.builder()
            .master("local[2,3]") // tasks may fail twice
            .config("spark.ui.enabled", "false")
            .config("spark.driver.host", "127.0.0.1")
            .config("spark.driver.bindAddress", "127.0.0.1")
            .config("spark.sql.shuffle.partitions", "2")
            .config("spark.sql.codegen.wholeStage", "false")
            .config("spark.sql.warehouse.dir", directory.resolve("warehouse").toString())
            .config(catalog, KuduCatalog.class.getName())
            .config(catalog + ".kudu.master", arguments[0])
            .getOrCreate();
    TableFollower follower =
        new TableFollower(
            spark,
            arguments[2],
            directory,
            Trigger.ProcessingTime(0),
            Integer.parseInt(arguments[4]),
            event -> out.println(EVENT + event));
    follower.start();
    follower.await();
  }

  private static void exitWithParent() {
    try {
      while (System.in.read() >= 0) {
        // The parent writes nothing to the pipe; the read ends when the parent exits.
      }
    } catch (IOException e) {
      // as if it had ended
    }
    Runtime.getRuntime().halt(1);
  }

  private void read() {
    try (BufferedReader lines = process.inputReader();
        Writer log =
            Files.newBufferedWriter(output, StandardOpenOption.CREATE, StandardOpenOption.APPEND)) {
      for (String line = lines.readLine(); line != null; line = lines.readLine()) {
        log.write(line + "\n");
        log.flush();
        if (line.startsWith(EVENT)) {
          events.add(line.substring(EVENT.length()));
        }
      }
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    } finally {
      events.add(END);
    }
  }

  /** What the streams do. */
  BlockingQueue<String> events() {
    return events;
  }

  /** The output of all processes with this directory. */
  @Override
  public String toString() {
    try {
      return Files.readString(output);
    } catch (IOException e) {
      return e.toString();
    }
  }

  /** {@code kill -9}. */
  @Override
  public void close() {
    process.destroyForcibly().onExit().join();
  }
}
