package dev.kudu4j.benchmarks.worker;

import java.io.BufferedReader;
import java.io.BufferedWriter;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;

/**
 * A {@link Worker} as a child process. The child ends when this object is closed, or with this JVM.
 * Not thread-safe.
 */
public final class WorkerProcess implements AutoCloseable {
  private static final long ORDERLY_END_SECONDS = 15;
  private static final String LOGGING =
      "-Dlogback.configurationFile=dev/kudu4j/benchmarks/logback.xml";

  private final String name;
  private final Process process;
  private final Path log;
  private final BufferedWriter orders;
  private final BufferedReader answers;

  private WorkerProcess(String name, Process process, Path log) {
    this.name = name;
    this.process = process;
    this.log = log;
    this.orders = process.outputWriter(StandardCharsets.UTF_8);
    this.answers = process.inputReader(StandardCharsets.UTF_8);
  }

  /**
   * Starts the process and returns when the worker is ready.
   *
   * @param name name of the worker in error messages, such as "client"
   * @param javaOptions options of the child's JVM
   * @param mainClass name of the class that calls {@link Worker#start}
   * @param log file for its error output; the directory is created if absent
   */
  public static WorkerProcess start(
      String name,
      List<String> javaOptions,
      String classPath,
      String mainClass,
      List<String> arguments,
      Path log)
      throws IOException {
    List<String> command = new ArrayList<>();
    command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
    command.addAll(javaOptions);
    command.add(LOGGING);
    command.addAll(List.of("-cp", classPath, mainClass));
    command.addAll(arguments);
    Files.createDirectories(log.toAbsolutePath().getParent());
    ProcessBuilder builder = new ProcessBuilder(command).redirectError(log.toFile());
    builder.environment().remove("JDK_JAVA_OPTIONS");
    WorkerProcess worker = new WorkerProcess(name, builder.start(), log);
    try {
      worker.expect(Worker.READY);
      return worker;
    } catch (IOException | RuntimeException e) {
      worker.close();
      throw e;
    }
  }

  /**
   * Gives an order and waits for the answer.
   *
   * @return the figures of the answer, by name
   * @throws IOException if the worker fails; the message is the worker's
   */
  public Map<String, Double> order(String line) throws IOException {
    try {
      orders.write(line);
      orders.newLine();
      orders.flush();
    } catch (IOException e) {
      throw ended(e);
    }
    return figures(expect(Worker.OK));
  }

  static Map<String, Double> figures(String answer) {
    Map<String, Double> values = new LinkedHashMap<>();
    for (String figure : answer.isEmpty() ? new String[0] : answer.split(" ")) {
      int equals = figure.indexOf('=');
      values.put(figure.substring(0, equals), Double.parseDouble(figure.substring(equals + 1)));
    }
    return values;
  }

  /** Waits for the next answer, which must begin with the word; returns the text after the word. */
  private String expect(String word) throws IOException {
    String line = answers.readLine();
    while (line != null && !line.startsWith(Worker.ANSWER)) {
      line = answers.readLine();
    }
    if (line == null) {
      throw ended(null);
    }
    String answer = line.substring(Worker.ANSWER.length());
    if (!answer.startsWith(word)) {
      throw new IOException("The " + name + " " + answer);
    }
    return answer.substring(word.length()).trim();
  }

  private IOException ended(IOException cause) throws IOException {
    return new IOException(
        "The process of the %s ended; its output:\n%s".formatted(name, Files.readString(log)),
        cause);
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
