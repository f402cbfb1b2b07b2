package dev.kudu4j.benchmarks.client;

import dev.kudu4j.benchmarks.worker.Worker;
import dev.kudu4j.benchmarks.workload.ClientTrial;
import dev.kudu4j.benchmarks.workload.LineItemPool;
import dev.kudu4j.benchmarks.workload.Loaded;
import dev.kudu4j.benchmarks.workload.Reading;
import java.util.LinkedHashMap;
import java.util.Map;

/** The main class of the process of one client: a {@link Worker} whose orders are {@link Task}s. */
public final class ClientMain {
  static final String DROP = "DROP";

  private static final int MAX_SCANS = 20;

  private final ClientTrial trial;
  private final TrialSettings settings;
  private final LineItemPool rows;
  private Loaded loaded;
  private int singleInserts;

  private ClientMain(ClientTrial trial, TrialSettings settings) {
    this.trial = trial;
    this.settings = settings;
    this.rows = new LineItemPool(settings.scale());
  }

  /**
   * @param arguments masters, client ({@code ours} or {@code published}), settings
   */
  @SuppressWarnings("try") // close() may be interrupted, which ends the process
  public static void main(String[] arguments) throws Exception {
    Worker worker = Worker.start();
    TrialSettings settings = TrialSettings.parse(arguments[2]);
    try (ClientTrial trial = open(arguments[0], arguments[1].equals("ours"))) {
      worker.serve(new ClientMain(trial, settings)::carryOut);
    }
    System.exit(0); // even if threads of the client are still running
  }

  private static ClientTrial open(String masters, boolean ours) {
    return ours
        ? new OurTrial(masters)
        : new dev.kudu4j.benchmarks.workload.published.TableTrial(masters);
  }

  private Map<String, Double> carryOut(String[] order) throws Exception {
    Map<String, Double> figures = new LinkedHashMap<>();
    if (order[0].equals(DROP)) {
      trial.drop();
      return figures;
    }
    Task task = Task.valueOf(order[0]);
    if (task.loads()) {
      trial.create(order[1], settings.replicas());
    }
    System.gc(); // the garbage of the previous task must not count for this one
    run(task).forEach((measure, value) -> figures.put(measure.name(), value));
    return figures;
  }

  private Map<Measure, Double> run(Task task) throws Exception {
    return switch (task) {
      case INSERT_1 -> load(1);
      case INSERT_2 -> load(2);
      case ONE_CELL_ROWWISE -> scan(() -> trial.scan(loaded, Reading.ONE_CELL, false));
      case ONE_CELL_COLUMNAR -> scan(() -> trial.scan(loaded, Reading.ONE_CELL, true));
      case ONE_CELL_ARROW -> scan(() -> ours().scanArrow(loaded, Reading.ONE_CELL));
      case EVERY_CELL_ROWWISE -> scan(() -> trial.scan(loaded, Reading.EVERY_CELL, false));
      case EVERY_CELL_COLUMNAR -> scan(() -> trial.scan(loaded, Reading.EVERY_CELL, true));
      case EVERY_CELL_ARROW -> scan(() -> ours().scanArrow(loaded, Reading.EVERY_CELL));
      case SINGLE_INSERT ->
          latencies(() -> trial.insertSingly(rows.extraRows(singleInserts++), settings.singles()));
      case LOOK_UP -> latencies(() -> trial.lookUp(loaded.sample()));
      case GET -> latencies(() -> ours().get(loaded.sample()));
      case LOOK_UP_AT_ONCE -> lookUps(() -> trial.lookUpConcurrently(loaded.sample()));
      case GET_ALL -> lookUps(() -> ours().getAll(loaded.sample()));
    };
  }

  private OurTrial ours() {
    return (OurTrial) trial;
  }

  private Map<Measure, Double> load(int threads) throws Exception {
    Meter meter = new Meter();
    loaded = trial.load(rows, threads);
    return meter.perRow(loaded.rows(), loaded.nanos());
  }

  /** An operation that returns its duration in nanoseconds. */
  private interface Timed {
    long run() throws Exception;
  }

  private Map<Measure, Double> lookUps(Timed all) throws Exception {
    Meter meter = new Meter();
    return meter.perRow(loaded.sample().size(), all.run());
  }

  private Map<Measure, Double> scan(Timed scan) throws Exception {
    Meter meter = new Meter();
    long scanned = 0;
    long nanos = 0;
    for (int i = 0; i < MAX_SCANS && scanned < settings.scanRows(); i++) {
      nanos += scan.run();
      scanned += loaded.rows();
    }
    return meter.perRow(scanned, nanos);
  }

  /** Operations that return the duration of each in nanoseconds. */
  private interface Singles {
    long[] run() throws Exception;
  }

  private static Map<Measure, Double> latencies(Singles singles) throws Exception {
    Meter meter = new Meter();
    return meter.latencies(singles.run());
  }
}
