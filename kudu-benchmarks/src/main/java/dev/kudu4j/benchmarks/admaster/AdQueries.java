package dev.kudu4j.benchmarks.admaster;

import dev.kudu4j.benchmarks.selection.Selection;
import dev.kudu4j.benchmarks.selection.SelectionQuery;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import java.util.random.RandomGenerator;

/**
 * The four workloads. The paper describes them by their filters; the columns are our choice.
 *
 * <pre>
 *   W1  SELECT count(*)                        WHERE event_date BETWEEN a AND b
 *   W2  SELECT event_date, os                  WHERE event_date BETWEEN a AND b AND os = 'iOS'
 *   W3  SELECT event_id, campaign_id, action,  WHERE event_date BETWEEN a AND b
 *              province, city, price_micros
 *   W4  SELECT *                               WHERE event_date BETWEEN a AND b AND os = 'iOS'
 * </pre>
 *
 * <p>W1 is counted by Kudu4j's servers, and by the client of Apache Kudu, whose servers send the
 * number of the rows without columns.
 */
final class AdQueries {
  private static final int VARIANTS = 4;
  private static final long SEED = 524;
  private static final List<String> SOME_COLUMNS =
      List.of("event_id", "campaign_id", "action", "province", "city", "price_micros");

  private final List<String> all;
  private final List<SelectionQuery> queries = new ArrayList<>();

  /**
   * @param dateShare the share of the days in a range
   */
  AdQueries(AdEvents events, double dateShare) {
    this.all = events.columnNames();
    RandomGenerator random = new SplittableRandom(SEED);
    List<String> points =
        List.of(
            "W1, count by date",
            "W2, date and OS, these columns",
            "W3, date, 6 columns",
            "W4, date and OS, all columns");
    for (int number = 1; number <= points.size(); number++) {
      List<Selection> variants = new ArrayList<>();
      for (int i = 0; i < VARIANTS; i++) {
        variants.add(selection(number, dateShare, random));
      }
      queries.add(new SelectionQuery("AdMaster", points.get(number - 1), variants));
    }
  }

  private Selection selection(int number, double share, RandomGenerator random) {
    return switch (number) {
      case 1 -> Selection.and(List.of(), AdEvents.dates(share, random));
      case 2 ->
          Selection.and(
              List.of(AdEvents.DATE, AdEvents.OS),
              AdEvents.dates(share, random),
              AdEvents.rareSystem());
      case 3 -> Selection.and(SOME_COLUMNS, AdEvents.dates(share, random));
      default -> Selection.and(all, AdEvents.dates(share, random), AdEvents.rareSystem());
    };
  }

  /** All workloads, in order. */
  List<SelectionQuery> all() {
    return queries;
  }
}
