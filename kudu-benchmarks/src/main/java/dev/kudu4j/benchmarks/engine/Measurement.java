package dev.kudu4j.benchmarks.engine;

/** Something that is measured on both engines. */
interface Measurement {
  /** What it is, for people who wait. */
  String title();

  /** Measures and tells the report; fails when the two engines answer differently. */
  void run(Engines engines, EngineReport report) throws Exception;
}
