package dev.kudu4j.benchmarks.consistency;

import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;

/** A kind of servers with its client, and the ways in which its readers read. */
enum Servers {
  OURS("Kudu4j", true) {
    @Override
    Pairs pairs(String masters, boolean closest) {
      return new dev.kudu4j.benchmarks.consistency.ours.PairTable(
          masters, isTransactional(), closest);
    }

    /** A quarter of the readers read old snapshots, and an eighth the leaders. */
    @Override
    List<Reading> readings(String masters, int readers) {
      int fresh = readers / 4;
      int atLeader = readers / 8;
      List<Reading> readings = new ArrayList<>();
      readings.add(snapshot(masters, readers - fresh - atLeader, true));
      readings.add(snapshot(masters, atLeader, false));
      readings.add(
          new Reading(
              "freshness 5 s, any replica",
              fresh,
              () ->
                  new FreshReads(
                      masters,
                      dev.kudu4j.benchmarks.consistency.ours.PairTable.ACCOUNTS_TABLE,
                      Duration.ofSeconds(5))));
      return readings;
    }
  },

  /** Its transactions only insert, so a pair is one flush of a session. */
  PUBLISHED("Apache Kudu", false) {
    @Override
    Pairs pairs(String masters, boolean closest) {
      return new dev.kudu4j.benchmarks.consistency.published.PairTable(
          masters, isTransactional(), closest);
    }

    @Override
    List<Reading> readings(String masters, int readers) {
      int latest = readers / 2;
      int atLeader = readers / 8;
      return List.of(
          snapshot(masters, readers - latest - atLeader, true),
          snapshot(masters, atLeader, false),
          new Reading(
              "READ_LATEST, leaders",
              latest,
              () -> session(pairs(masters, false), Pairs.Mode.READ_LATEST)));
    }
  };

  private final String title;
  private final boolean transactional;

  Servers(String title, boolean transactional) {
    this.title = title;
    this.transactional = transactional;
  }

  String title() {
    return title;
  }

  /** Whether a pair is a transaction; otherwise it is one flush of a session. */
  boolean isTransactional() {
    return transactional;
  }

  /**
   * A client of its own.
   *
   * @param closest whether it reads the closest replica instead of the leader
   */
  abstract Pairs pairs(String masters, boolean closest);

  /** The ways in which the readers read. */
  abstract List<Reading> readings(String masters, int readers);

  Reading snapshot(String masters, int readers, boolean closest) {
    return new Reading(
        "READ_AT_SNAPSHOT, " + (closest ? "any replica" : "leaders"),
        readers,
        () -> session(pairs(masters, closest), Pairs.Mode.READ_AT_SNAPSHOT));
  }

  static Reading.Session session(Pairs pairs, Pairs.Mode mode) throws Exception {
    pairs.open();
    return new Reading.Session() {
      @Override
      public Sums read() throws Exception {
        return pairs.read(mode);
      }

      @Override
      public void close() throws IOException {
        pairs.close();
      }
    };
  }
}
