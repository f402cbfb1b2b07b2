package dev.kudu4j.benchmarks.client;

/**
 * The amount of work of a client.
 *
 * @param scale TPC-H's scale factor; 1 is 6,001,215 rows
 * @param replicas number of replicas of each tablet
 * @param scanRows a scan is repeated until this many rows are read, or a maximum number of times
 * @param singles number of inserts of a single row
 */
record TrialSettings(double scale, int replicas, long scanRows, int singles) {
  TrialSettings {
    if (!(scale > 0) || scanRows < 1 || singles < 1) {
      throw new IllegalArgumentException("Scale, rows to scan and inserts must be positive");
    }
  }

  /** The settings as one word, see {@link #parse}. */
  String format() {
    return scale + "," + replicas + "," + scanRows + "," + singles;
  }

  static TrialSettings parse(String text) {
    String[] parts = text.split(",");
    return new TrialSettings(
        Double.parseDouble(parts[0]),
        Integer.parseInt(parts[1]),
        Long.parseLong(parts[2]),
        Integer.parseInt(parts[3]));
  }
}
