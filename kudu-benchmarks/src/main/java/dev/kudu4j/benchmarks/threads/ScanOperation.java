package dev.kudu4j.benchmarks.threads;

import dev.kudu4j.common.proto.tserver.ScanRequestPB;
import dev.kudu4j.common.rpc.RpcCallOptions;
import java.util.random.RandomGenerator;

/** An operation that clients repeat: a scan of one tablet. */
public interface ScanOperation {
  String title();

  /** The first request of an operation. */
  ScanRequestPB open(RandomGenerator random);

  /** The number of rows that each operation returns. */
  int rows();

  /** The options of each call. */
  default RpcCallOptions options() {
    return RpcCallOptions.timeoutMillis(60_000);
  }
}
