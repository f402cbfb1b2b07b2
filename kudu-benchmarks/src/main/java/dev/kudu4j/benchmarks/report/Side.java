package dev.kudu4j.benchmarks.report;

/** Whose servers ran. */
public enum Side {
  OURS("Kudu4j"),
  PUBLISHED("Apache Kudu");

  private final String title;

  Side(String title) {
    this.title = title;
  }

  public String title() {
    return title;
  }

  public Side other() {
    return this == OURS ? PUBLISHED : OURS;
  }
}
