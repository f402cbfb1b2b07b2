package dev.kudu4j.benchmarks.cluster;

import java.util.List;
import java.util.Map;

/** Where servers come from: how to start one, and how to make it write its memory out. */
public interface Distribution {
  /** The command that becomes a server, flags not yet included. */
  List<String> command(Daemon daemon);

  /** Flags of this distribution alone. */
  List<String> flags(Daemon daemon);

  /** What the environment has to hold beside what it holds. */
  Map<String, String> environment();

  /** Returns when the tablet server's rows are on disk. */
  void flush(ServerProcess tabletServer, StatusClient rpc);

  /** Bytes of the rows on the tablet server's disks, as it tells itself. */
  long dataBytes(ServerProcess tabletServer, StatusClient rpc);
}
