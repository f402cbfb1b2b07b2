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
 * Chooses the moment at which a whole job reads its table.
 *
 * <p>The moment must lie behind every write that was acknowledged before the job was submitted,
 * whoever made it and whichever server took it, and the clocks of servers differ. So each server
 * that leads a tablet of the table is asked for its time, by a scan that reads next to nothing, and
 * the latest counts. The submitter's own clock has no say.
 */
final class JobSnapshot {
  private JobSnapshot() {}

  /** Hybrid time; empty when the table has no tablets. */
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

  /** A tablet whose leader is not known just now is a reason to ask on its own. */
  private static String leaderOf(LocatedTablet tablet) {
    LocatedTablet.Replica leader = tablet.getLeaderReplica();
    return leader == null ? "leader of " + tablet : leader.getRpcHost() + ":" + leader.getRpcPort();
  }

  /** The client keeps the latest time that an answer tells. */
  private static void learnTime(KuduScanner scanner) throws IOException {
    try {
      scanner.nextRows();
    } finally {
      scanner.close();
    }
  }
}
