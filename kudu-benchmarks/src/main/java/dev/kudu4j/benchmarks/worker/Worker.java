package dev.kudu4j.benchmarks.worker;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.util.Map;

/** The worker's side: reads orders from standard input, one per line, and answers each. */
public final class Worker {
  static final String ANSWER = "answer: ";
  static final String READY = "ready";
  static final String OK = "ok";
  static final String FAILED = "failed";

  private final PrintStream answers;

  private Worker(PrintStream answers) {
    this.answers = answers;
  }

  /** Carries out orders. */
  public interface Orders {
    /**
     * Carries out one order.
     *
     * @param order the words of the order
     * @return the measured figures, by name; names contain neither blanks nor equals signs
     */
    Map<String, Double> carryOut(String[] order) throws Exception;
  }

  /**
   * Reserves standard output for answers: from now on, {@link System#out} prints to standard error.
   * Call this first.
   */
  public static Worker start() {
    Worker worker = new Worker(System.out);
    System.setOut(System.err);
    return worker;
  }

  /** Reports that the worker is ready, and carries out orders until the end of the input. */
  public void serve(Orders orders) throws IOException {
    BufferedReader lines =
        new BufferedReader(new InputStreamReader(System.in, StandardCharsets.UTF_8));
    answers.println(ANSWER + READY);
    for (String line = lines.readLine(); line != null; line = lines.readLine()) {
      answers.println(ANSWER + answer(orders, line.split(" ")));
    }
  }

  private static String answer(Orders orders, String[] order) {
    try {
      StringBuilder answer = new StringBuilder(OK);
      orders
          .carryOut(order)
          .forEach((name, value) -> answer.append(' ').append(name).append('=').append(value));
      return answer.toString();
    } catch (Exception e) {
      e.printStackTrace();
      return FAILED + " " + String.valueOf(e.getMessage()).replaceAll("\\R", " ");
    }
  }
}
