package dev.kudu4j.server.replica;

import dev.kudu4j.server.raft.RaftOptions;
import dev.kudu4j.server.raft.RaftTransportKind;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * Prints the costs of both transports, side by side; a measurement, not a test. For meaningful
 * figures run it on an otherwise idle machine:
 *
 * <pre>
 *   mvn test -pl kudu-server -am -Dtest=TransportMeasurement -Dtest.excludedGroups=none \
 *       -Dsurefire.failIfNoSpecifiedTests=false
 * </pre>
 *
 * <p>{@code -Dtransport.warmup=60 -Dtransport.seconds=8 -Dtransport.rounds=3} are the defaults:
 * seconds of warm-up for each transport, seconds of each figure, number of rounds (the median is
 * printed).
 */
@Tag("nightly")
class TransportMeasurement {
  private static final int WARM_UP_SECONDS = Integer.getInteger("transport.warmup", 60);
  private static final int SECONDS = Integer.getInteger("transport.seconds", 8);
  private static final int ROUNDS = Integer.getInteger("transport.rounds", 3);
  private static final int[] TABLETS = {1, 8, 50};
  private static final int[] WRITERS = {1, 16, 64};

  @TempDir Path directory;
  private int clusters;

  @Test
  void writes() throws Exception {
    for (RaftTransportKind transport : RaftTransportKind.values()) {
      try (TabletCluster cluster = cluster(transport, 8)) {
        cluster.write(64, WARM_UP_SECONDS / 2.0);
        cluster.write(4, WARM_UP_SECONDS / 2.0);
      }
    }
    System.out.println(
        "tablets writers |   gRPC op/s   p50 ms   p99 ms  CPU us |   ours op/s   p50 ms   p99 ms"
            + "  CPU us |  op/s   p50   p99   CPU (ours/gRPC)");
    for (int tablets : TABLETS) {
      for (int writers : WRITERS) {
        compare(tablets, writers);
      }
    }
  }

  /** Both transports take turns. */
  private void compare(int tablets, int writers) throws Exception {
    Map<RaftTransportKind, List<TabletCluster.Figures>> all =
        new EnumMap<>(RaftTransportKind.class);
    for (int round = 0; round < ROUNDS; round++) {
      for (RaftTransportKind transport : RaftTransportKind.values()) {
        try (TabletCluster cluster = cluster(transport, tablets)) {
          cluster.write(writers, 1);
          all.computeIfAbsent(transport, t -> new ArrayList<>())
              .add(cluster.write(writers, SECONDS));
        }
      }
    }
    TabletCluster.Figures grpc = median(all.get(RaftTransportKind.GRPC));
    TabletCluster.Figures ours = median(all.get(RaftTransportKind.KUDU));
    System.out.printf(
        "%7d %7d |%s |%s | %5.2f %5.2f %5.2f %5.2f%n",
        tablets,
        writers,
        text(grpc),
        text(ours),
        ours.perSecond() / grpc.perSecond(),
        (double) ours.p50Micros() / grpc.p50Micros(),
        (double) ours.p99Micros() / grpc.p99Micros(),
        ours.cpuMicros() / grpc.cpuMicros());
  }

  private TabletCluster cluster(RaftTransportKind transport, int tablets) throws Exception {
    return new TabletCluster(
        directory.resolve("c" + clusters++), RaftOptions.DEFAULT.withTransport(transport), tablets);
  }

  private static TabletCluster.Figures median(List<TabletCluster.Figures> figures) {
    return figures.stream()
        .sorted((a, b) -> Double.compare(a.perSecond(), b.perSecond()))
        .toList()
        .get(figures.size() / 2);
  }

  private static String text(TabletCluster.Figures figures) {
    return "%12.0f %8.2f %8.2f %7.0f"
        .formatted(
            figures.perSecond(),
            figures.p50Micros() / 1e3,
            figures.p99Micros() / 1e3,
            figures.cpuMicros());
  }
}
