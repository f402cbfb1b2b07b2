package dev.kudu4j.tools.cluster;

/** The health of a tablet or table, in Apache Kudu's words, from best to worst. */
enum TabletHealth {
  HEALTHY("healthy"),
  RECOVERING("recovering"),
  UNDER_REPLICATED("under-replicated"),
  CONSENSUS_MISMATCH("conflicted"),
  UNAVAILABLE("unavailable");

  private final String words;

  TabletHealth(String words) {
    this.words = words;
  }

  String words() {
    return words;
  }

  TabletHealth worse(TabletHealth other) {
    return compareTo(other) >= 0 ? this : other;
  }
}
