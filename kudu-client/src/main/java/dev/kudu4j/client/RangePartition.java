package dev.kudu4j.client;

import dev.kudu4j.common.partition.PartitionSchema;
import dev.kudu4j.common.partition.RangeBounds;
import dev.kudu4j.common.proto.common.RowOperationsPB;
import dev.kudu4j.common.row.OperationType;
import dev.kudu4j.common.row.RowLayout;
import dev.kudu4j.common.row.RowOperationsWriter;
import dev.kudu4j.common.wire.PartitionWire;
import dev.kudu4j.common.wire.RowOperationsWire;

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

  /** The encoded bounds; both of them in the form that tablets have. */
  RangeBounds bounds(PartitionSchema partitions, dev.kudu4j.common.schema.Schema table) {
    return PartitionWire.rangeBounds(
        toWire(), lowerBound.getSchema().toCommon(), partitions, table);
  }

  RowOperationsPB toWire() {
    RowOperationsWriter rows =
        new RowOperationsWriter(RowLayout.of(lowerBound.getSchema().toCommon()));
    appendTo(rows);
    return RowOperationsWire.toWire(rows);
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
