package dev.kudu4j.benchmarks.threads;

import dev.kudu4j.benchmarks.cluster.OurDistribution;
import dev.kudu4j.benchmarks.cluster.StatusClient;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;

/**
 * Starts a cluster for each thread model, and measures operations on all of them in turn.
 *
 * @param models the models; the first one is the baseline
 * @param clients numbers of clients
 * @param rounds measured rounds of each point
 * @param seconds duration of each measurement
 * @param warmUpSeconds how long each model serves each operation before the measurement
 */
public record ModelComparison(
    List<String> models, List<Integer> clients, int rounds, int seconds, int warmUpSeconds) {
  private static final int WARM_UP_CLIENTS = 16;

  /**
   * @param directory directory of the servers' data
   */
  public ThreadsReport run(
      ModelTable table, OurDistribution ours, Path directory, Consumer<String> progress)
      throws Exception {
    List<ModelServer> servers = new ArrayList<>();
    try (StatusClient rpc = new StatusClient()) {
      try {
        for (String model : models) {
          progress.accept("starting a cluster with the model " + model);
          servers.add(ModelServer.start(model, ours, directory.resolve(model), table, rpc));
        }
        List<String> titles = servers.get(0).titles();
        ThreadsReport report = new ThreadsReport(titles, clients, models);
        for (int operation = 0; operation < titles.size(); operation++) {
          measure(operation, titles.get(operation), servers, report, progress);
        }
        return report;
      } finally {
        servers.forEach(ModelServer::close);
      }
    }
  }

  private void measure(
      int operation,
      String title,
      List<ModelServer> servers,
      ThreadsReport report,
      Consumer<String> progress) {
    long nanos = TimeUnit.SECONDS.toNanos(seconds);
    for (ModelServer server : servers) {
      progress.accept(title + ", warm-up of " + server.model());
      server.run(operation, WARM_UP_CLIENTS, TimeUnit.SECONDS.toNanos(warmUpSeconds));
    }
    for (int count : clients) {
      for (int round = 0; round < rounds; round++) {
        progress.accept("%s, %d clients, round %d".formatted(title, count, round + 1));
        for (int turn = 0; turn < servers.size(); turn++) {
          ModelServer server = servers.get((turn + round) % servers.size());
          report.add(
              new ThreadsReport.Point(title, count, server.model()),
              server.run(operation, count, nanos),
              nanos);
        }
      }
    }
  }

  /** The settings, for the JSON file and the page. */
  public Map<String, Object> toMap() {
    Map<String, Object> settings = new LinkedHashMap<>();
    settings.put("models", models);
    settings.put("clients", clients);
    settings.put("rounds", rounds);
    settings.put("seconds", seconds);
    settings.put("warm_up_seconds", warmUpSeconds);
    return settings;
  }
}
