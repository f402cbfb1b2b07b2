package dev.kudu4j.client;

import com.google.protobuf.ByteString;
import dev.kudu4j.CellForm;
import dev.kudu4j.ColumnSchema;
import dev.kudu4j.Schema;
import dev.kudu4j.Type;
import dev.kudu4j.common.predicate.ColumnPredicate;
import dev.kudu4j.common.proto.tserver.ColumnRangePredicateListPB;
import dev.kudu4j.common.proto.tserver.ColumnRangePredicatePB;
import dev.kudu4j.common.proto.tserver.NewScanRequestPB;
import dev.kudu4j.common.wire.PredicateWire;
import dev.kudu4j.common.wire.SchemaWire;
import java.math.BigDecimal;
import java.util.List;

/**
 * A range of values of one column, both ends inclusive.
 *
 * @deprecated in favour of {@link KuduPredicate}, to which it is converted
 */
@Deprecated
public class ColumnRangePredicate {
  private final ColumnSchema column;
  private byte[] lowerBound; // null for none
  private byte[] upperBound; // null for none

  public ColumnRangePredicate(ColumnSchema column) {
    this.column = column;
  }

  public void setLowerBound(boolean lower) {
    lowerBound = cell(lower, Type.BOOL);
  }

  public void setLowerBound(byte lower) {
    lowerBound = cell(lower, Type.INT8);
  }

  public void setLowerBound(short lower) {
    lowerBound = cell(lower, Type.INT16);
  }

  public void setLowerBound(int lower) {
    lowerBound = cell(lower, Type.INT32);
  }

  public void setLowerBound(long lower) {
    lowerBound = cell(lower, Type.INT64, Type.UNIXTIME_MICROS);
  }

  public void setLowerBound(String lower) {
    lowerBound = cell(lower, Type.STRING, Type.VARCHAR);
  }

  public void setLowerBound(byte[] lower) {
    lowerBound = cell(lower, Type.BINARY);
  }

  public void setLowerBound(float lower) {
    lowerBound = cell(lower, Type.FLOAT);
  }

  public void setLowerBound(double lower) {
    lowerBound = cell(lower, Type.DOUBLE);
  }

  public void setLowerBound(BigDecimal lower) {
    lowerBound = cell(lower, Type.DECIMAL);
  }

  public void setUpperBound(boolean upper) {
    upperBound = cell(upper, Type.BOOL);
  }

  public void setUpperBound(byte upper) {
    upperBound = cell(upper, Type.INT8);
  }

  public void setUpperBound(short upper) {
    upperBound = cell(upper, Type.INT16);
  }

  public void setUpperBound(int upper) {
    upperBound = cell(upper, Type.INT32);
  }

  public void setUpperBound(long upper) {
    upperBound = cell(upper, Type.INT64, Type.UNIXTIME_MICROS);
  }

  public void setUpperBound(String upper) {
    upperBound = cell(upper, Type.STRING, Type.VARCHAR);
  }

  public void setUpperBound(byte[] upper) {
    upperBound = cell(upper, Type.BINARY);
  }

  public void setUpperBound(float upper) {
    upperBound = cell(upper, Type.FLOAT);
  }

  public void setUpperBound(double upper) {
    upperBound = cell(upper, Type.DOUBLE);
  }

  public void setUpperBound(BigDecimal upper) {
    upperBound = cell(upper, Type.DECIMAL);
  }

  private byte[] cell(Object value, Type... passed) {
    KuduPredicate.checkColumn(column, passed);
    return CellForm.of(column, value);
  }

  public ColumnSchema getColumn() {
    return column;
  }

  /** The lower bound in cell form; null for none. */
  public byte[] getLowerBound() {
    return lowerBound;
  }

  /** The upper bound in cell form; null for none. */
  public byte[] getUpperBound() {
    return upperBound;
  }

  /** Converts the range to a {@link KuduPredicate}. */
  public KuduPredicate toKuduPredicate() {
    if (lowerBound == null && upperBound == null) {
      return KuduPredicate.newIsNotNullPredicate(column);
    }
    NewScanRequestPB scan =
        NewScanRequestPB.newBuilder()
            .setTabletId(ByteString.EMPTY)
            .addDEPRECATEDRangePredicates(toPB())
            .build();
    Schema schema = Schema.of(new dev.kudu4j.common.schema.Schema(List.of(column.toCommon())));
    List<ColumnPredicate> one = PredicateWire.fromWire(scan, schema.toCommon());
    return one.isEmpty()
        ? KuduPredicate.newIsNotNullPredicate(column)
        : KuduPredicate.of(column, one.get(0));
  }

  private ColumnRangePredicatePB toPB() {
    ColumnRangePredicatePB.Builder pb =
        ColumnRangePredicatePB.newBuilder().setColumn(SchemaWire.toWire(column.toCommon(), false));
    if (lowerBound != null) {
      pb.setLowerBound(ByteString.copyFrom(lowerBound));
    }
    if (upperBound != null) {
      pb.setInclusiveUpperBound(ByteString.copyFrom(upperBound));
    }
    return pb.build();
  }

  /** Bytes for {@link AbstractKuduScannerBuilder#addColumnRangePredicatesRaw}. */
  public static byte[] toByteArray(List<ColumnRangePredicate> predicates) {
    ColumnRangePredicateListPB.Builder list = ColumnRangePredicateListPB.newBuilder();
    predicates.forEach(predicate -> list.addRangePredicates(predicate.toPB()));
    return list.build().toByteArray();
  }

  /** Parses the bytes of {@link #toByteArray} as predicates on columns of {@code schema}. */
  static List<KuduPredicate> fromByteArray(byte[] bytes, Schema schema) {
    ColumnRangePredicateListPB list;
    try {
      list = ColumnRangePredicateListPB.parseFrom(bytes);
    } catch (com.google.protobuf.InvalidProtocolBufferException e) {
      throw new IllegalArgumentException("Encountered an invalid column range predicate", e);
    }
    return list.getRangePredicatesList().stream()
        .map(
            pb -> {
              ColumnRangePredicate range =
                  new ColumnRangePredicate(schema.getColumn(pb.getColumn().getName()));
              range.lowerBound = pb.hasLowerBound() ? pb.getLowerBound().toByteArray() : null;
              range.upperBound =
                  pb.hasInclusiveUpperBound() ? pb.getInclusiveUpperBound().toByteArray() : null;
              return range.toKuduPredicate();
            })
        .toList();
  }
}
