package dev.kudu4j.benchmarks.cluster;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;

/**
 * One server, as a process on a free loopback port. {@link #close} ends the process. If this JVM
 * ends without {@link #close}, it kills the process and its descendants by their ids. The output of
 * the process goes to a file next to its data directory.
 */
public final class ServerProcess implements AutoCloseable {
  private static final long START_TIMEOUT_MILLIS = 60_000;
  private static final long ORDERLY_END_SECONDS = 10;
  private static final long ANSWER_POLL_MILLIS = 2;

  private final Daemon daemon;
  private final InetSocketAddress address;
  private final Path dataDirectory;
  private final Path log;
  private final ProcessBuilder builder;
  private final Process process;
  private final Thread killAtExit;
  private final long startNanos;

  private ServerProcess(
      Daemon daemon,
      InetSocketAddress address,
      Path dataDirectory,
      Path log,
      ProcessBuilder builder,
      Process process,
      long startNanos) {
    this.daemon = daemon;
    this.address = address;
    this.dataDirectory = dataDirectory;
    this.log = log;
    this.builder = builder;
    this.process = process;
    this.startNanos = startNanos;
    this.killAtExit = new Thread(this::kill, "kill-" + daemon.command());
    Runtime.getRuntime().addShutdownHook(killAtExit);
  }

  /**
   * Starts the process and returns immediately.
   *
   * @param directory the directory for the server's data; created if absent
   * @param port RPC port; 0 for any free port
   * @param moreFlags flags in addition to those for directories and ports
   */
  static ServerProcess launch(
      Distribution distribution, Daemon daemon, Path directory, int port, List<String> moreFlags) {
    InetSocketAddress address = freeAddress(port);
    Path dataDirectory = directory.resolve("data");
    List<String> command = new ArrayList<>(distribution.command(daemon));
    command.add("--fs_wal_dir=" + directory.resolve("wal"));
    command.add("--fs_data_dirs=" + dataDirectory);
    command.add("--log_dir=" + directory);
    command.add("--rpc_bind_addresses=127.0.0.1:" + address.getPort());
    command.add("--webserver_interface=127.0.0.1");
    command.add("--webserver_port=0");
    command.addAll(distribution.flags(daemon));
    command.addAll(moreFlags);
    Path log = directory.resolve(daemon.command() + ".out");
    try {
      Files.createDirectories(directory);
      ProcessBuilder builder =
          new ProcessBuilder(command)
              .redirectErrorStream(true)
              .redirectOutput(ProcessBuilder.Redirect.appendTo(log.toFile()));
      builder.environment().putAll(distribution.environment());
      long startNanos = System.nanoTime();
      return new ServerProcess(
          daemon, address, dataDirectory, log, builder, builder.start(), startNanos);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** Kills the process and starts it again with the same command; this object is then closed. */
  ServerProcess killAndRestart() {
    kill();
    try {
      process.waitFor();
      removeExitHook();
      long startNanos = System.nanoTime();
      return new ServerProcess(
          daemon, address, dataDirectory, log, builder, builder.start(), startNanos);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new IllegalStateException("Interrupted", e);
    }
  }

  /**
   * Waits for the first answer to GetStatus; returns the nanoseconds since the start of the
   * process.
   */
  long awaitAnswer(StatusClient rpc) {
    Poll.until(
        daemon.command() + " answers GetStatus; its output is in " + log,
        START_TIMEOUT_MILLIS,
        ANSWER_POLL_MILLIS,
        () -> {
          checkAlive();
          return rpc.answers(address);
        });
    return System.nanoTime() - startNanos;
  }

  private void checkAlive() {
    if (!process.isAlive()) {
      throw new IllegalStateException(
          daemon.command()
              + " ended early with exit code "
              + process.exitValue()
              + ":\n"
              + logEnd());
    }
  }

  private String logEnd() {
    try {
      List<String> lines = Files.readAllLines(log);
      return String.join("\n", lines.subList(Math.max(0, lines.size() - 20), lines.size()));
    } catch (IOException e) {
      return "(its output cannot be read: " + e + ")";
    }
  }

  public InetSocketAddress address() {
    return address;
  }

  /** CPU time so far in clock ticks, in user and system mode, of all threads and descendants. */
  long cpuTicks() {
    return ProcStat.ticksOfTree(process.toHandle());
  }

  /** The process and its descendants. */
  Stream<Long> pids() {
    return Stream.concat(Stream.of(process.toHandle()), process.descendants())
        .map(ProcessHandle::pid);
  }

  /**
   * Size of the disk blocks of the data files, in bytes. It may differ from the length of the
   * files, which may be sparse or have reserved space.
   */
  long fileBytes() {
    try {
      Process du = new ProcessBuilder("du", "-sB1", dataDirectory.toString()).start();
      String answer = new String(du.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
      return Long.parseLong(answer.split("\t", 2)[0]);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** CPU time so far, with a resolution of 10 ms. */
  public double cpuSeconds() {
    return cpuTicks() / (double) ProcStat.TICKS_PER_SECOND;
  }

  /** Current resident memory of the process; 0 after its end. */
  public long residentBytes() {
    return status("VmRSS:") << 10;
  }

  /** Current number of threads of the process; 0 after its end. */
  public long threads() {
    return status("Threads:");
  }

  /** A number in {@code /proc/PID/status}. */
  private long status(String field) {
    try {
      for (String line : Files.readAllLines(Path.of("/proc/" + process.pid() + "/status"))) {
        if (line.startsWith(field)) {
          return Long.parseLong(line.replaceAll("\\D", ""));
        }
      }
      return 0;
    } catch (IOException e) {
      return 0;
    }
  }

  /** Whether the process is still running. */
  public boolean isAlive() {
    return process.isAlive();
  }

  private static InetSocketAddress freeAddress(int port) {
    try (ServerSocket socket = new ServerSocket(port, 1, InetAddress.getLoopbackAddress())) {
      return new InetSocketAddress(InetAddress.getLoopbackAddress(), socket.getLocalPort());
    } catch (IOException e) {
      throw new UncheckedIOException("Port " + port + " of this machine is taken; use another", e);
    }
  }

  private void kill() {
    process.descendants().forEach(ProcessHandle::destroyForcibly);
    process.destroyForcibly();
  }

  /** Asks the process to end, and kills it if it does not. */
  @Override
  public void close() {
    process.destroy();
    try {
      if (!process.waitFor(ORDERLY_END_SECONDS, TimeUnit.SECONDS)) {
        kill();
        process.waitFor();
      }
      removeExitHook();
    } catch (InterruptedException e) {
      kill();
      Thread.currentThread().interrupt();
    }
  }

  private void removeExitHook() {
    try {
      Runtime.getRuntime().removeShutdownHook(killAtExit);
    } catch (IllegalStateException e) {
      assert !process.isAlive() : "the server is still running although the JVM is ending";
    }
  }
}
