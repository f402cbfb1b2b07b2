package dev.kudu4j.tools.local;

import java.io.PrintWriter;
import java.time.Duration;
import java.util.HashMap;
import java.util.Locale;
import java.util.Map;

/** Prints the progress of a cluster's start: a line for each server that is up. */
final class StartProgress {
  private final PrintWriter out;
  private final Map<String, String> shown = new HashMap<>();

  StartProgress(PrintWriter out) {
    this.out = out;
  }

  void show(ClusterReport report) {
    for (ServerReport server : report.servers()) {
      boolean news = !server.state().equals(shown.put(server.name(), server.state()));
      if (news && !server.state().equals(ServerCalls.DOWN)) {
        out.printf("  %-10s %s%n", server.name(), server.state());
        out.flush();
      }
    }
  }

  void healthy(Duration after) {
    out.printf(Locale.ROOT, "Healthy after %.1f s.%n", after.toMillis() / 1000.0);
  }
}
