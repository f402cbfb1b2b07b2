package dev.kudu4j.tablet.cfile;

/** Receives packed numbers of at most 31 bits, mostly as whole stripes. */
interface PackedNumberVisitor {
  /** Receives {@value LanePacking#LANES} numbers; may modify the array. */
  void addStripe(int[] numbers);

  /** Receives one number that is not passed as part of a stripe. */
  void add(int number);
}
