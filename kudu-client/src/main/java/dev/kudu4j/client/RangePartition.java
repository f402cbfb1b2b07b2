package dev.kudu4j.client;

import dev.kudu4j.common.row.OperationType;
import dev.kudu4j.common.row.RowOperationsWriter;

/** A range partition, by its bounds. A bound with no column set means unbounded. */
public class RangePartition {
  private final PartialRow lowerBound;
  private final PartialRow upperBound;
  private final RangePartitionBound lowerBoundType;
  private final RangePartitionBound upperBoundType;

  public RangePartition(
      PartialRow lowerBound,
      PartialRow upperBound,
      RangePartitionBound lowerBoundType,
      RangePartitionBound upperBoundType) {
    if (!lowerBound.getSchema().equals(upperBound.getSchema())) {
      throw new IllegalArgumentException("Both bounds of a range must have the same schema");
    }
    this.lowerBound = lowerBound;
    this.upperBound = upperBound;
    this.lowerBoundType = lowerBoundType;
    this.upperBoundType = upperBoundType;
  }

  public PartialRow getLowerBound() {
    return lowerBound;
  }

  public RangePartitionBound getLowerBoundType() {
    return lowerBoundType;
  }

  public PartialRow getUpperBound() {
    return upperBound;
  }

  public RangePartitionBound getUpperBoundType() {
    return upperBoundType;
  }

  void appendTo(RowOperationsWriter rows) {
    lowerBound.appendTo(
        rows,
        lowerBoundType == RangePartitionBound.INCLUSIVE_BOUND
            ? OperationType.RANGE_LOWER_BOUND
            : OperationType.EXCLUSIVE_RANGE_LOWER_BOUND);
    upperBound.appendTo(
        rows,
        upperBoundType == RangePartitionBound.EXCLUSIVE_BOUND
            ? OperationType.RANGE_UPPER_BOUND
            : OperationType.INCLUSIVE_RANGE_UPPER_BOUND);
  }
}
