package dev.kudu4j.benchmarks.engine;

/** A measurement of both engines. */
interface Measurement {
  /** The title, for the progress output. */
  String title();

  /** Measures and reports the result; fails if the results of the engines differ. */
  void run(Engines engines, EngineReport report) throws Exception;
}
