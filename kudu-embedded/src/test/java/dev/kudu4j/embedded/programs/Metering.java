package dev.kudu4j.embedded.programs;

import dev.kudu4j.client.KuduClient;
import dev.kudu4j.client.KuduClientMetrics;
import dev.kudu4j.client.RowResult;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;

final class Metering {
  public static void main(String[] arguments) throws Exception {
    MeterRegistry registry = new SimpleMeterRegistry(); // or a service's own, as Prometheus'
    try (KuduClient client = new KuduClient.KuduClientBuilder(arguments[0]).build();
        KuduClientMetrics metrics = new KuduClientMetrics(client)) {
      metrics.bindTo(registry);
      int rows = 0;
      for (RowResult row : client.newScannerBuilder(client.openTable("people")).build()) {
        rows += row.isNull("name") ? 0 : 1;
      }
      long scans = registry.get("kudu.client.requests").tag("method", "Scan").timer().count();
      System.out.println(rows + " names in " + scans + " requests");
    }
  }
}
