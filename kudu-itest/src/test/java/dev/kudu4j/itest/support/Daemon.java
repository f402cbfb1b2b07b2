package dev.kudu4j.itest.support;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;

/**
 * One real server process of ours on loopback: started through the class the command line starts,
 * stopped by a signal, killed by {@code kill -9}. Its output goes to a file next to its data.
 */
public final class Daemon implements AutoCloseable {
  private final String kind;
  private final int port;
  private final Path directory;
  private final List<String> flags;
  private Process process;
  private int starts;

  /**
   * @param kind {@code master} or {@code tserver}
   */
  Daemon(String kind, int port, Path directory, List<String> flags) {
    this.kind = kind;
    this.port = port;
    this.directory = directory;
    this.flags = List.copyOf(flags);
  }

  public int port() {
    return port;
  }

  public String address() {
    return "127.0.0.1:" + port;
  }

  public long pid() {
    return process.pid();
  }

  public boolean isAlive() {
    return process != null && process.isAlive();
  }

  /** Starts the process and waits until its RPC port answers. */
  public void start() {
    launch();
    Await.until(kind + " answers on port " + port, 30_000, () -> !isAlive() || portOpen());
    if (!isAlive()) {
      throw new AssertionError(kind + " ended at once:\n" + output());
    }
  }

  /** Starts the process and returns at once. */
  public void launch() {
    if (isAlive()) {
      throw new IllegalStateException(kind + " is running");
    }
    List<String> command = new ArrayList<>();
    command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
    command.addAll(
        List.of("-Xms64m", "-Xmx384m", "-XX:MaxDirectMemorySize=512m", "-XX:+UseSerialGC", "-ea"));
    command.addAll(
        List.of(
            "-cp", System.getProperty("java.class.path"), "dev.kudu4j.tools.Kudu", kind, "run"));
    command.addAll(flags);
    try {
      Files.createDirectories(directory);
      process =
          new ProcessBuilder(command)
              .redirectErrorStream(true)
              .redirectOutput(ProcessBuilder.Redirect.appendTo(logFile().toFile()))
              .start();
      starts++;
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** {@code kill -9}, as a power cut would for this process. */
  public void kill() {
    process.destroyForcibly();
    awaitEnd();
  }

  /** SIGTERM, and waits for the orderly end. */
  public void stop() {
    process.destroy();
    awaitEnd();
  }

  public String output() {
    try {
      return Files.exists(logFile()) ? Files.readString(logFile()) : "";
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  public int starts() {
    return starts;
  }

  private Path logFile() {
    return directory.resolve(kind + ".log");
  }

  private boolean portOpen() {
    try (Socket socket = new Socket()) {
      socket.connect(new InetSocketAddress("127.0.0.1", port), 200);
      return true;
    } catch (IOException e) {
      return false;
    }
  }

  private void awaitEnd() {
    try {
      if (!process.waitFor(30, TimeUnit.SECONDS)) {
        process.destroyForcibly();
        throw new AssertionError(kind + " did not end within 30 s of its signal");
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new AssertionError(e);
    }
  }

  @Override
  public void close() {
    if (isAlive()) {
      kill();
    }
  }
}
