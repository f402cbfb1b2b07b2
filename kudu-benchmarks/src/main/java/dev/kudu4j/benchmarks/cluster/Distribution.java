package dev.kudu4j.benchmarks.cluster;

import java.util.List;
import java.util.Map;

/**
 * A software distribution of servers: how to start a server, flush its rows and get the size of its
 * data.
 */
public interface Distribution {
  /** The command that starts a server, without flags. */
  List<String> command(Daemon daemon);

  /** Flags that only this distribution needs. */
  List<String> flags(Daemon daemon);

  /** Additional environment variables. */
  Map<String, String> environment();

  /** Flushes all rows of the tablet server to disk. */
  void flush(ServerProcess tabletServer, StatusClient rpc);

  /** Bytes of the rows on the tablet server's disks, as the server reports them. */
  long dataBytes(ServerProcess tabletServer, StatusClient rpc);
}
