package dev.kudu4j.tserver.claim;

import com.google.protobuf.ByteString;
import dev.kudu4j.common.index.ClaimTable;
import dev.kudu4j.common.index.ClaimedIndex;
import dev.kudu4j.common.key.KeyBuffer;
import dev.kudu4j.common.key.KeyDecoder;
import dev.kudu4j.common.key.RowKeyEncoder;
import dev.kudu4j.common.partition.PartitionKeyEncoder;
import dev.kudu4j.common.partition.PartitionSchema;
import dev.kudu4j.common.row.ArrayCells;
import dev.kudu4j.common.row.RowCells;
import dev.kudu4j.common.schema.DataType;
import dev.kudu4j.common.schema.Schema;
import dev.kudu4j.common.status.KuduException;
import dev.kudu4j.tablet.env.TabletOptions;
import java.nio.ByteBuffer;
import java.util.List;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/** The values of one unique index: their encoding, and the tablets with their claims. */
final class ValueEncoder {
  private final ClaimedIndex index;
  private final Schema claims;
  private final DataType[] types;
  private final PartitionKeyEncoder partitions;

  /**
   * @param table the schema of the indexed table
   */
  ValueEncoder(ClaimedIndex index, Schema table) {
    this.index = index;
    this.claims = ClaimTable.schema(table, index.definition());
    int columns = claims.keyColumnCount();
    this.types =
        IntStream.range(0, columns).mapToObj(i -> claims.column(i).type()).toArray(DataType[]::new);
    PartitionSchema schema = ClaimTable.partitions(index.definition());
    this.partitions =
        new PartitionKeyEncoder(schema, claims, IntStream.range(0, claims.columnCount()).toArray());
  }

  ClaimedIndex index() {
    return index;
  }

  List<Integer> columnIds() {
    return index.definition().columns();
  }

  /**
   * The value of a row; null if one of its columns is NULL, so that it needs no claim.
   *
   * @param columns the places of the indexed columns among the cells
   */
  @Nullable ByteString encode(RowCells cells, int[] columns) {
    KeyBuffer value = new KeyBuffer();
    return new RowKeyEncoder(types, columns).append(cells, value)
        ? ByteString.copyFrom(value.array(), 0, value.length())
        : null;
  }

  /**
   * Reads the value of rows that have been read with a projection.
   *
   * @see RowsByKey#projection
   */
  ValueReader reader(Schema projection) {
    return new ValueReader(this, columnIds().stream().mapToInt(projection::indexOfId).toArray());
  }

  /**
   * The values of rows.
   *
   * @param columns the places of the indexed columns in the rows
   */
  record ValueReader(ValueEncoder encoder, int[] columns) {
    /** The value of a row; null if it has none, or if there is no row. */
    @Nullable ByteString of(RowsByKey.@Nullable Row row) {
      return row == null ? null : encoder.encode(new ArrayCells(row.cells()), columns);
    }
  }

  /**
   * Checks that a value can be claimed.
   *
   * @throws KuduException INVALID_ARGUMENT; the message names the index
   */
  void checkLength(ByteString value) {
    if (!fits(value)) {
      throw KuduException.invalidArgument(
          "Unique index %s: a value is %d bytes long, and may have %d bytes, as a primary key may",
          index.definition().name(), value.size(), TabletOptions.DEFAULT.maxKeyBytes());
    }
  }

  /** Whether a value is not too long for the key of a claim. */
  static boolean fits(ByteString value) {
    return value.size() <= TabletOptions.DEFAULT.maxKeyBytes();
  }

  /** The tablet with the claim of a value. */
  String tabletOf(ByteString value) {
    if (index.tablets().size() == 1) {
      return index.tablets().get(0);
    }
    KeyBuffer partitionKey = new KeyBuffer();
    partitions.append(new ArrayCells(KeyDecoder.decode(claims, value.toByteArray())), partitionKey);
    return index.tablets().get(ByteBuffer.wrap(partitionKey.array()).getInt());
  }
}
