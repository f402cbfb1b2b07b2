package dev.kudu4j.benchmarks.client;

import java.io.BufferedReader;
import java.io.BufferedWriter;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;

/**
 * A {@link ClientMain} as a child process with this JVM's class path. The child ends when this
 * object is closed, or with this JVM. Not thread-safe.
 */
final class ClientProcess implements AutoCloseable {
  private static final long ORDERLY_END_SECONDS = 15;

  /** Set by {@code bin/kudu}, which also orders the class path for it. */
  private static final String NETTY_DUPLICATES = "io.netty.native.detectNativeLibraryDuplicates";

  private static final String LOGGING = "logback.configurationFile";

  private final Process process;
  private final Path log;
  private final BufferedWriter orders;
  private final BufferedReader answers;

  private ClientProcess(Process process, Path log) {
    this.process = process;
    this.log = log;
    this.orders = process.outputWriter(StandardCharsets.UTF_8);
    this.answers = process.inputReader(StandardCharsets.UTF_8);
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
    List<String> command = new ArrayList<>();
    command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
    command.addAll(javaOptions);
    command.add("-D" + NETTY_DUPLICATES + "=" + System.getProperty(NETTY_DUPLICATES, "true"));
    command.add("-D" + LOGGING + "=dev/kudu4j/benchmarks/logback.xml");
    command.add("-cp");
    command.add(System.getProperty("java.class.path"));
    command.add(ClientMain.class.getName());
    command.addAll(List.of(masters, ours ? "ours" : "published", settings.format()));
    Files.createDirectories(log.getParent());
    ProcessBuilder builder = new ProcessBuilder(command).redirectError(log.toFile());
    builder.environment().remove("JDK_JAVA_OPTIONS");
    ClientProcess client = new ClientProcess(builder.start(), log);
    try {
      client.expect(ClientMain.READY);
      return client;
    } catch (IOException | RuntimeException e) {
      client.close();
      throw e;
    }
  }

  /**
   * @param table name of the table to create, for tasks that create one
   */
  Map<Measure, Double> run(Task task, String table) throws IOException {
    String figures = order(task.loads() ? task + " " + table : task.name());
    Map<Measure, Double> values = new EnumMap<>(Measure.class);
    for (String figure : figures.split(" ")) {
      int equals = figure.indexOf('=');
      values.put(
          Measure.valueOf(figure.substring(0, equals)),
          Double.parseDouble(figure.substring(equals + 1)));
    }
    return values;
  }

  void drop() throws IOException {
    order(ClientMain.DROP);
  }

  private String order(String line) throws IOException {
    orders.write(line);
    orders.newLine();
    orders.flush();
    return expect(ClientMain.OK);
  }

  /** Waits for the next answer, which must begin with the word; returns the text after the word. */
  private String expect(String word) throws IOException {
    String line = answers.readLine();
    while (line != null && !line.startsWith(ClientMain.ANSWER)) {
      line = answers.readLine();
    }
    if (line == null) {
      throw new IOException("The client's process ended; its output:\n" + Files.readString(log));
    }
    String answer = line.substring(ClientMain.ANSWER.length());
    if (!answer.startsWith(word)) {
      throw new IOException("The client " + answer);
    }
    return answer.substring(word.length()).trim();
  }

  /** Closes the input, which ends the process. */
  @Override
  public void close() {
    try {
      orders.close();
      if (!process.waitFor(ORDERLY_END_SECONDS, TimeUnit.SECONDS)) {
        process.destroyForcibly();
      }
    } catch (IOException e) {
      process.destroyForcibly();
    } catch (InterruptedException e) {
      process.destroyForcibly();
      Thread.currentThread().interrupt();
    }
  }
}
