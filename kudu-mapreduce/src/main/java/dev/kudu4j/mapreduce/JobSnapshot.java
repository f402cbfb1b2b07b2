package dev.kudu4j.mapreduce;

import dev.kudu4j.client.AsyncKuduScanner.ReadMode;
import dev.kudu4j.client.KuduClient;
import dev.kudu4j.client.KuduScanToken;
import dev.kudu4j.client.KuduScanner;
import dev.kudu4j.client.KuduTable;
import dev.kudu4j.client.LocatedTablet;
import java.io.IOException;
import java.util.HashSet;
import java.util.List;
import java.util.OptionalLong;
import java.util.Set;

/**
 * Chooses the snapshot at which a job reads its table.
 *
 * <p>The snapshot must be later than every write that was acknowledged before the job was
 * submitted, by any client and any server, and the clocks of servers differ. Therefore each server
 * that leads a tablet of the table is asked for its time, by a minimal scan, and the latest time is
 * used. The submitter's clock is not used.
 */
final class JobSnapshot {
  private JobSnapshot() {}

  /** Hybrid time; empty if the table has no tablets. */
  static OptionalLong now(KuduClient client, KuduTable table) throws IOException {
    List<KuduScanToken> tablets =
        client
            .newScanTokenBuilder(table)
            .setProjectedColumnNames(List.of())
            .readMode(ReadMode.READ_AT_SNAPSHOT)
            .limit(1)
            .build();
    Set<String> asked = new HashSet<>();
    for (KuduScanToken tablet : tablets) {
      if (asked.add(leaderOf(tablet.getTablet()))) {
        learnTime(tablet.intoScanner(client));
      }
    }
    return tablets.isEmpty()
        ? OptionalLong.empty()
        : OptionalLong.of(client.getLastPropagatedTimestamp());
  }

  /**
   * Identifies the server that leads the tablet. The text is unique if the leader is unknown, so
   * the tablet gets its own request.
   */
  private static String leaderOf(LocatedTablet tablet) {
    LocatedTablet.Replica leader = tablet.getLeaderReplica();
    return leader == null ? "leader of " + tablet : leader.getRpcHost() + ":" + leader.getRpcPort();
  }

  /** Makes one request. The client records the latest time of all responses. */
  private static void learnTime(KuduScanner scanner) throws IOException {
    try {
      scanner.nextRows();
    } finally {
      scanner.close();
    }
  }
}
