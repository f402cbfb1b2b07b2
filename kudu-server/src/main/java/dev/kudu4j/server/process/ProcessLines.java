package dev.kudu4j.server.process;

import dev.kudu4j.server.flags.Flags;
import dev.kudu4j.server.flags.Option;
import dev.kudu4j.server.memory.MemoryBudget;
import dev.kudu4j.server.rpc.ServerIdentity;
import dev.kudu4j.server.web.html.Figures;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Writes the log lines of a server's start and end. */
final class ProcessLines {
  private static final Logger LOG = LoggerFactory.getLogger(ServerProcess.class);

  private final String server;

  ProcessLines(String daemon, String uuid) {
    this.server = daemon + " P " + uuid;
  }

  /** Logs version, flags, directories and memory, when files and ports are open. */
  void opened(Flags flags, ServerConfiguration configuration) {
    LOG.info(
        "{}: Starting Kudu4j {}, Java {} ({}), process {}",
        server,
        ServerVersion.current(),
        System.getProperty("java.version"),
        System.getProperty("java.vendor"),
        ProcessHandle.current().pid());
    LOG.info("{}: Flags set: {}", server, set(flags));
    LOG.info(
        "{}: WAL in {}, data in {}",
        server,
        configuration.walDirectory(),
        configuration.dataDirectories().isEmpty()
            ? configuration.walDirectory()
            : configuration.dataDirectories());
    LOG.info("{}: {}", server, text(configuration.memory()));
  }

  private static String text(MemoryBudget memory) {
    return "Memory limit %s: heap %s, data %s, of which rows %s (soft limit %s) and page cache %s"
        .formatted(
            Figures.bytesText(memory.limitBytes()),
            Figures.bytesText(memory.heapBytes()),
            Figures.bytesText(memory.dataBytes()),
            Figures.bytesText(memory.rowsBytes()),
            Figures.bytesText(memory.rowsSoftBytes()),
            Figures.bytesText(memory.pagesBytes()));
  }

  private static String set(Flags flags) {
    String set =
        flags.options().all().stream()
            .filter(option -> !flags.isDefault(option))
            .map(option -> text(flags, option))
            .collect(Collectors.joining(" "));
    return set.isEmpty() ? "none" : set;
  }

  private static String text(Flags flags, Option<?> option) {
    return "--" + option.name() + "=" + flags.text(option);
  }

  /** Logs that the server accepts clients. */
  void serves(ServerIdentity identity, long nanos) {
    LOG.info(
        "{}: Serving RPC on {} and Raft on {}, {} ms after the start",
        server,
        identity.rpcAddresses(),
        identity.raft(),
        TimeUnit.NANOSECONDS.toMillis(nanos));
  }

  void servesWeb(Object addresses) {
    LOG.info("{}: Serving web pages on {}", server, addresses);
  }

  void webFailed(Throwable cause) {
    LOG.error("{}: The web pages cannot be served", server, cause);
  }

  void stopping() {
    LOG.info("{}: Stopping", server);
  }

  void stopped(long nanos) {
    LOG.info("{}: Stopped in {} ms", server, TimeUnit.NANOSECONDS.toMillis(nanos));
  }
}
