package dev.kudu4j.embedded;

import dev.kudu4j.common.status.KuduException;
import dev.kudu4j.common.status.StatusCode;
import dev.kudu4j.server.flags.FlagParser;
import dev.kudu4j.server.flags.Flags;
import dev.kudu4j.server.flags.HostPort;
import dev.kudu4j.server.flags.OptionSet;
import dev.kudu4j.server.process.JvmShare;
import dev.kudu4j.server.process.ServerProcess;
import dev.kudu4j.server.raft.FreePort;
import java.io.IOException;
import java.net.InetAddress;
import java.nio.file.Path;
import java.security.SecureRandom;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.BooleanSupplier;
import java.util.function.Supplier;

/**
 * One server of the cluster: its directory, its flags and its RPC port. The server can be stopped
 * and started again, and keeps its port.
 *
 * <p>Not thread-safe.
 */
final class ServerSlot implements AutoCloseable {
  /** Starts a server of one kind; closing its process stops it. */
  @FunctionalInterface
  interface Starter {
    Started start(Flags flags, JvmShare share);
  }

  /**
   * A started server.
   *
   * @param opened completes when the server's data is open
   * @param leading returns whether the server is the leading master
   */
  record Started(ServerProcess process, CompletableFuture<Void> opened, BooleanSupplier leading) {}

  /**
   * Maximum number of free ports that are tried: another program may take a free port before the
   * server binds it.
   */
  private static final int PORTS_TRIED = 20;

  private final String name;
  private final OptionSet options;
  private final Starter starter;
  private final JvmShare share;
  private final Path directory;
  private final Supplier<List<String>> flags;
  private final boolean portIsFree;
  private int port;
  private String uuid = "";
  private Started started;

  /**
   * @param name the name in messages, such as {@code tablet server 2}
   * @param port RPC port; 0 selects a free port
   * @param flags flags other than the directory and the RPC address; evaluated at each start
   */
  ServerSlot(
      String name,
      OptionSet options,
      Starter starter,
      JvmShare share,
      Path directory,
      int port,
      Supplier<List<String>> flags) {
    this.name = name;
    this.options = options;
    this.starter = starter;
    this.share = share;
    this.directory = directory;
    this.port = port;
    this.portIsFree = port == 0;
    this.flags = flags;
  }

  /** Starts the server; its tablets open in the background. Does nothing if it is running. */
  void start() {
    if (started != null) {
      return;
    }
    boolean choose = portIsFree && port == 0;
    for (int attempt = 1; started == null; attempt++) {
      int candidate = choose ? freePort() : port;
      try {
        started = starter.start(FlagParser.parse(options, arguments(candidate)), share);
        port = candidate;
        uuid = started.process.identity().uuid();
      } catch (KuduException e) {
        boolean another = choose && e.code() == StatusCode.NETWORK_ERROR && attempt < PORTS_TRIED;
        if (!another) {
          throw new KuduException(e.code(), "The " + name + " cannot start: " + e.getMessage(), e);
        }
      }
    }
  }

  private List<String> arguments(int rpcPort) {
    List<String> arguments = new ArrayList<>();
    arguments.add("--fs_wal_dir=" + directory);
    arguments.add("--rpc_bind_addresses=" + EmbeddedCluster.HOST + ":" + rpcPort);
    arguments.addAll(flags.get());
    return arguments;
  }

  private static int freePort() {
    try {
      return FreePort.find(InetAddress.getByName(EmbeddedCluster.HOST), new SecureRandom());
    } catch (IOException e) {
      throw KuduException.ioError(e, "No free port was found on %s: %s", EmbeddedCluster.HOST, e);
    }
  }

  /**
   * Waits until the server's Raft port and web pages are available, and its data is open.
   *
   * @throws KuduException if the server cannot open its port, its web UI or its data
   */
  void awaitOpen(long timeoutMillis) {
    try {
      started.process.replicas().get(timeoutMillis, TimeUnit.MILLISECONDS);
      started.process.webStarted().get(timeoutMillis, TimeUnit.MILLISECONDS);
      started.opened.get(timeoutMillis, TimeUnit.MILLISECONDS);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new KuduException(StatusCode.ABORTED, "Interrupted while the " + name + " starts", e);
    } catch (ExecutionException e) {
      StatusCode code =
          e.getCause() instanceof KuduException known ? known.code() : StatusCode.RUNTIME_ERROR;
      throw new KuduException(
          code, "The " + name + " cannot start: " + e.getCause().getMessage(), e.getCause());
    } catch (TimeoutException e) {
      throw KuduException.timedOut("The %s did not start within %d ms", name, timeoutMillis);
    }
  }

  /** Selects a port before the start, because other servers must know it. */
  void choosePort() {
    if (port == 0) {
      port = freePort();
    }
  }

  boolean isLeading() {
    return started != null && started.leading.getAsBoolean();
  }

  boolean isRunning() {
    return started != null;
  }

  String name() {
    return name;
  }

  /** The server's uuid; empty before its first start. */
  String uuid() {
    return uuid;
  }

  /** The server's address, even while it is stopped. */
  HostPort address() {
    return new HostPort(EmbeddedCluster.HOST, port);
  }

  /** The running server. */
  ServerProcess process() {
    if (started == null) {
      throw KuduException.illegalState("The %s is stopped; start it first", name);
    }
    return started.process;
  }

  /** Stops the server in bounded time; it keeps its files and its port. */
  void stop() {
    if (started != null) {
      ServerProcess stopping = started.process;
      started = null;
      stopping.close();
    }
  }

  @Override
  public void close() {
    stop();
  }
}
