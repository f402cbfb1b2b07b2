package dev.kudu4j.embedded.programs;

import dev.kudu4j.client.KuduChange;
import dev.kudu4j.client.KuduChangeFeed;
import dev.kudu4j.client.KuduChangePosition;
import dev.kudu4j.client.KuduClient;
import dev.kudu4j.client.KuduTable;
import java.time.Duration;

final class FollowChanges {
  public static void main(String[] arguments) throws Exception {
    try (KuduClient client = new KuduClient.KuduClientBuilder(arguments[0]).build()) {
      KuduTable stock = client.openTable("stock");
      KuduChangeFeed feed = stock.changes().fromBeginning().build();
      String stored = feed.position().serialize();
      for (int known = 0; known < 3; ) {
        for (KuduChange change : feed.poll(Duration.ofSeconds(1))) {
          long value = change.row().getLong("value");
          System.out.println(change.type() + " " + change.row().getString("key") + " " + value);
          known++;
        }
        stored = feed.position().serialize(); // another process can go on from here
      }
      KuduChangePosition position = KuduChangePosition.parse(stored);
      KuduChangeFeed next = stock.changes().from(position).build();
      System.out.println(next.poll(Duration.ofMillis(500)).size() + " more");
    }
  }
}
