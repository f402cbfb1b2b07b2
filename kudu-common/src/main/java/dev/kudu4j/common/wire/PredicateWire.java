package dev.kudu4j.common.wire;

import com.google.protobuf.ByteString;
import dev.kudu4j.common.predicate.BlockBloomFilter;
import dev.kudu4j.common.predicate.ColumnPredicate;
import dev.kudu4j.common.predicate.ColumnPredicates;
import dev.kudu4j.common.proto.common.BlockBloomFilterPB;
import dev.kudu4j.common.proto.common.ColumnPredicatePB;
import dev.kudu4j.common.proto.common.HashAlgorithm;
import dev.kudu4j.common.proto.tserver.ColumnRangePredicatePB;
import dev.kudu4j.common.proto.tserver.NewScanRequestPB;
import dev.kudu4j.common.schema.CellOrder;
import dev.kudu4j.common.schema.ColumnSchema;
import dev.kudu4j.common.schema.DataType;
import dev.kudu4j.common.schema.Schema;
import dev.kudu4j.common.status.KuduException;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Converts predicates to and from wire messages. An invalid predicate is INVALID_ARGUMENT, which a
 * tablet server reports as {@code INVALID_SCAN_SPEC}.
 */
public final class PredicateWire {
  private static final byte[] NOTHING = new byte[0];

  private PredicateWire() {}

  /**
   * All predicates of a scan, in the current and in the obsolete form, {@linkplain
   * ColumnPredicates#merge merged}.
   */
  public static List<ColumnPredicate> fromWire(NewScanRequestPB scan, Schema tablet) {
    List<ColumnPredicate> predicates = new ArrayList<>();
    for (ColumnPredicatePB pb : scan.getColumnPredicatesList()) {
      predicates.add(fromWire(pb, tablet));
    }
    for (ColumnRangePredicatePB pb : scan.getDEPRECATEDRangePredicatesList()) {
      predicates.add(fromWire(pb, tablet));
    }
    return ColumnPredicates.merge(predicates);
  }

  /**
   * Converts one predicate.
   *
   * @throws KuduException INVALID_ARGUMENT for a column that the tablet does not have, a value of
   *     the wrong size, a comparison of arrays, or a predicate without a type, or without the
   *     bounds, value or filters of its type
   */
  public static ColumnPredicate fromWire(ColumnPredicatePB pb, Schema tablet) {
    if (!pb.hasColumn()) {
      throw KuduException.invalidArgument("Column predicate must include a column");
    }
    ColumnSchema column = column(pb.getColumn(), tablet);
    if (!pb.hasIsNull() && !pb.hasIsNotNull()) {
      checkComparable(column);
    }
    return switch (pb.getPredicateCase()) {
      case RANGE -> range(column, pb.getRange());
      case EQUALITY -> equality(column, pb.getEquality());
      case IS_NOT_NULL -> new ColumnPredicate.IsNotNull(column);
      case IS_NULL -> new ColumnPredicate.IsNull(column);
      case IN_LIST -> inList(column, pb.getInList());
      case IN_BLOOM_FILTER -> inBloomFilter(column, pb.getInBloomFilter());
      case PREDICATE_NOT_SET ->
          throw KuduException.invalidArgument(
              "Unknown predicate type for column: %s", column.name());
    };
  }

  private static ColumnPredicate range(ColumnSchema column, ColumnPredicatePB.Range pb) {
    if (!pb.hasLower() && !pb.hasUpper()) {
      throw KuduException.invalidArgument(
          "Invalid range predicate on column: no bounds: %s", column.name());
    }
    return new ColumnPredicate.Range(
        column,
        pb.hasLower() ? cell(column, pb.getLower()) : null,
        pb.hasUpper() ? cell(column, pb.getUpper()) : null);
  }

  private static ColumnPredicate equality(ColumnSchema column, ColumnPredicatePB.Equality pb) {
    if (!pb.hasValue()) {
      throw KuduException.invalidArgument(
          "Invalid equality predicate on column: no value: %s", column.name());
    }
    return new ColumnPredicate.Equality(column, cell(column, pb.getValue()));
  }

  private static ColumnPredicate inList(ColumnSchema column, ColumnPredicatePB.InList pb) {
    List<byte[]> values = new ArrayList<>();
    for (ByteString value : pb.getValuesList()) {
      values.add(cell(column, value));
    }
    return ColumnPredicates.inList(column, values);
  }

  private static ColumnPredicate inBloomFilter(
      ColumnSchema column, ColumnPredicatePB.InBloomFilter pb) {
    if (pb.getBloomFiltersCount() == 0) {
      throw KuduException.invalidArgument(
          "Invalid in bloom filter predicate on column: no bloom filter contained: %s",
          column.name());
    }
    return new ColumnPredicate.InBloomFilter(
        column,
        pb.getBloomFiltersList().stream().map(filter -> filter(column, filter)).toList(),
        pb.hasLower() ? cell(column, pb.getLower()) : null,
        pb.hasUpper() ? cell(column, pb.getUpper()) : null);
  }

  private static BlockBloomFilter filter(ColumnSchema column, BlockBloomFilterPB pb) {
    if (!pb.hasLogSpaceBytes()
        || !pb.hasBloomData()
        || !pb.hasAlwaysFalse()
        || !pb.hasHashAlgorithm()) {
      throw KuduException.invalidArgument(
          "Invalid bloom filter on column %s: it must have size, data, hash algorithm and"
              + " always_false",
          column.name());
    }
    if (pb.getHashAlgorithm() != HashAlgorithm.FAST_HASH) {
      throw KuduException.invalidArgument(
          "Invalid bloom filter on column %s: hash algorithm %s is not FAST_HASH",
          column.name(), pb.getHashAlgorithm());
    }
    int logSpaceBytes = pb.getLogSpaceBytes();
    if (logSpaceBytes < 5 || logSpaceBytes > 30 || pb.getBloomData().size() != 1 << logSpaceBytes) {
      throw KuduException.invalidArgument(
          "Invalid bloom filter on column %s: %d bytes of data are not 2^%d bytes",
          column.name(), pb.getBloomData().size(), logSpaceBytes);
    }
    return new BlockBloomFilter(
        logSpaceBytes, pb.getBloomData().toByteArray(), pb.getAlwaysFalse(), pb.getHashSeed());
  }

  /** Converts a predicate in the obsolete form, in which both bounds are inclusive. */
  private static ColumnPredicate fromWire(ColumnRangePredicatePB pb, Schema tablet) {
    ColumnSchema column = comparable(pb.getColumn().getName(), tablet);
    if (!pb.hasLowerBound() && !pb.hasInclusiveUpperBound()) {
      throw KuduException.invalidArgument(
          "Invalid range predicate on column: no bounds: %s", column.name());
    }
    byte @Nullable [] lower = pb.hasLowerBound() ? cell(column, pb.getLowerBound()) : null;
    if (!pb.hasInclusiveUpperBound()) {
      return new ColumnPredicate.Range(column, lower, null);
    }
    byte[] last = cell(column, pb.getInclusiveUpperBound());
    if (CellOrder.isNaN(column.type(), last, 0)) {
      return new ColumnPredicate.None(column);
    }
    byte @Nullable [] upper = CellOrder.successor(column.type(), last);
    return lower == null && upper == null
        ? new ColumnPredicate.IsNotNull(column)
        : new ColumnPredicate.Range(column, lower, upper);
  }

  /**
   * The column with the name.
   *
   * @throws KuduException INVALID_ARGUMENT if there is none
   */
  static ColumnSchema column(String name, Schema tablet) {
    int index = tablet.indexOfName(name);
    if (index < 0) {
      throw KuduException.invalidArgument("Unknown column in predicate: %s", name);
    }
    return tablet.column(index);
  }

  /**
   * The column with the name, whose cells have an order.
   *
   * @throws KuduException INVALID_ARGUMENT if there is none, or it has arrays
   */
  static ColumnSchema comparable(String name, Schema tablet) {
    return checkComparable(column(name, tablet));
  }

  /** Equal arrays may differ in their bytes, and bytes do not order arrays. */
  private static ColumnSchema checkComparable(ColumnSchema column) {
    if (column.isArray()) {
      throw KuduException.invalidArgument(
          "Column %s cannot be compared: for arrays, only IS NULL and IS NOT NULL are supported",
          column);
    }
    return column;
  }

  private static byte[] cell(ColumnSchema column, ByteString value) {
    DataType type = column.type();
    if (!type.isVariableLength() && value.size() != type.width()) {
      throw KuduException.invalidArgument(
          "Expected value size %d, got %d", type.width(), value.size());
    }
    return value.isEmpty() ? NOTHING : value.toByteArray();
  }

  /**
   * Converts a predicate for a tablet server. A predicate that matches nothing becomes an empty
   * list.
   */
  public static ColumnPredicatePB toWire(ColumnPredicate predicate) {
    ColumnPredicatePB.Builder pb =
        ColumnPredicatePB.newBuilder().setColumn(predicate.column().name());
    if (predicate instanceof ColumnPredicate.Range range) {
      if (range.lower() != null) {
        pb.getRangeBuilder().setLower(ByteString.copyFrom(range.lower()));
      }
      if (range.upper() != null) {
        pb.getRangeBuilder().setUpper(ByteString.copyFrom(range.upper()));
      }
    } else if (predicate instanceof ColumnPredicate.Equality equality) {
      pb.getEqualityBuilder().setValue(ByteString.copyFrom(equality.value()));
    } else if (predicate instanceof ColumnPredicate.IsNotNull) {
      pb.setIsNotNull(ColumnPredicatePB.IsNotNull.getDefaultInstance());
    } else if (predicate instanceof ColumnPredicate.IsNull) {
      pb.setIsNull(ColumnPredicatePB.IsNull.getDefaultInstance());
    } else if (predicate instanceof ColumnPredicate.InList list) {
      list.values().forEach(value -> pb.getInListBuilder().addValues(ByteString.copyFrom(value)));
    } else if (predicate instanceof ColumnPredicate.InBloomFilter bloom) {
      pb.setInBloomFilter(toWire(bloom));
    } else {
      pb.setInList(ColumnPredicatePB.InList.getDefaultInstance());
    }
    return pb.build();
  }

  private static ColumnPredicatePB.InBloomFilter toWire(ColumnPredicate.InBloomFilter bloom) {
    ColumnPredicatePB.InBloomFilter.Builder pb = ColumnPredicatePB.InBloomFilter.newBuilder();
    for (BlockBloomFilter filter : bloom.filters()) {
      pb.addBloomFilters(
          BlockBloomFilterPB.newBuilder()
              .setLogSpaceBytes(filter.logSpaceBytes())
              .setBloomData(ByteString.copyFrom(filter.data()))
              .setAlwaysFalse(filter.alwaysFalse())
              .setHashAlgorithm(HashAlgorithm.FAST_HASH)
              .setHashSeed(filter.hashSeed()));
    }
    if (bloom.lower() != null) {
      pb.setLower(ByteString.copyFrom(bloom.lower()));
    }
    if (bloom.upper() != null) {
      pb.setUpper(ByteString.copyFrom(bloom.upper()));
    }
    return pb.build();
  }
}
