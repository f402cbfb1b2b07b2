package dev.kudu4j.itest.support;

import static org.awaitility.Awaitility.await;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;

/**
 * One real server process on this machine: stopped by a signal, killed by {@code kill -9}, paused.
 * Its output goes to a file next to its data. It ends with this JVM at the latest.
 */
public final class Daemon implements AutoCloseable {
  private static final int END_SECONDS = 90;

  private final String name;
  private final String host;
  private final int port;
  private final Path directory;
  private final List<String> command;
  private final Map<String, String> environment;
  private final Thread killAtExit = new Thread(this::killNow);
  private volatile Process process;
  private int starts;

  /**
   * @param name the name in messages and of the log file
   */
  Daemon(
      String name,
      String host,
      int port,
      Path directory,
      List<String> command,
      Map<String, String> environment) {
    this.name = name;
    this.host = host;
    this.port = port;
    this.directory = directory;
    this.command = List.copyOf(command);
    this.environment = Map.copyOf(environment);
    Runtime.getRuntime().addShutdownHook(killAtExit);
  }

  public String name() {
    return name;
  }

  public int port() {
    return port;
  }

  public String host() {
    return host;
  }

  public String address() {
    return host + ":" + port;
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
    awaitPort();
  }

  /** Waits until the RPC port answers. */
  public void awaitPort() {
    await(name + " answers on port " + port)
        .atMost(Duration.ofMinutes(2))
        .until(() -> !isAlive() || portOpen());
    if (!isAlive()) {
      throw new AssertionError(name + " ended immediately:\n" + output());
    }
  }

  /** Starts the process and returns immediately. */
  public void launch() {
    if (isAlive()) {
      throw new IllegalStateException(name + " is running");
    }
    try {
      Files.createDirectories(directory);
      ProcessBuilder builder =
          new ProcessBuilder(command)
              .redirectErrorStream(true)
              .redirectOutput(ProcessBuilder.Redirect.appendTo(logFile().toFile()));
      builder.environment().putAll(environment);
      process = builder.start();
      starts++;
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** {@code kill -9}, like a power cut for this process. */
  public void kill() {
    process.destroyForcibly();
    awaitEnd();
  }

  /** SIGTERM, and waits for the orderly shutdown. */
  public void stop() {
    process.destroy();
    awaitEnd();
  }

  /** Stops the process, with all its connections open, until {@link #resume}. */
  public void pause() {
    Standstill.begin(pid());
  }

  public void resume() {
    Standstill.end(pid());
  }

  public String output() {
    try {
      return Files.exists(logFile()) ? Files.readString(logFile()) : "";
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** The current size of the output. */
  public long logBytes() {
    try {
      return Files.exists(logFile()) ? Files.size(logFile()) : 0;
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  public int starts() {
    return starts;
  }

  private Path logFile() {
    return directory.resolve(name + ".log");
  }

  private boolean portOpen() {
    try (Socket socket = new Socket()) {
      socket.connect(new InetSocketAddress(host, port), 200);
      return true;
    } catch (IOException e) {
      return false;
    }
  }

  private void awaitEnd() {
    try {
      if (!process.waitFor(END_SECONDS, TimeUnit.SECONDS)) {
        process.destroyForcibly();
        throw new AssertionError(name + " did not end within " + END_SECONDS + " s of its signal");
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new AssertionError(e);
    }
  }

  private void killNow() {
    if (process != null) {
      process.destroyForcibly();
    }
  }

  @Override
  public void close() {
    if (isAlive()) {
      kill();
    }
    try {
      Runtime.getRuntime().removeShutdownHook(killAtExit);
    } catch (IllegalStateException shuttingDown) {
      // The JVM is already shutting down.
    }
  }
}
