package dev.kudu4j.benchmarks.table3;

import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Set;

/**
 * The work of a run.
 *
 * @param tablets number of tablets of a table in Kudu4j and in Apache Kudu
 * @param runs number of runs of a query in a turn
 * @param lookUps number of rows that are looked up by key in a round
 */
record Table3Settings(
    double scale,
    int tablets,
    int runs,
    int lookUps,
    int rounds,
    int warmUpRounds,
    Set<Contender> contenders) {
  Table3Settings {
    if (!(scale > 0) || tablets < 1 || runs < 1 || lookUps < 1 || rounds < 1 || warmUpRounds < 0) {
      throw new IllegalArgumentException(
          "Scale, tablets, runs, look-ups and rounds must be positive; warm-up rounds must not be"
              + " negative");
    }
    if (contenders.contains(Contender.PARQUET) && !contenders.contains(Contender.DUCKDB)) {
      throw new IllegalArgumentException("PARQUET needs DUCKDB, which writes the file");
    }
    contenders = Set.copyOf(contenders);
  }

  boolean has(Contender contender) {
    return contenders.contains(contender);
  }

  /** The settings, for the JSON file and the page. */
  Map<String, Object> toMap() {
    Map<String, Object> map = new LinkedHashMap<>();
    map.put("scale", scale);
    map.put("tablets", tablets);
    map.put("runs", runs);
    map.put("look_ups", lookUps);
    map.put("rounds", rounds);
    map.put("warm_up_rounds", warmUpRounds);
    return map;
  }
}
