package dev.kudu4j.client;

/** Whether a bound of a range partition belongs to the range. */
public enum RangePartitionBound {
  EXCLUSIVE_BOUND,
  INCLUSIVE_BOUND
}
