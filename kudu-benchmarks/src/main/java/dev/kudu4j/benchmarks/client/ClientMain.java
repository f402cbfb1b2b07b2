package dev.kudu4j.benchmarks.client;

import dev.kudu4j.benchmarks.workload.ClientTrial;
import dev.kudu4j.benchmarks.workload.LineItemPool;
import dev.kudu4j.benchmarks.workload.Loaded;
import dev.kudu4j.benchmarks.workload.Reading;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.util.Map;

/**
 * The main class of the process of one client. It reads commands from its standard input, one per
 * line, and answers each with a line. The process ends at the end of the input.
 *
 * <pre>
 *                               answer: ready
 *   INSERT_1 lineitem_a         answer: ok RATE=512345.6 CPU=2.3 ALLOCATED=310.0
 *   DROP                        answer: ok
 *   GET                         answer: failed Key ... was not found
 * </pre>
 *
 * <p>Output lines that do not begin with {@code answer:} come from the JVM and are ignored.
 */
public final class ClientMain {
  static final String ANSWER = "answer: ";
  static final String READY = "ready";
  static final String DROP = "DROP";
  static final String OK = "ok";
  static final String FAILED = "failed";

  private static final int MOST_SCANS = 20;

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
    PrintStream answers = System.out;
    System.setOut(System.err); // keeps other output out of the answers
    TrialSettings settings = TrialSettings.parse(arguments[2]);
    try (ClientTrial trial = open(arguments[0], arguments[1].equals("ours"))) {
      new ClientMain(trial, settings).serve(answers);
    }
    System.exit(0); // even if threads of the client are still running
  }

  private static ClientTrial open(String masters, boolean ours) {
    return ours
        ? new OurTrial(masters)
        : new dev.kudu4j.benchmarks.workload.published.TableTrial(masters);
  }

  private void serve(PrintStream answers) throws IOException {
    BufferedReader orders =
        new BufferedReader(new InputStreamReader(System.in, StandardCharsets.UTF_8));
    answers.println(ANSWER + READY);
    for (String order = orders.readLine(); order != null; order = orders.readLine()) {
      answers.println(ANSWER + answer(order.split(" ")));
    }
  }

  private String answer(String[] order) {
    try {
      if (order[0].equals(DROP)) {
        trial.drop();
        return OK;
      }
      Task task = Task.valueOf(order[0]);
      if (task.loads()) {
        trial.create(order[1], settings.replicas());
      }
      System.gc(); // the garbage of the previous task must not count for this one
      StringBuilder answer = new StringBuilder(OK);
      run(task).forEach((measure, value) -> answer.append(" " + measure + "=" + value));
      return answer.toString();
    } catch (Exception e) {
      e.printStackTrace();
      return FAILED + " " + String.valueOf(e.getMessage()).replace('\n', ' ');
    }
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
    for (int i = 0; i < MOST_SCANS && scanned < settings.scanRows(); i++) {
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
