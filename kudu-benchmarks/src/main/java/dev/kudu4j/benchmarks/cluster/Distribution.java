package dev.kudu4j.benchmarks.cluster;

import java.util.List;
import java.util.Map;

/** A distribution of servers: how to start one, and how to flush its memory. */
public interface Distribution {
  /** The command that starts a server, without flags. */
  List<String> command(Daemon daemon);

  /** Flags of this distribution only. */
  List<String> flags(Daemon daemon);

  /** Additional environment variables. */
  Map<String, String> environment();

  /** Flushes all rows of the tablet server to disk. */
  void flush(ServerProcess tabletServer, StatusClient rpc);

  /** Bytes of the rows on the tablet server's disks, as the server reports them. */
  long dataBytes(ServerProcess tabletServer, StatusClient rpc);
}
