package dev.kudu4j.tools.local;

import dev.kudu4j.embedded.EmbeddedCluster;
import java.io.PrintWriter;

/** Commands for a running cluster. */
record NextSteps(ClusterDirectory directory, ClusterShape shape) {
  void print(PrintWriter out) {
    String host = EmbeddedCluster.HOST;
    String masters = shape.masterAddresses();
    String dir = directory.path().endsWith("kudu-data") ? "" : " --dir=" + directory;
    out.println();
    out.printf("  %-11s %s%n", shape.masters() == 1 ? "Master" : "Masters", masters);
    out.printf("  Web pages   http://%s:%d%n", host, shape.ports().masterWeb());
    out.printf("  Log         %s%n", directory.logFile());
    out.println();
    out.printf(
        "  From Java   KuduClient client = new KuduClient.KuduClientBuilder(\"%s\").build();%n",
        masters);
    out.printf("  Shell       bin/kudu cluster ksck %s%n", masters);
    out.printf("              bin/kudu table list %s%n", masters);
    out.printf(" Status      bin/kudu status%s%n", dir);
    out.printf("  Stop        bin/kudu stop%s%n", dir);
    out.flush();
  }
}
