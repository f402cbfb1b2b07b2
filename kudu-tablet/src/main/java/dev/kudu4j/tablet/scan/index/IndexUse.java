package dev.kudu4j.tablet.scan.index;

/** Whether a scan may use indexes. */
public enum IndexUse {
  /** If that is estimated to be cheaper. */
  CHOSEN,
  /** Never; for comparisons. */
  NONE,
  /** Wherever a filter has an index, whatever it costs; for tests and comparisons. */
  FORCED
}
