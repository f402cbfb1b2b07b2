package dev.kudu4j.tablet.cfile;

/** Is shown packed numbers of at most 31 bits, most of them a stripe at a time. */
interface PackedNumberVisitor {
  /** {@value LanePacking#LANES} numbers; they may be changed. */
  void addStripe(int[] numbers);

  /** One number of a stripe of which not all are shown. */
  void add(int number);
}
